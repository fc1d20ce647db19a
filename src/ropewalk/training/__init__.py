"""Learning to play from self-play: forests on CPU threads, a net on one GPU or on the CPU."""
