"""Statistics of matches: Elo estimates and charts."""
