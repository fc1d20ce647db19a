"""Migration of accounts and privacy: private matches with a key for spectators, details of sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "accounts"
down_revision = "baseline"


def upgrade() -> None:
    """Add what the tables of the first release lack."""
    add_visibility()
    add_session_details()


def add_visibility() -> None:
    """Add the visibility of matches: those of the open lobby stay public, all others become private."""
    with op.batch_alter_table("matches") as table:
        table.add_column(sa.Column("is_public", sa.Boolean, nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("spectator_key", sa.String(64), nullable=True))
    op.execute("UPDATE matches SET is_public = true WHERE origin = 'open'")
    with op.batch_alter_table("matches") as table:
        table.alter_column("is_public", server_default=None)


def add_session_details() -> None:
    """Add when sessions were last used, and by which client."""
    with op.batch_alter_table("sessions") as table:
        table.add_column(sa.Column("last_used_at", sa.BigInteger, nullable=True))
        table.add_column(sa.Column("client", sa.String(40), nullable=True))
    op.execute("UPDATE sessions SET last_used_at = created_at")
    with op.batch_alter_table("sessions") as table:
        table.alter_column("last_used_at", existing_type=sa.BigInteger, nullable=False)
