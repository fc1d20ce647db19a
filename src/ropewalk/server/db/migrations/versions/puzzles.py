"""Creates the tables of attempts at puzzles and of their ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "puzzles"
down_revision = "moderation"


def upgrade() -> None:
    """Create both tables, empty."""
    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.String(24), nullable=False),
        sa.Column("puzzle_id", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("num_mistakes", sa.Integer, nullable=False),
        sa.Column("hint_stage", sa.Integer, nullable=False),
        sa.Column("max_hint_stage", sa.Integer, nullable=False),
        sa.Column("num_attempts", sa.Integer, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("solved_at", sa.BigInteger),
        sa.Column("score", sa.Float),
        sa.Column("rated_at", sa.BigInteger),
        sa.Column("rating_before", sa.Float),
        sa.Column("rating_after", sa.Float),
        sa.PrimaryKeyConstraint("user_id", "puzzle_id"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject_id", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject_id", "game"),
    )
