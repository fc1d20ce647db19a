"""The command line: show, play, analyse, solve, train and serve the games."""
