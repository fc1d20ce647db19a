"""Strategy proofs for any game: a reply to every move, verified by traversal."""
