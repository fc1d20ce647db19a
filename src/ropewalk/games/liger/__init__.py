"""Liger, by Mark Steere (2009)."""
