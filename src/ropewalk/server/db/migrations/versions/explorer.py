"""Creates the tables of the opening explorer, and schedules all matches that are over and public."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "explorer"
down_revision = "openings"

SCHEDULE_MATCHES = """
INSERT INTO explorer_pending (match_id, ended_at)
SELECT id, ended_at FROM matches
WHERE status = 'over' AND is_public AND initial_position IS NULL AND end_reason <> 'abandoned'
AND seat0_user_id <> seat1_user_id AND ended_at IS NOT NULL
"""


def upgrade() -> None:
    """Create the tables; a background job counts the scheduled matches."""
    op.create_table(
        "explorer_moves",
        sa.Column("position_key", sa.BigInteger, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("next_key", sa.BigInteger, nullable=False),
        sa.Column("first_wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("second_wins", sa.Integer, nullable=False),
        sa.Column("last_played_at", sa.BigInteger, nullable=False),
        sa.Column("last_games", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("position_key", "move"),
        sqlite_with_rowid=False,
    )
    op.create_table("explorer_games", sa.Column("id", sa.String(64), primary_key=True))
    op.create_table(
        "explorer_pending",
        sa.Column("match_id", sa.String(24), primary_key=True),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "explorer_values",
        sa.Column("position_key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("is_proven", sa.Boolean, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
    )
    op.execute(SCHEDULE_MATCHES)
