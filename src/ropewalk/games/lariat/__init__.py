"""Lariat, by Mark Steere (2008)."""
