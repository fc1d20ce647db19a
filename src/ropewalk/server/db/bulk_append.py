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

from .append_request import CHANNEL, Entry, Key, key_of, row_of
from .database import Database, told

if TYPE_CHECKING:
    from asyncpg import Connection

COLUMNS = ("match_id", "number", "at", "kind", "seat", "user_id", "data", "client_id")
NAMES = ", ".join(COLUMNS)
FAST_SECONDS = 0.002  # a transaction that is not worth a thread: nobody minds waiting so long
PACES = 8  # transactions that count for how fast they are

SQLITE_EPOCH = "SELECT value FROM facts WHERE name = 'epoch'"
SQLITE_INSERT = f"INSERT INTO events ({NAMES}) VALUES ({', '.join('?' * len(COLUMNS))}) ON CONFLICT DO NOTHING"
SQLITE_UPDATE = "UPDATE matches SET to_move = ?, deadline = ? WHERE id = ?"
POSTGRES_WRITE = f"""
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::bigint[]) AS row ({NAMES}, to_move, deadline)
), won AS (
  INSERT INTO events ({NAMES}) SELECT {NAMES} FROM new WHERE $11 = (SELECT value FROM facts WHERE name = 'epoch')
  ON CONFLICT DO NOTHING RETURNING match_id, number
), turned AS (
  UPDATE matches SET to_move = new.to_move, deadline = new.deadline
  FROM new JOIN won USING (match_id, number) WHERE matches.id = new.match_id
)
SELECT match_id, number, (SELECT pg_notify('{CHANNEL}', string_agg(match_id || ' ' || number, ' ')) FROM won) FROM won"""


class SqliteTurns:
    """Writes turns to a file, all of them or none."""

    process = None  # nobody else is told of anything

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connections: dict[bool, sqlite3.Connection] = {}  # by whether it waits when others write
        self.pace = 0.0  # seconds that a transaction takes, of late

    async def write(self, entries: Sequence[Entry], epoch: str) -> set[Key]:
        """One transaction: here if the disk is fast and nobody else writes, else in a thread, which may wait."""
        try:
            done = self.transact_at_once(entries, epoch) if self.pace < FAST_SECONDS else None
            if done is None:
                work = partial(self.transact, entries, epoch, patient=True)
                done = await asyncio.get_running_loop().run_in_executor(self.database.thread, work)
        except sqlite3.Error as error:
            raise told(error) from error
        return {key_of(entry) for entry in entries} if done else set()

    def transact_at_once(self, entries: Sequence[Entry], epoch: str) -> bool | None:
        """As `transact` has it, but None when somebody else is writing: they may need this very thread to get done."""
        try:
            return self.transact(entries, epoch, patient=False)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the rest says what kind of busy
                raise
            return None

    def transact(self, entries: Sequence[Entry], epoch: str, *, patient: bool) -> bool:
        """Whether all rows were new, and the database is the one we know; otherwise nothing is written."""
        began = time.perf_counter()
        rows = [tuple(row_of(entry.match, entry.event).values()) for entry in entries]
        turns = [(entry.row["to_move"], entry.row["deadline"], entry.match) for entry in entries]
        connection = self.connection(patient)
        try:
            connection.execute("BEGIN IMMEDIATE")
            done = connection.execute(SQLITE_EPOCH).fetchone() == (epoch,)
            done = done and connection.executemany(SQLITE_INSERT, rows).rowcount == len(rows)
            if done:
                connection.executemany(SQLITE_UPDATE, turns)
            connection.execute("COMMIT" if done else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                self.give_up(patient)
            raise
        self.pace += (time.perf_counter() - began - self.pace) / PACES
        return done

    def connection(self, patient: bool) -> sqlite3.Connection:
        """A connection that is kept."""
        if patient not in self.connections:
            self.connections[patient] = self.database.file_connection()
            if not patient:
                self.connections[patient].execute("PRAGMA busy_timeout = 0")
        return self.connections[patient]

    def give_up(self, patient: bool) -> None:
        """After a failure nothing of the transaction may stay: the next one gets a new connection."""
        self.connections.pop(patient).close()

    async def close(self) -> None:
        """Give the connections back."""
        for patient in tuple(self.connections):
            self.give_up(patient)


class PostgresTurns:
    """Writes turns to a PostgreSQL, those whose keys are free, and tells the other servers; a statement is a transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def write(self, entries: Sequence[Entry], epoch: str) -> set[Key]:
        """One statement, one way to and fro."""
        import asyncpg

        rows = [
            (*row_of(entry.match, entry.event).values(), entry.row["to_move"], entry.row["deadline"]) for entry in entries
        ]
        try:
            await self.connect()
            found = await self.statement.fetch(*zip(*rows, strict=True), epoch)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            await self.close()
            raise told(error) from error
        return {(match, number) for match, number, _ in found}

    @property
    def process(self) -> int | None:
        """The number of the process at the other end: what it tells the servers is no news to us."""
        return None if self.connection is None or self.connection.is_closed() else self.connection.get_server_pid()

    async def connect(self) -> None:
        """A connection of our own, made anew when the last one was lost."""
        import asyncpg

        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(**self.database.address())
            self.statement = await self.connection.prepare(POSTGRES_WRITE)

    async def close(self) -> None:
        """Give the connection back, whatever its state."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None
