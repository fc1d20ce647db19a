"""laoCoon, by Alain Couchot and Bernard Klein (1997)."""
