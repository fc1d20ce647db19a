"""Whose turn it is changes with every move: an index of it costs more than it finds."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Matches that wait for a bot are found by its seats."""
    op.drop_index("matches_by_turn", "matches")
