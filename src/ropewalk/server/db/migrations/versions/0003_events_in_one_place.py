"""A log's numbers alone keep its events apart: who writes the next one knows all before it, with their clients' ids."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
NAMES = "match_id, number, at, kind, seat, user_id, data, client_id"


def upgrade() -> None:
    """Drop the second key; in SQLite, rows move into the index of the first."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("events_once", "events")
        return
    op.execute(
        "CREATE TABLE new_events (match_id VARCHAR(24) NOT NULL, number INTEGER NOT NULL, at BIGINT NOT NULL, "
        "kind VARCHAR(20) NOT NULL, seat INTEGER, user_id VARCHAR(24), data TEXT NOT NULL, client_id VARCHAR(64), "
        "PRIMARY KEY (match_id, number)) WITHOUT ROWID"
    )
    op.execute(f"INSERT INTO new_events ({NAMES}) SELECT {NAMES} FROM events ORDER BY match_id, number")
    op.drop_table("events")
    op.rename_table("new_events", "events")
