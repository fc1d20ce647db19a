"""Creates what operators need: reports, muted and closed accounts, blocks, a log of commands, the announcement."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "moderation"
down_revision = "tournaments"


def upgrade() -> None:
    """Create the tables and columns."""
    op.add_column("users", sa.Column("silenced_at", sa.BigInteger))
    op.add_column("users", sa.Column("closed_at", sa.BigInteger))
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("blocked", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("reporter_id", sa.String(24), nullable=False, index=True),
        sa.Column("user_id", sa.String(24), nullable=False, index=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("match_id", sa.String(24)),
        sa.Column("chat_text", sa.Text),
        sa.Column("closed_at", sa.BigInteger),
    )
    op.create_table(
        "moderation_log",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("timestamp_ms", sa.BigInteger, nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("user_id", sa.String(24)),
    )
    op.create_table(
        "announcements",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
