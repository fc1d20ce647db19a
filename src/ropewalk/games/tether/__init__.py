"""Tether, by Mark Steere (2009)."""
