"""Exact values: solvers, the proof files they leave, and a checker that trusts neither."""
