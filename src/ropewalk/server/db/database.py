"""Connections to the database, an SQLite file or PostgreSQL, and the translation of its errors."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ...errors import RopewalkError
from ...text import ellipsis
from ..errors import ApiError

Result = TypeVar("Result")
MAX_READERS = 4  # connections of the pool for reading; with PostgreSQL it is used for writing too
DEFAULT_TIMEOUT_SECONDS = 5.0  # for a connection, a statement, another writer of an SQLite file
POOL_FACTOR = 2  # a burst of requests waits longer for a connection than a statement may take
PASSWORD_MASK = re.compile(r"://([^:/@]*):[^@]*@")
CONNECTION_ERRORS = (SQLAlchemyError, OSError)
PG_TIMEOUT_STATES = ("57014", "55P03")  # a statement or a lock took too long


class DatabaseError(RopewalkError):
    """The database cannot be used."""


def parse_url(text: str) -> URL:
    """Return the URL of a database, with its driver. `text` is a URL or the path of an SQLite file.

    Raises:
        DatabaseError: The text is not the URL of an SQLite file or a PostgreSQL database.
    """
    try:
        url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
    except ArgumentError:
        raise DatabaseError(
            f"invalid database URL {ellipsis(text)}; expected a URL such as postgresql://user@host/name"
        ) from None
    kind = url.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise DatabaseError(f"unsupported database {ellipsis(kind)}; use an SQLite file or postgresql://...")
    if kind == "sqlite" and not url.database:
        raise DatabaseError("an SQLite database needs a file name, such as ropewalk.db")
    return url.set(drivername="sqlite+aiosqlite" if kind == "sqlite" else "postgresql+asyncpg")


def format_url(url: URL) -> str:
    """Return a URL for messages as operators write it, without its password."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


