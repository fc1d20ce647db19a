"""Creates the table of reviews of matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "reviews"
down_revision = "puzzles"


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "match_reviews",
        sa.Column("match_id", sa.String(24), primary_key=True),
        sa.Column("position_version", sa.Integer, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("evaluations", sa.Text, nullable=False),
    )
