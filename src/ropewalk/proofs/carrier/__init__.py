"""Carrier proofs for the Lariat family: must-play regions, pairing and reflection strategies."""
