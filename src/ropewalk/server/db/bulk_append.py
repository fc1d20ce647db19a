"""Turns of many matches in one statement, by the driver itself: nearly all that a ledger ever writes.

A turn changes nothing in its match's row but whose turn it is and when the flag falls. Every writer here answers with the
keys that are now written; an empty answer means that nothing was, and that the ledger has to find out why.
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
MAX_IN_LOOP_SECONDS = 0.002  # a transaction that is not worth a thread: nobody minds waiting so long
DURATION_SAMPLES = 8  # transactions that count for how fast they are

SQLITE_EPOCH = "SELECT value FROM metadata WHERE name = 'epoch'"
SQLITE_INSERT = f"INSERT INTO match_events ({COLUMN_LIST}) VALUES ({', '.join('?' * len(COLUMNS))}) ON CONFLICT DO NOTHING"
SQLITE_UPDATE = "UPDATE matches SET to_move_user_id = ?, move_deadline_ms = ? WHERE id = ?"
POSTGRES_APPEND = f"""
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::bigint[]) AS row ({COLUMN_LIST}, to_move_user_id, move_deadline_ms)
), won AS (
  INSERT INTO match_events ({COLUMN_LIST})
  SELECT {COLUMN_LIST} FROM new WHERE $11 = (SELECT value FROM metadata WHERE name = 'epoch')
  ON CONFLICT DO NOTHING RETURNING match_id, seq
), turned AS (
  UPDATE matches SET to_move_user_id = new.to_move_user_id, move_deadline_ms = new.move_deadline_ms
  FROM new JOIN won USING (match_id, seq) WHERE matches.id = new.match_id
)
SELECT match_id, seq, (SELECT pg_notify('{CHANNEL}', string_agg(match_id || ' ' || seq, ' ')) FROM won) FROM won"""


class SqliteBulkAppender:
    """Writes turns to a file, all of them or none."""

    backend_pid = None  # nobody else is told of anything

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connections: dict[bool, sqlite3.Connection] = {}  # by whether it waits when others write
        self.mean_seconds = 0.0  # seconds that a transaction takes, of late

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """One transaction: here if the disk is fast and nobody else writes, else in a thread, which may wait."""
        try:
            done = self.try_transact(requests, epoch) if self.mean_seconds < MAX_IN_LOOP_SECONDS else None
            if done is None:
                work = partial(self.transact, requests, epoch, wait=True)
                done = await asyncio.get_running_loop().run_in_executor(self.database.thread, work)
        except sqlite3.Error as error:
            raise translate_db_error(error) from error
        return {event_key(request) for request in requests} if done else set()

    def try_transact(self, requests: Sequence[AppendEvent], epoch: str) -> bool | None:
        """As `transact` has it, but None when somebody else is writing: they may need this very thread to get done."""
        try:
            return self.transact(requests, epoch, wait=False)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the rest says what kind of busy
                raise
            return None

    def transact(self, requests: Sequence[AppendEvent], epoch: str, *, wait: bool) -> bool:
        """Whether all rows were new, and the database is the one we know; otherwise nothing is written."""
        began = time.perf_counter()
        rows = [tuple(event_to_row(request.match_id, request.event).values()) for request in requests]
        turns = [(*index_pair(request), request.match_id) for request in requests]
        connection = self.get_connection(wait)
        try:
            connection.execute("BEGIN IMMEDIATE")
            done = connection.execute(SQLITE_EPOCH).fetchone() == (epoch,)
            done = done and connection.executemany(SQLITE_INSERT, rows).rowcount == len(rows)
            if done:
                connection.executemany(SQLITE_UPDATE, turns)
            connection.execute("COMMIT" if done else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                self.discard_connection(wait)
            raise
        self.mean_seconds += (time.perf_counter() - began - self.mean_seconds) / DURATION_SAMPLES
        return done

    def get_connection(self, wait: bool) -> sqlite3.Connection:
        """A connection that is kept."""
        if wait not in self.connections:
            self.connections[wait] = self.database.open_sqlite_connection()
            if not wait:
                self.connections[wait].execute("PRAGMA busy_timeout = 0")
        return self.connections[wait]

    def discard_connection(self, wait: bool) -> None:
        """After a failure nothing of the transaction may stay: the next one gets a new connection."""
        self.connections.pop(wait).close()

    async def close(self) -> None:
        """Give the connections back."""
        for patient in tuple(self.connections):
            self.discard_connection(patient)


class PostgresBulkAppender:
    """Writes turns to a PostgreSQL, those whose keys are free, and tells the other servers; a statement is a transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def append(self, requests: Sequence[AppendEvent], epoch: str) -> set[EventKey]:
        """One statement, one way to and fro."""
        import asyncpg

        rows = [(*event_to_row(request.match_id, request.event).values(), *index_pair(request)) for request in requests]
        try:
            await self.connect()
            found = await self.statement.fetch(*zip(*rows, strict=True), epoch)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            await self.close()
            raise translate_db_error(error) from error
        return {(match_id, number) for match_id, number, _ in found}

    @property
    def backend_pid(self) -> int | None:
        """The number of the process at the other end: what it tells the servers is no news to us."""
        return None if self.connection is None or self.connection.is_closed() else self.connection.get_server_pid()

    async def connect(self) -> None:
        """A connection of our own, made anew when the last one was lost."""
        import asyncpg

        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(**self.database.connection_arguments())
            self.statement = await self.connection.prepare(POSTGRES_APPEND)

    async def close(self) -> None:
        """Give the connection back, whatever its state."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None


def index_pair(request: AppendEvent) -> tuple[Any, Any]:
    """Return the index columns that a plain move changes: the user to move and their deadline."""
    return request.index_values["to_move_user_id"], request.index_values["move_deadline_ms"]
