"""Baseline migration: creates the tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "baseline"
down_revision = None


def upgrade() -> None:
    """Create all tables of the first release."""
    create_users()
    create_matches()
    create_ratings()
    op.create_table(
        "counters", sa.Column("name", sa.String(20), primary_key=True), sa.Column("value", sa.Integer, nullable=False)
    )
    op.create_table(
        "metadata", sa.Column("name", sa.String(20), primary_key=True), sa.Column("value", sa.String(80), nullable=False)
    )


def create_users() -> None:
    """Create the tables of users."""
    op.create_table(
        "users",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_normalised", sa.String(80), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("level", sa.Integer, nullable=True),
        sa.Column("owner_id", sa.String(24), nullable=True),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("muted", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "muted"),
    )


def create_matches() -> None:
    """Create the tables of matches and of the lobby."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("spec", sa.String(200), nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("is_rated", sa.Boolean, nullable=False),
        sa.Column("initial_position", sa.Text, nullable=True),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("created_by", sa.String(24), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seat0_user_id", sa.String(24), nullable=True),
        sa.Column("seat1_user_id", sa.String(24), nullable=True),
        sa.Column("reserved_for", sa.String(24), nullable=True),
        sa.Column("invitation_hash", sa.String(64), nullable=True),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("to_move_user_id", sa.String(24), nullable=True),
        sa.Column("move_deadline_ms", sa.BigInteger, nullable=True),
        sa.Column("winner_seat", sa.Integer, nullable=True),
        sa.Column("end_reason", sa.String(80), nullable=True),
        sa.Column("ended_at", sa.BigInteger, nullable=True),
        sa.Column("rematch_of", sa.String(24), nullable=True),
    )
    op.create_index("ix_matches_invitation_hash", "matches", ["invitation_hash"])
    op.create_index("ix_matches_seat0_user_id", "matches", ["seat0_user_id"])
    op.create_index("ix_matches_seat1_user_id", "matches", ["seat1_user_id"])
    op.create_index("matches_by_deadline", "matches", ["status", "move_deadline_ms"])
    op.create_index("matches_by_time", "matches", ["status", "created_at"])
    op.create_table(
        "match_events",
        sa.Column("match_id", sa.String(24), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("timestamp_ms", sa.BigInteger, nullable=False),
        sa.Column("type", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("user_id", sa.String(24), nullable=True),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("request_id", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("match_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lobby_events",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("timestamp_ms", sa.BigInteger, nullable=False),
        sa.Column("type", sa.String(24), nullable=False),
        sa.Column("match_id", sa.String(24), nullable=False),
    )
    op.create_table(
        "conditional_moves",
        sa.Column("match_id", sa.String(24), nullable=False),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("position_version", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id"),
    )


def create_ratings() -> None:
    """Create the tables of ratings and results."""
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("pool", sa.String(8), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "pool"),
    )
    op.create_table(
        "rating_changes",
        sa.Column("match_id", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("pool", sa.String(8), nullable=False),
        sa.Column("rating_before", sa.Float, nullable=False),
        sa.Column("rating_after", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("timestamp_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index("ix_rating_changes_user_id", "rating_changes", ["user_id"])
    op.create_table(
        "pending_ratings",
        sa.Column("match_id", sa.String(24), primary_key=True),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "result_counts",
        sa.Column("spec", sa.String(200), primary_key=True),
        sa.Column("first_wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("second_wins", sa.Integer, nullable=False),
    )
