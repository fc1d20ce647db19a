"""Bringing a database up to date when a server starts: a new one gets its tables, an old one what it lacks."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from .database import CONNECTION_ERRORS, Database, DatabaseError, format_url, require_folder, translate_db_error
from .tables import facts

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATION_LOCK = 0x726F7065  # servers that start at once on one PostgreSQL take turns


def alembic_config(connection: Connection) -> Config:
    """Alembic's settings: our folder of migrations, a connection that is open."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    return config


async def migrate(database: Database) -> None:
    """Run all migrations that this database has not seen; a DatabaseError says why it cannot be used."""
    require_folder(database.url)
    try:
        async with database.writer.begin() as connection:
            if not database.is_sqlite:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            await connection.run_sync(upgrade)
    except CONNECTION_ERRORS as error:
        raise DatabaseError(f"the database {format_url(database.url)} cannot be used: {translate_db_error(error)}") from None


def upgrade(connection: Connection) -> None:
    """What Alembic does, and a name for this database's past."""
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError as error:
        raise DatabaseError(f"the database was made by a later version of Ropewalk: {error}") from None
    if connection.scalar(select(facts.c.value).where(facts.c.name == "epoch")) is None:
        connection.execute(facts.insert().values(name="epoch", value=secrets.token_hex(8)))
