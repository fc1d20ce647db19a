"""Bulk appenders: plain moves of many matches are stored in one transaction, by the database driver without SQLAlchemy.

Nearly all events are plain moves, which change only the user to move and the deadline in the row of their match. An event
is stored only if the one before it is, or the match for the first one, so that logs have no gaps. An appender returns the
keys that were stored. If it returns none, the event store tries again with separate statements.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .append_request import CHANNEL, AppendEvent, EventKey, event_key, event_to_row
from .database import Database

if TYPE_CHECKING:
    from asyncpg import Connection

COLUMNS = ("match_id", "seq", "timestamp_ms", "type", "seat", "user_id", "payload", "request_id")
COLUMN_LIST = ", ".join(COLUMNS)

SQLITE_EPOCH = "SELECT value FROM metadata WHERE name = 'epoch'"
SQLITE_INSERT = f"""
INSERT INTO match_events ({COLUMN_LIST}) SELECT {", ".join(f"?{number + 1}" for number in range(len(COLUMNS)))}
WHERE CASE ?2 WHEN 1 THEN EXISTS (SELECT 1 FROM matches WHERE id = ?1)
  ELSE EXISTS (SELECT 1 FROM match_events WHERE match_id = ?1 AND seq = ?2 - 1) END
ON CONFLICT DO NOTHING"""
SQLITE_UPDATE = "UPDATE matches SET to_move_user_id = ?, move_deadline_ms = ? WHERE id = ?"
POSTGRES_APPEND = f"""
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::bigint[]) AS row ({COLUMN_LIST}, to_move_user_id, move_deadline_ms)
), inserted AS (
  INSERT INTO match_events ({COLUMN_LIST})
  SELECT {COLUMN_LIST} FROM new WHERE $11 = (SELECT value FROM metadata WHERE name = 'epoch')
    AND CASE seq WHEN 1 THEN EXISTS (SELECT FROM matches WHERE matches.id = new.match_id)
        ELSE EXISTS (SELECT FROM match_events AS last WHERE last.match_id = new.match_id AND last.seq = new.seq - 1) END
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
        self.connection: sqlite3.Connection | None = None  # used in the writer's thread only

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """Append events in one transaction. Returns their keys; none if a key is taken or the epoch has changed."""
        try:
            loop = asyncio.get_running_loop()
            stored = await loop.run_in_executor(self.database.thread, self.transact, requests, epoch)
        except sqlite3.Error as error:
            raise self.database.translate_error(error) from error
        return {event_key(request) for request in requests} if stored else set()

    def transact(self, requests: Sequence[AppendEvent], epoch: str) -> bool:
        """Store all events if all keys are free and the epoch is the expected one. Returns whether they were stored."""
        rows = [tuple(event_to_row(request.match_id, request.event).values()) for request in requests]
        updates = [(*index_pair(request), request.match_id) for request in requests]
        if self.connection is None:
            self.connection = self.database.open_sqlite_connection()
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            done = self.connection.execute(SQLITE_EPOCH).fetchone() == (epoch,)
            done = done and self.connection.executemany(SQLITE_INSERT, rows).rowcount == len(rows)
            if done:
                self.connection.executemany(SQLITE_UPDATE, updates)
            self.connection.execute("COMMIT" if done else "ROLLBACK")
        except BaseException:
            if self.connection.in_transaction:
                self.close_connection()
            raise
        return done

    def close_connection(self) -> None:
        """Close the connection, and with it a transaction that failed; the next call opens a new one."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    async def close(self) -> None:
        """Close the connection if it is open."""
        self.close_connection()


class PostgresBulkAppender:
    """Appends plain moves to a PostgreSQL database, those whose keys are free, and notifies the other servers."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """Append events in one statement, which is one transaction and one round trip. Returns the keys that were free."""
        from .postgres_connection import DRIVER_ERRORS

        rows = [(*event_to_row(request.match_id, request.event).values(), *index_pair(request)) for request in requests]
        try:
            await self.connect()
            keys = await self.statement.fetch(*zip(*rows, strict=True), epoch)
        except (OSError, *DRIVER_ERRORS) as error:
            await self.close()
            raise self.database.translate_error(error) from error
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
