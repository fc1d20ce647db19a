"""Worker processes that choose moves and analyse positions."""
