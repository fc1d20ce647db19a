"""Add the tables of heartbeats and outages, by which time without a server is given back to players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "outages"
down_revision = "baseline"


def upgrade() -> None:
    """Create both tables, empty."""
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("alive_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("ended_ms", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
    )
