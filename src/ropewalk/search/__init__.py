"""Search: one forest of flat trees for all games, and alpha-beta where an evaluation is worth more than chance."""