class Database:
    """Connections for reading and writing. An SQLite file has one writer, which takes the lock when it begins.

    Connecting and every statement take at most `timeout_seconds` each, the wait for a free connection POOL_FACTOR times as
    long; None: no limit.
    """

    def __init__(self, url: URL, timeout_seconds: float | None = DEFAULT_TIMEOUT_SECONDS) -> None:
        self.url = url
        self.timeout_seconds = timeout_seconds
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.thread = ThreadPoolExecutor(1, "ropewalk-writer")
        self.reader_threads = ThreadPoolExecutor(MAX_READERS, "ropewalk-reader")
        self.sync_writer: Engine | None = None
        self.sync_reader: Engine | None = None
        self.on_close: list[Callable[[], None]] = []  # close connections that were opened without this class
        if self.is_sqlite:
            seconds = timeout_seconds or DEFAULT_TIMEOUT_SECONDS
            self.reader = create_sqlite_engine(url, "BEGIN", MAX_READERS, seconds)
            self.writer = create_sqlite_engine(url, "BEGIN IMMEDIATE", 1, seconds)
            self.snapshot_reader = self.reader
            self.sync_reader = create_sync_sqlite_engine(url, "BEGIN", MAX_READERS, seconds)
            self.sync_writer = create_sync_sqlite_engine(url, "BEGIN IMMEDIATE", 1, seconds)
        else:
            self.writer = self.create_postgres_engine()
            self.reader = self.writer.execution_options(isolation_level="AUTOCOMMIT")  # the same pool, without BEGIN
            self.snapshot_reader = self.writer.execution_options(isolation_level="REPEATABLE READ")

    def create_postgres_engine(self) -> AsyncEngine:
        """Return an engine for a PostgreSQL database."""
        from .postgres_connection import build_connect_arguments, check_before_use, invalidate_after_timeouts

        engine = create_async_engine(
            self.url,
            pool_size=MAX_READERS,
            max_overflow=MAX_READERS,
            pool_timeout=POOL_FACTOR * (self.timeout_seconds or DEFAULT_TIMEOUT_SECONDS),
            connect_args=build_connect_arguments(self.timeout_seconds),
        )
        invalidate_after_timeouts(engine.sync_engine)
        check_before_use(engine.sync_engine)
        return engine

    def translate_error(self, error: Exception) -> ApiError:
        """Return the error for clients."""
        return translate_db_error(error, self.timeout_seconds)

    @asynccontextmanager
    async def read_connection(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for reading. Raises ApiError `storage` if the database fails.

        With PostgreSQL every statement is a transaction of its own.
        """
        try:
            async with self.reader.begin() as connection:
                yield connection
        except CONNECTION_ERRORS as error:
            raise self.translate_error(error) from error

    @asynccontextmanager
    async def write_transaction(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in a transaction, which is durable after the block; an exception rolls it back."""
        try:
            async with self.writer.begin() as connection:
                yield connection
        except CONNECTION_ERRORS as error:
            raise self.translate_error(error) from error

    async def run_transaction(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction and return its result; its statements do not return to the event loop in between."""
        return await self.run_work(self.thread, self.sync_writer, self.writer, work)

    async def run_read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work`, which only reads, and return its result. All its statements see one state of the database.

        With SQLite, this costs one change of threads in all; `read_connection` costs several for each statement.
        """
        return await self.run_work(self.reader_threads, self.sync_reader, self.snapshot_reader, work)

    async def run_work(
        self,
        threads: ThreadPoolExecutor,
        sync_engine: Engine | None,
        engine: AsyncEngine,
        work: Callable[[Connection], Result],
    ) -> Result:
        """Return the result of `work` in a transaction: in a thread with SQLite, else on a connection of `engine`."""
        try:
            if sync_engine is not None:
                return await asyncio.get_running_loop().run_in_executor(threads, run_in_transaction, sync_engine, work)
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        except CONNECTION_ERRORS as error:
            raise self.translate_error(error) from error

    def open_sqlite_connection(self) -> sqlite3.Connection:
        """Return a new driver connection to the SQLite file, configured, which the caller has to close."""
        assert self.sync_writer is not None
        pooled = self.sync_writer.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()
        assert isinstance(connection, sqlite3.Connection)
        return connection

    def connection_arguments(self) -> dict[str, Any]:
        """Return the arguments of `asyncpg.connect` for a PostgreSQL database."""
        from .postgres_connection import build_connect_arguments

        _, arguments = self.reader.dialect.create_connect_args(self.url)
        return dict(arguments) | build_connect_arguments(self.timeout_seconds)

    async def close(self) -> None:
        """Close all connections, and stop the threads."""
        for close in self.on_close:
            close()
        if self.sync_writer is not None and self.sync_reader is not None:
            await asyncio.get_running_loop().run_in_executor(self.thread, self.sync_writer.dispose)
            await asyncio.get_running_loop().run_in_executor(self.reader_threads, self.sync_reader.dispose)
        self.thread.shutdown()
        self.reader_threads.shutdown()
        await self.writer.dispose()
        await self.reader.dispose()


def run_in_transaction(engine: Engine, work: Callable[[Connection], Result]) -> Result:
    """Return the result of `work` in a transaction; runs in a thread of the database."""
    with engine.begin() as connection:
        return work(connection)


def create_sqlite_engine(url: URL, begin: str, size: int, timeout_seconds: float) -> AsyncEngine:
    """Return an engine for an SQLite file, whose transactions start with the statement `begin`."""
    engine = create_async_engine(url, pool_size=size, max_overflow=0, pool_timeout=POOL_FACTOR * timeout_seconds)
    configure_sqlite(engine.sync_engine, begin, timeout_seconds)
    return engine


def create_sync_sqlite_engine(url: URL, begin: str, size: int, timeout_seconds: float) -> Engine:
    """Return an engine for an SQLite file whose connections are used in threads."""
    arguments = {"check_same_thread": False}
    engine = create_engine(url.set(drivername="sqlite"), pool_size=size, max_overflow=0, connect_args=arguments)
    configure_sqlite(engine, begin, timeout_seconds)
    return engine


def configure_sqlite(engine: Engine, begin: str, timeout_seconds: float) -> None:
    """Make connections of an engine durable, and start its transactions with the statement `begin`."""
    busy_timeout = f"busy_timeout={timeout_seconds * 1000:.0f}"  # while another process writes

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: object) -> None:
        connection.isolation_level = None  # otherwise sqlite3 starts transactions implicitly
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", busy_timeout):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Any) -> None:
        connection.exec_driver_sql(begin)


def translate_db_error(error: Exception, timeout_seconds: float | None = None) -> ApiError:
    """Return the error for clients: the first line of the driver's message, without passwords."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(cause, (TimeoutError, PoolTimeoutError)) or getattr(cause, "sqlstate", None) in PG_TIMEOUT_STATES:
        limit = timeout_seconds or DEFAULT_TIMEOUT_SECONDS
        message = f"the database did not answer within {limit:g} s; repeat the request with the same request_id"
        return ApiError("storage-timeout", message, limit=limit)
    message = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
    message = PASSWORD_MASK.sub(r"://\1@", message.rsplit(">: ", maxsplit=1)[-1])
    return ApiError("storage", f"database unavailable; the request was not applied: {message}")


def require_folder(url: URL) -> None:
    """Raise DatabaseError if the folder of an SQLite file does not exist; SQLite's own message does not say so."""
    is_plain_file = url.get_backend_name() == "sqlite" and "uri" not in url.query
    if is_plain_file and not Path(url.database or "").absolute().parent.is_dir():
        raise DatabaseError(f"the folder of the database does not exist: {Path(url.database or '').absolute().parent}")
