"""Matches in memory: loading, changing and publishing them, and synchronisation with other servers."""
