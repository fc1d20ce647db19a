"""Studying games: puzzles, and reviews of matches."""
