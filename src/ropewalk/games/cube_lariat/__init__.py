"""Cube Lariat, by Mark Steere (2024)."""
