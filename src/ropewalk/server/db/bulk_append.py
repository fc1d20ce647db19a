"""Bulk appenders: plain moves of many matches are stored in one transaction, by the database driver without SQLAlchemy.

Nearly all events are plain moves, which change only the user to move and the deadline in the row of their match. An
appender returns the keys that were stored. If it returns none, the event store tries again with separate statements.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from .append_request import CHANNEL, AppendEvent, EventKey, event_key, event_to_row
from .database import Database, translate_db_error

if TYPE_CHECKING:
    from asyncpg import Connection

COLUMNS = ("match_id", "seq", "timestamp_ms", "type", "seat", "user_id", "payload", "request_id")
COLUMN_LIST = ", ".join(COLUMNS)
MAX_IN_LOOP_SECONDS = 0.002  # mean duration up to which transactions run in the event loop, without a thread
DURATION_SAMPLES = 8  # weight of the moving average of durations, in transactions

SQLITE_EPOCH = "SELECT value FROM metadata WHERE name = 'epoch'"
SQLITE_INSERT = f"INSERT INTO match_events ({COLUMN_LIST}) VALUES ({', '.join('?' * len(COLUMNS))}) ON CONFLICT DO NOTHING"
SQLITE_UPDATE = "UPDATE matches SET to_move_user_id = ?, move_deadline_ms = ? WHERE id = ?"
POSTGRES_APPEND = f"""
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::bigint[]) AS row ({COLUMN_LIST}, to_move_user_id, move_deadline_ms)
), inserted AS (
  INSERT INTO match_events ({COLUMN_LIST})
  SELECT {COLUMN_LIST} FROM new WHERE $11 = (SELECT value FROM metadata WHERE name = 'epoch')
  ON CONFLICT DO NOTHING RETURNING match_id, seq
), updated AS (
  UPDATE matches SET to_move_user_id = new.to_move_user_id, move_deadline_ms = new.move_deadline_ms
  FROM new JOIN inserted USING (match_id, seq) WHERE matches.id = new.match_id
)
SELECT match_id, seq, (SELECT pg_notify('{CHANNEL}', string_agg(match_id || ' ' || seq, ' ')) FROM inserted) FROM inserted"""


class SqliteBulkAppender:
    """Appends plain moves to an SQLite file, all of a batch or none."""

    backend_pid = None  # no notifications: an SQLite file has one server

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connections: dict[bool, sqlite3.Connection] = {}  # key: whether it waits for other writers
        self.mean_seconds = 0.0  # moving average of the duration of a transaction

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """Append events in one transaction. Returns their keys; none if a key is taken or the epoch has changed.

        The transaction runs in the event loop if transactions are short and the file is not locked, else in a thread.
        """
        try:
            stored = self.try_transact(requests, epoch) if self.mean_seconds < MAX_IN_LOOP_SECONDS else None
            if stored is None:
                work = partial(self.transact, requests, epoch, wait=True)
                stored = await asyncio.get_running_loop().run_in_executor(self.database.thread, work)
        except sqlite3.Error as error:
            raise translate_db_error(error) from error
        return {event_key(request) for request in requests} if stored else set()

    def try_transact(self, requests: Sequence[AppendEvent], epoch: str) -> bool | None:
        """Return the result of `transact`, or None at once if the file is locked.

        Waiting here could be a deadlock, because the writer that has the lock may need the event loop to finish.
        """
        try:
            return self.transact(requests, epoch, wait=False)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the upper bits are the extended code
                raise
            return None

    def transact(self, requests: Sequence[AppendEvent], epoch: str, *, wait: bool) -> bool:
        """Store all events if all keys are free and the epoch is the expected one. Returns whether they were stored."""
        started = time.perf_counter()
        rows = [tuple(event_to_row(request.match_id, request.event).values()) for request in requests]
        updates = [(*index_pair(request), request.match_id) for request in requests]
        connection = self.get_connection(wait)
        try:
            connection.execute("BEGIN IMMEDIATE")
            done = connection.execute(SQLITE_EPOCH).fetchone() == (epoch,)
            done = done and connection.executemany(SQLITE_INSERT, rows).rowcount == len(rows)
            if done:
                connection.executemany(SQLITE_UPDATE, updates)
            connection.execute("COMMIT" if done else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                self.discard_connection(wait)
            raise
        self.mean_seconds += (time.perf_counter() - started - self.mean_seconds) / DURATION_SAMPLES
        return done

    def get_connection(self, wait: bool) -> sqlite3.Connection:
        """Return the open connection, which is created on first use."""
        if wait not in self.connections:
            self.connections[wait] = self.database.open_sqlite_connection()
            if not wait:
                self.connections[wait].execute("PRAGMA busy_timeout = 0")
        return self.connections[wait]

    def discard_connection(self, wait: bool) -> None:
        """Close a connection, and with it a transaction that failed; the next call gets a new connection."""
        self.connections.pop(wait).close()

    async def close(self) -> None:
        """Close all open connections."""
        for wait in tuple(self.connections):
            self.discard_connection(wait)


class PostgresBulkAppender:
    """Appends plain moves to a PostgreSQL database, those whose keys are free, and notifies the other servers."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """Append events in one statement, which is one transaction and one round trip. Returns the keys that were free."""
        import asyncpg

        rows = [(*event_to_row(request.match_id, request.event).values(), *index_pair(request)) for request in requests]
        try:
            await self.connect()
            keys = await self.statement.fetch(*zip(*rows, strict=True), epoch)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            await self.close()
            raise translate_db_error(error) from error
        return {(match_id, seq) for match_id, seq, _ in keys}

    @property
    def backend_pid(self) -> int | None:
        """The process id of the database's backend, by which this server recognises its own notifications."""
        return None if self.connection is None or self.connection.is_closed() else self.connection.get_server_pid()

    async def connect(self) -> None:
        """Connect and prepare the statement, unless a connection is open."""
        import asyncpg

        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(**self.database.connection_arguments())
            self.statement = await self.connection.prepare(POSTGRES_APPEND)

    async def close(self) -> None:
        """Terminate the connection, which may be in any state."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None


def index_pair(request: AppendEvent) -> tuple[Any, Any]:
    """Return the index columns that a plain move changes: the user to move and their deadline."""
    return request.index_values["to_move_user_id"], request.index_values["move_deadline_ms"]
