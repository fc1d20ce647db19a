"""The arena: bots against each other, in pairs of games with seats exchanged, and what that says of their strength."""
