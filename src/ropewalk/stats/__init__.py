"""Statistics of matches: Elo estimates, and the parts of the charts that show them."""
