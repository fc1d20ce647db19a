"""Matches in memory: loading, changing, publishing, and what other servers write."""
