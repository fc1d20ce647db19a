"""Creates the table of what clients have used up lately."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "usage"
down_revision = "accounts"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "usage",
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("client", sa.String(32), nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "client", "started_at"),
    )
