"""Migration of accounts and privacy: private matches with a key for spectators, details of sessions, reserved names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ropewalk.server.domain.usernames import normalise_name

revision = "accounts"
down_revision = "outages"


def upgrade() -> None:
    """Add what the tables of the first release lack."""
    add_visibility()
    add_session_details()
    reserve_names()
    normalise_names()


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


def reserve_names() -> None:
    """Create the table of the names of erased users."""
    op.create_table(
        "reserved_names",
        sa.Column("name_hash", sa.String(64), primary_key=True),
        sa.Column("reserved_at", sa.BigInteger, nullable=False),
    )


def normalise_names() -> None:
    """Compute the keys of all names by the present rules; of two names that look alike, the older one keeps its key."""
    connection = op.get_bind()
    users = sa.table("users", *(sa.column(name) for name in ("id", "name", "name_normalised", "kind", "created_at")))
    rows = connection.execute(sa.select(users).where(users.c.kind != "deleted").order_by(users.c.created_at)).all()
    taken: set[str] = set()
    keys: dict[str, str] = {}
    for row in rows:
        key = normalise_name(row.name)
        keys[row.id] = f"{key[:50]} {row.id}" if key in taken else key
        taken.add(key)
    for is_final in (False, True):  # in two steps, so that no key is taken by a row that is still to come
        for user_id, key in keys.items():
            value = key if is_final else f"new {user_id}"
            connection.execute(sa.update(users).where(users.c.id == user_id).values(name_normalised=value))
