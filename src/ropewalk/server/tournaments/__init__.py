"""Tournaments: their organisation by users, and the server that pairs rounds and creates their matches."""
