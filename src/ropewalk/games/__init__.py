"""Games: declarations (`GameSpec`), specs, positions, notation, and one package for each game."""
