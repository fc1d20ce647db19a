"""Training by self-play: tree search on CPU threads, net inference and learning on one GPU or on the CPU."""
