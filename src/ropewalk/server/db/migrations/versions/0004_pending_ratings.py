"""Matches to be rated have a table of their own: finding them reads no other match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table, and find what is to be rated once more in the old way."""
    op.create_table(
        "pending_ratings",
        sa.Column("match_id", sa.String(24), primary_key=True),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    op.execute(
        "INSERT INTO pending_ratings (match_id, ended_at) SELECT id, COALESCE(ended_at, created_at) FROM matches "
        "WHERE status = 'over' AND settings LIKE '%\"rated\": true%' AND reason <> 'abandoned' "
        "AND NOT EXISTS (SELECT 1 FROM rating_changes WHERE rating_changes.match_id = matches.id)"
    )
