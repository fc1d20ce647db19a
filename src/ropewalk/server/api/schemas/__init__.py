"""Messages and models of the HTTP and WebSocket interface, with one builder each."""
