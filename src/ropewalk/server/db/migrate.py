"""Migration of the database when a server starts: creates all tables, or upgrades those of an earlier version."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from .append_request import LOBBY
from .database import CONNECTION_ERRORS, Database, DatabaseError, format_url, require_folder, translate_db_error
from .tables import SELECT_DEVICE_SECRET, SELECT_VAPID_KEY, counters, database_metadata

if TYPE_CHECKING:
    from alembic.config import Config

PRE_RELEASE_REVISIONS = {"0001", "0002", "0003", "0004", "0005"}
PRE_RELEASE_MESSAGE = (
    "the database was made by a version before the first release and cannot be upgraded: export its matches with that "
    "version (GET /api/matches/ID/sgf), then use a new database and import them"
)
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # keys are less than this
MIGRATION_LOCK = 0x726F7065  # of PostgreSQL: servers that start at the same time migrate one after the other


def alembic_config(connection: Connection) -> Config:
    """Return the configuration of Alembic for an open connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    return config


async def migrate(database: Database) -> None:
    """Run the migrations that the database lacks.

    Raises:
        DatabaseError: The database cannot be used.
    """
    require_folder(database.url)
    try:
        async with database.writer.begin() as connection:
            if not database.is_sqlite:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            await connection.run_sync(upgrade)
    except CONNECTION_ERRORS as error:
        raise DatabaseError(f"cannot use the database {format_url(database.url)}: {translate_db_error(error)}") from None


def upgrade(connection: Connection) -> None:
    """Run Alembic, then set the epoch and the counters of a new database."""
    from alembic import command
    from alembic.runtime.migration import MigrationContext
    from alembic.util import CommandError

    if MigrationContext.configure(connection).get_current_revision() in PRE_RELEASE_REVISIONS:
        raise DatabaseError(PRE_RELEASE_MESSAGE)
    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError as error:
        raise DatabaseError(f"the database was created by a newer version of Ropewalk: {error}") from None
    if connection.scalar(SELECT_DEVICE_SECRET) is None:
        connection.execute(database_metadata.insert().values(name="device_secret", value=secrets.token_hex(32)))
    if connection.scalar(SELECT_VAPID_KEY) is None:
        key = 1 + secrets.randbelow(P256_ORDER - 1)
        connection.execute(database_metadata.insert().values(name="vapid_key", value=f"{key:064x}"))
    if connection.scalar(select(database_metadata.c.value).where(database_metadata.c.name == "epoch")) is None:
        connection.execute(database_metadata.insert().values(name="epoch", value=secrets.token_hex(8)))
        connection.execute(counters.insert().values(name=LOBBY, value=0))
