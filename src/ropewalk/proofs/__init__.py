"""Solvers for exact values, the proof files they write, and checkers that trust neither."""
