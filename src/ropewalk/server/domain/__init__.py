"""The rules of matches without I/O: events, actions, states, clocks, ratings, names."""
