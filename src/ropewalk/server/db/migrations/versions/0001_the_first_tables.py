"""The first tables: people, sessions, matches, events, ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make everything that the first release has."""
    people()
    games()
    ratings()
    op.create_table("facts", text("name", 20, primary_key=True), text("value", 80))


def text(name: str, length: int, *, nullable: bool = False, primary_key: bool = False) -> sa.Column[str]:
    """A column of short texts."""
    return sa.Column(name, sa.String(length), nullable=nullable, primary_key=primary_key)


def whole(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """A column of whole numbers."""
    return sa.Column(name, sa.Integer, nullable=nullable)


def time(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """A column of times in milliseconds."""
    return sa.Column(name, sa.BigInteger, nullable=nullable)


def number(name: str) -> sa.Column[float]:
    """A column of numbers."""
    return sa.Column(name, sa.Float, nullable=False)


def people() -> None:
    """Users and their sessions, and whom they do not want to hear."""
    op.create_table(
        "users",
        text("id", 24, primary_key=True),
        text("name", 40),
        sa.Column("name_key", sa.String(80), nullable=False, unique=True),
        text("kind", 8),
        whole("level", nullable=True),
        text("owner", 24, nullable=True),
        text("password", 200, nullable=True),
        time("created_at"),
    )
    op.create_table(
        "sessions", text("hash", 64, primary_key=True), text("user_id", 24), time("created_at"), time("expires_at")
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_table("mutes", text("user_id", 24), text("muted", 24), sa.PrimaryKeyConstraint("user_id", "muted"))


def games() -> None:
    """Matches, their events, and plans for them."""
    op.create_table(
        "matches",
        text("id", 24, primary_key=True),
        text("spec", 200),
        sa.Column("settings", sa.Text, nullable=False),
        text("creator", 24),
        time("created_at"),
        text("seat0", 24, nullable=True),
        text("seat1", 24, nullable=True),
        text("invitation", 64, nullable=True),
        sa.Column("is_open", sa.Boolean, nullable=False),
        text("status", 8),
        text("to_move", 24, nullable=True),
        time("deadline", nullable=True),
        whole("winner", nullable=True),
        text("reason", 40, nullable=True),
        time("ended_at", nullable=True),
        text("rematch_of", 24, nullable=True),
    )
    for column in ("seat0", "seat1", "invitation"):
        op.create_index(f"ix_matches_{column}", "matches", [column])
    op.create_index("matches_by_turn", "matches", ["status", "to_move"])
    op.create_index("matches_by_deadline", "matches", ["status", "deadline"])
    op.create_index("matches_by_time", "matches", ["status", "created_at"])
    op.create_table(
        "events",
        text("match_id", 24),
        whole("number"),
        time("at"),
        text("kind", 20),
        whole("seat", nullable=True),
        text("user_id", 24, nullable=True),
        sa.Column("data", sa.Text, nullable=False),
        text("client_id", 64, nullable=True),
        sa.PrimaryKeyConstraint("match_id", "number"),
        sa.UniqueConstraint("match_id", "user_id", "client_id", name="events_once"),
    )
    op.create_table(
        "plans",
        text("match_id", 24),
        text("user_id", 24),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id"),
    )


def ratings() -> None:
    """Ratings as they are, and how they came about."""
    key = (text("game", 40), text("pool", 8))
    op.create_table(
        "ratings",
        text("user_id", 24),
        *key,
        number("rating"),
        number("deviation"),
        number("volatility"),
        whole("games"),
        time("changed_at"),
        sa.PrimaryKeyConstraint("user_id", "game", "pool"),
    )
    op.create_table(
        "rating_changes",
        text("match_id", 24),
        whole("seat"),
        text("user_id", 24),
        text("game", 40),
        text("pool", 8),
        number("before"),
        number("rating"),
        number("deviation"),
        number("score"),
        time("at"),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index("ix_rating_changes_user_id", "rating_changes", ["user_id"])
