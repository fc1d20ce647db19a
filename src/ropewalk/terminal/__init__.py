"""The game in the terminal: one session that knows no screen, and two ways to sit at it, by lines and by keys."""
