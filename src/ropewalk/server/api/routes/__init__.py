"""Routes: each parses, calls a service and returns a schema."""
