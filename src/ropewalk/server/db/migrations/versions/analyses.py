"""Creates the table of saved analyses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "analyses"
down_revision = "explorer"


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("user_id", sa.String(24), nullable=False, index=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("spec", sa.String(200), nullable=False),
        sa.Column("num_moves", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("tree", sa.Text, nullable=False),
    )
