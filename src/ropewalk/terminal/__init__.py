"""The game in the terminal: a session without input or output, and two front ends, line mode and full screen."""
