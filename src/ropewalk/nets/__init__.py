"""Nets that judge positions: one architecture for all games and sizes."""
