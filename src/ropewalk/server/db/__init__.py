"""The database: tables, migrations, the event store and repositories."""
