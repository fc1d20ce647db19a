"""Bots: levels of strength through one interface, and the arena that measures them."""
