"""The server: matches that lose nothing, for the page, for bots of others, and for clubs."""
