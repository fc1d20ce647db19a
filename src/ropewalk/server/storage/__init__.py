"""What is kept: one SQLite file, or a PostgreSQL database, with the same code."""
