"""Rules as compiled kernels: one module per game, all of which implement `interface`."""
