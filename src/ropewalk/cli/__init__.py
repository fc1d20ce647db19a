"""The command line: show, play and measure the games. Heavy libraries load with the command that needs them."""
