"""The arena: tournaments between bots in pairs of games with swapped seats, and the standings that follow."""
