"""The lock of an SQLite file: one server process at a time, because servers exchange notifications only on PostgreSQL.

The lock is a file beside the database, `NAME-lock`, which contains the process id of the server. The operating system
releases it when the process ends, however it ends, so that the file needs no cleaning up and is never removed.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from sqlalchemy.engine import URL

from .database import DatabaseError, require_folder

LOCK_SUFFIX = "-lock"
LOCK_OFFSET = 1 << 20  # Windows: the locked byte cannot be read by others, so that it lies behind the process id
BUSY_ERRORS = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


def acquire_server_lock(url: URL) -> IO[str] | None:
    """Return the locked file of an SQLite database; the lock is released when it is closed or the process ends.

    Returns None for PostgreSQL, which any number of servers may share, and for a database that is opened read-only.

    Raises:
        DatabaseError: Another process holds the lock, or the file cannot be written.
    """
    if url.get_backend_name() != "sqlite" or url.query.get("mode") in ("ro", "memory"):
        return None
    require_folder(url)
    database = Path(os.path.realpath((url.database or "").removeprefix("file:")))
    path = database.with_name(database.name + LOCK_SUFFIX)
    try:
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - it stays open as long as the server runs
    except OSError as error:
        raise DatabaseError(f"cannot lock the database: {path}: {error.strerror}") from None
    try:
        lock_exclusively(file.fileno())
    except OSError as error:
        holder = read_holder(file)
        file.close()
        if error.errno not in BUSY_ERRORS:
            raise DatabaseError(f"cannot lock the database: {path}: {error.strerror}") from None
        raise DatabaseError(
            f"the database {url.database} is in use by another server, {holder}; "
            "stop it first, or use PostgreSQL to run several servers"
        ) from None
    write_holder(file)
    return file


def lock_exclusively(descriptor: int) -> None:
    """Acquire an exclusive lock without waiting. Raises OSError if another process holds it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def read_holder(file: IO[str]) -> str:
    """Return the description of the process that holds the lock."""
    text = ""
    with suppress(OSError):
        file.seek(0)
        text = file.read(20).strip()
    return f"process {text}" if text.isdecimal() else "whose process id is not known yet"


def write_holder(file: IO[str]) -> None:
    """Store the id of this process in the locked file; a full disk does not prevent the server from reading."""
    with suppress(OSError):
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
