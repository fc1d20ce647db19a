"""Proofs by carriers for the Lariat family: must-play regions, pairings, virtual connections."""
