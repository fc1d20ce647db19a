"""Matches that are going on: in memory, with everybody who looks at them."""
