"""Backups: a copy of an SQLite file while the server runs, and back again; PostgreSQL has tools of its own."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.engine import URL

from ...atomic_file import atomic_write
from ...errors import RopewalkError
from ...text import ellipsis
from .database import Database, format_url
from .tables import database_metadata

PAGES_PER_STEP = 1000  # copied before others get a turn
WAIT_SECONDS = 30.0
TABLES = {"users", "matches", "match_events", "metadata", "alembic_version"}


class BackupError(RopewalkError):
    """A backup that cannot be made or restored."""


def back_up(url: URL, target: Path) -> None:
    """Copy a database into a file that is there whole or not at all; the server may run meanwhile."""
    if url.get_backend_name() != "sqlite":
        run_postgres("pg_dump", url, "--format=custom", f"--file={target}")
        return
    source = require_file(Path(url.database or ""))
    try:
        with atomic_write(target) as beside:
            copy(source, beside)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"cannot back up {source} into {target}: {error}") from None


def restore(url: URL, source: Path) -> None:
    """Put a backup in the place of a database; a server that runs notices, and shows everybody what is there now."""
    require_file(source)
    if url.get_backend_name() != "sqlite":
        how = ("--clean", "--if-exists", "--single-transaction", "--no-owner")
        run_postgres("pg_restore", url, *how, f"--dbname={libpq_url(url)}", str(source))
        asyncio.run(renew_epoch(url))
        return
    require_backup(source)
    try:
        copy(source, Path(url.database or ""), with_new_epoch=True)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"cannot restore {source} into {format_url(url)}: {error}") from None


def copy(source: Path, target: Path, *, with_new_epoch: bool = False) -> None:
    """SQLite's own copy, consistent while others write; `with_new_epoch` tells servers that what they knew is gone."""
    with (
        closing(sqlite3.connect(source, timeout=WAIT_SECONDS)) as from_here,
        closing(sqlite3.connect(target, timeout=WAIT_SECONDS)) as to_there,
    ):
        if with_new_epoch:
            with closing(sqlite3.connect(":memory:")) as changed:
                from_here.backup(changed)
                changed.execute("UPDATE metadata SET value = ? WHERE name = 'epoch'", (secrets.token_hex(8),))
                changed.commit()
                changed.backup(to_there)
        else:
            from_here.backup(to_there, pages=PAGES_PER_STEP)


def open_file(path: Path) -> sqlite3.Connection:
    """A connection to a file that others may be using."""
    return sqlite3.connect(path, timeout=WAIT_SECONDS)


async def renew_epoch(url: URL) -> None:
    """Tell servers on a PostgreSQL that what they knew is gone."""
    database = Database(url)
    try:
        async with database.write_transaction() as connection:
            is_epoch = database_metadata.c.name == "epoch"
            await connection.execute(update(database_metadata).where(is_epoch).values(value=secrets.token_hex(8)))
    finally:
        await database.close()


def require_file(path: Path) -> Path:
    """Refuse a file that is not there."""
    if not path.is_file():
        raise BackupError(f"there is no file {ellipsis(str(path))}")
    return path


def require_backup(path: Path) -> None:
    """Refuse a file that is no database of ours, or a damaged one."""
    try:
        with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True)) as database:
            found = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            sound = database.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.Error as error:
        raise BackupError(f"{ellipsis(str(path))} is no backup: {error}") from None
    if not found >= TABLES or not sound:
        raise BackupError(f"{ellipsis(str(path))} is no backup of a Ropewalk server")


def libpq_url(url: URL) -> str:
    """A URL that PostgreSQL's own programs understand; the password goes another way."""
    return url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def run_postgres(program: str, url: URL, *words: str) -> None:
    """Run one of PostgreSQL's programs."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"PostgreSQL is backed up and restored by its own {program}, which is not installed here")
    where = [libpq_url(url)] if program == "pg_dump" else []
    password = {} if url.password is None else {"PGPASSWORD": str(url.password)}
    done = subprocess.run([found, *words, *where], capture_output=True, text=True, env=os.environ | password, check=False)
    if done.returncode:
        raise BackupError(f"{program} failed: {(done.stderr.strip().splitlines() or ['without a word'])[-1]}")
