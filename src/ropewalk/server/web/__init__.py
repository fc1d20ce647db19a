"""The server's doors: HTTP, sockets, and the page."""
