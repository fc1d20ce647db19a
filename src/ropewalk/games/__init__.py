"""One module a game: its state, its kernels, its notation and its words."""
