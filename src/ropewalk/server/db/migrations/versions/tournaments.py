"""Creates the tables of tournaments, names the tournament of a match, and finds challenges by the user they are for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "tournaments"
down_revision = "usage"


def upgrade() -> None:
    """Create the tables and the column."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("created_by", sa.String(24), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("join_key", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("num_players", sa.Integer, nullable=False),
        sa.Column("starts_at", sa.BigInteger),
        sa.Index("tournaments_by_status", "status", "created_at"),
        sa.Index("tournaments_by_organiser", "created_by"),
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String(24), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("timestamp_ms", sa.BigInteger, nullable=False),
        sa.Column("type", sa.String(24), nullable=False),
        sa.Column("user_id", sa.String(24)),
        sa.Column("payload", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "seq"),
    )
    op.add_column("matches", sa.Column("tournament_id", sa.String(24)))
    op.create_index("matches_by_tournament", "matches", ["tournament_id", "status"])
    op.create_index("matches_by_reservation", "matches", ["reserved_for", "status"])
