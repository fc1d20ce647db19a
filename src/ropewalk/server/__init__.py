"""The server: event-sourced matches over HTTP and WebSocket, for the page, external bots and clubs."""
