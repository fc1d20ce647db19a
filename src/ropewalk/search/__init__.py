"""Search: UCT/RAVE with optional net guidance, Gumbel AlphaZero search on batches of trees, and alpha-beta."""
