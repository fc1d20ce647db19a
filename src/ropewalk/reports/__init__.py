"""Reports about games: figures from reproducible runs of bots, as JSON and as a page of HTML."""
