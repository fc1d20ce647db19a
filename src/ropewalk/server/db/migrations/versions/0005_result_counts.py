"""Results are counted as matches end: statistics read no match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table, and count what has ended so far."""
    op.create_table(
        "result_counts",
        sa.Column("spec", sa.String(200), primary_key=True),
        sa.Column("first_wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("second_wins", sa.Integer, nullable=False),
    )
    op.execute(
        "INSERT INTO result_counts (spec, first_wins, draws, second_wins) "
        "SELECT spec, SUM(CASE WHEN winner = 0 THEN 1 ELSE 0 END), SUM(CASE WHEN winner IS NULL THEN 1 ELSE 0 END), "
        "SUM(CASE WHEN winner = 1 THEN 1 ELSE 0 END) "
        "FROM matches WHERE status = 'over' AND seat0 <> seat1 AND reason <> 'abandoned' GROUP BY spec"
    )
