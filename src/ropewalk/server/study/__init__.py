"""Studying games: puzzles with ratings of users and puzzles."""
