"""Puzzles: positions with a proven win, found in games of bots, with proofs that a checker follows without a solver."""
