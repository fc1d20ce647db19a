"""Proofs by strategy: a reply to every move, verified by traversal."""
