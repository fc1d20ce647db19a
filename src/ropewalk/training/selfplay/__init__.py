"""Sources of training games: self-play in this process, on Ray actors, and by an MCTS teacher."""
