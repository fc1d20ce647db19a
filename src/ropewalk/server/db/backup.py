"""Backup and restore: by SQLite's backup interface while the server runs, or by `pg_dump` and `pg_restore`."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import URL

from ...atomic_file import atomic_write
from ...errors import RopewalkError
from ...text import ellipsis
from .database import format_url

PAGES_PER_STEP = 1000  # copied before the lock is released for other connections
WAIT_SECONDS = 30.0
MAX_RESTORE_ATTEMPTS = 20
LOG_CHECK = "SELECT match_id FROM match_events GROUP BY match_id HAVING max(seq) <> count(*) LIMIT 1"
POSTGRES_LOG_CHECK = """
DO $$ DECLARE broken text;
BEGIN
  SELECT match_id INTO broken FROM public.match_events GROUP BY match_id HAVING max(seq) <> count(*) LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION 'the log of match % in the backup has a gap', broken; END IF;
END $$;
"""
OWNER_ONLY = 0o600  # mode of a backup: it contains password hashes and private matches
TABLES = {"users", "matches", "match_events", "metadata", "alembic_version"}


class BackupError(RopewalkError):
    """A backup cannot be made or restored."""


def back_up(url: URL, target: Path) -> None:
    """Copy a database, while the server may run, into a file that only its owner can read; it is complete or does not exist.

    Raises:
        BackupError: The database cannot be read, or the file cannot be written.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    if is_sqlite:
        require_file(Path(url.database or ""))
    try:
        with atomic_write(target) as temporary:
            temporary.touch(OWNER_ONLY)
            if is_sqlite:
                copy(Path(url.database or ""), temporary)
            else:
                run_postgres("pg_dump", url, "--format=custom", f"--file={temporary}")
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"cannot back up {format_url(url)} into {target}: {error}") from None


def restore(url: URL, source: Path) -> None:
    """Replace a database by a backup. A running server detects the new epoch and reloads everything.

    Raises:
        BackupError: The file is not a backup, or the database cannot be written.
    """
    require_file(source)
    if url.get_backend_name() != "sqlite":
        restore_postgres(url, source)
        return
    require_backup(source)
    try:
        copy(source, Path(url.database or ""), with_new_epoch=True)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"cannot restore {source} into {format_url(url)}: {error}") from None


def copy(source: Path, target: Path, *, with_new_epoch: bool = False) -> None:
    """Copy an SQLite file consistently while others write; `with_new_epoch` makes running servers reload everything."""
    with (
        closing(sqlite3.connect(source, timeout=WAIT_SECONDS)) as source_connection,
        closing(sqlite3.connect(target, timeout=WAIT_SECONDS)) as target_connection,
    ):
        if with_new_epoch:
            with closing(sqlite3.connect(":memory:")) as buffer:
                source_connection.backup(buffer)
                buffer.execute("UPDATE metadata SET value = ? WHERE name = 'epoch'", (secrets.token_hex(8),))
                buffer.commit()
                buffer.backup(target_connection)
        else:
            source_connection.backup(target_connection, pages=PAGES_PER_STEP)


def restore_postgres(url: URL, source: Path) -> None:
    """Replace a PostgreSQL database by a backup in one transaction, which also sets the new epoch.

    A server can therefore not append events to the restored logs that follow on the ones before.
    """
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "restore.sql")
        run_postgres("pg_restore", url, "--clean", "--if-exists", "--no-owner", f"--file={script}", str(source))
        with script.open("a", encoding="utf-8") as file:
            file.write(f"\nUPDATE public.metadata SET value = '{secrets.token_hex(8)}' WHERE name = 'epoch';\n")
            file.write(POSTGRES_LOG_CHECK)
        options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
        for attempt in range(MAX_RESTORE_ATTEMPTS):
            try:
                run_postgres("psql", url, *options, f"--dbname={libpq_url(url)}", f"--file={script}")
                return
            except BackupError as error:  # a deadlock with a server that writes: the transaction was rolled back
                if "deadlock detected" not in str(error) or attempt == MAX_RESTORE_ATTEMPTS - 1:
                    raise


def require_file(path: Path) -> Path:
    """Return the path of a file. Raises BackupError if the file does not exist."""
    if not path.is_file():
        raise BackupError(f"file {ellipsis(str(path))} not found")
    return path


def require_backup(path: Path) -> None:
    """Raise BackupError if a file is damaged or is not the database of a Ropewalk server."""
    try:
        with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            is_intact = database.execute("PRAGMA quick_check").fetchone() == ("ok",)
            broken = database.execute(LOG_CHECK).fetchone() if tables >= TABLES and is_intact else None
    except sqlite3.Error as error:
        raise BackupError(f"{ellipsis(str(path))} is not a backup: {error}") from None
    if broken is not None:
        raise BackupError(f"the log of match {broken[0]} in {ellipsis(str(path))} has a gap; nothing was restored")
    if not tables >= TABLES or not is_intact:
        raise BackupError(f"{ellipsis(str(path))} is not a backup of a Ropewalk server")


def libpq_url(url: URL) -> str:
    """Return the URL for PostgreSQL's programs, without the password, which is passed in the environment."""
    return url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def run_postgres(program: str, url: URL, *arguments: str) -> None:
    """Run one of PostgreSQL's programs. Raises BackupError if it is not installed or fails."""
    executable = shutil.which(program)
    if executable is None:
        raise BackupError(f"{program} is not installed; it is needed to back up and restore PostgreSQL databases")
    source = [libpq_url(url)] if program == "pg_dump" else []
    password = {} if url.password is None else {"PGPASSWORD": str(url.password)}
    command = [executable, *arguments, *source]
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | password, check=False)
    if result.returncode:
        raise BackupError(f"{program} failed: {find_error_line(result.stderr)}")


def find_error_line(text: str) -> str:
    """Return the first error in the output of one of PostgreSQL's programs, or the last line if none is marked."""
    lines = text.strip().splitlines() or ["no error message"]
    marked = (line.partition("ERROR:") for line in lines)
    return next((message.strip() for _, mark, message in marked if mark), lines[-1])
