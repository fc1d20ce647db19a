"""Creates the tables of notifications: push subscriptions, e-mail addresses, and the turns that users are told about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "notifications"
down_revision = "reviews"


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "push_subscriptions",
        sa.Column("session_id", sa.String(24), primary_key=True),
        sa.Column("user_id", sa.String(24), nullable=False, index=True),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("endpoint_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "email_addresses",
        sa.Column("user_id", sa.String(24), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("requested_at", sa.BigInteger, nullable=False),
        sa.Column("confirmed_at", sa.BigInteger),
    )
    op.create_table(
        "turn_notices",
        sa.Column("match_id", sa.String(24), primary_key=True),
        sa.Column("user_id", sa.String(24), nullable=False, index=True),
        sa.Column("turn_seq", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("turn_notices_by_time", "turn_notices", ["due_at"])
