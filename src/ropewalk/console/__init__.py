"""Text output that the command line and the terminal interface share: formatting, positions, analyses."""
