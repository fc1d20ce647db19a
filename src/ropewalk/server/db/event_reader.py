"""Reads the events of many matches in one query, by the driver of PostgreSQL without SQLAlchemy.

A server reads every move that other servers have stored, and every match whose players connect to it, so that this query is
nearly as frequent as the append of a move.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..domain.events import MatchEvent
from .database import Database

if TYPE_CHECKING:
    from asyncpg import Connection

SELECT_EVENTS = """
SELECT wanted.id, (SELECT value FROM metadata WHERE name = 'epoch'),
       seq, timestamp_ms, type, seat, user_id, payload, request_id
FROM unnest($1::text[], $2::int[]) AS wanted (id, last_seq)
LEFT JOIN match_events ON match_id = id AND seq > last_seq ORDER BY id, seq"""


class StoredLog(NamedTuple):
    """Events of a match as they are stored, and the epoch of the database when they were read.

    Rows have the columns of `match_events` after the match id.
    """

    epoch: str
    rows: list[Sequence[Any]]

    def decode(self, after: int) -> list[MatchEvent]:
        """Return the events after a seq."""
        return [
            MatchEvent(seq, timestamp_ms, event_type, seat, user_id, json.loads(payload), request_id)
            for seq, timestamp_ms, event_type, seat, user_id, payload, request_id in self.rows
            if seq > after
        ]


class PostgresEventReader:
    """Reads events on a connection of its own, one query at a time."""

    def __init__(self, database: Database) -> None:
        self.database = database
        database.on_close.append(self.close)
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def read(self, last_seqs: Mapping[str, int]) -> dict[str, StoredLog]:
        """Return for every match the events after its seq. Raises ApiError."""
        from .postgres_connection import DRIVER_ERRORS

        try:
            await self.connect()
            records = await self.statement.fetch(list(last_seqs), list(last_seqs.values()))
        except (OSError, *DRIVER_ERRORS) as error:
            self.close()
            raise self.database.translate_error(error) from error
        found: dict[str, StoredLog] = {}
        for match_id, epoch, *row in records:
            log = found.setdefault(match_id, StoredLog(epoch, []))
            if row[0] is not None:
                log.rows.append(row)
        return found

    async def connect(self) -> None:
        """Connect and prepare the statement, unless a connection is open."""
        import asyncpg

        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(**self.database.connection_arguments())
            self.statement = await self.connection.prepare(SELECT_EVENTS)

    def close(self) -> None:
        """Terminate the connection, which may be in any state."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None
