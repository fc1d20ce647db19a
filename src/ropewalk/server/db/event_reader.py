"""Reads the newest events of many matches in one query, by the driver of PostgreSQL without SQLAlchemy.

A server reads every move that other servers have stored, so that this query is nearly as frequent as the append of a move.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..domain.events import MatchEvent
from .database import Database

if TYPE_CHECKING:
    from asyncpg import Connection

SELECT_NEW_EVENTS = """
SELECT match_events.*, (SELECT value FROM metadata WHERE name = 'epoch') AS epoch
FROM unnest($1::text[], $2::int[]) AS last (match_id, last_seq) JOIN match_events USING (match_id)
WHERE seq > last_seq ORDER BY match_id, seq"""


class NewEvents(NamedTuple):
    """The new events of a match, and the epoch of the database when they were read."""

    epoch: str
    events: list[MatchEvent]


class PostgresEventReader:
    """Reads events on a connection of its own, one query at a time."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: Connection[Any] | None = None
        self.statement: Any = None

    async def read(self, last_seqs: Mapping[str, int]) -> dict[str, NewEvents]:
        """Return by match id the events after these seqs; matches without new ones are left out. Raises ApiError."""
        from .postgres_connection import DRIVER_ERRORS

        try:
            await self.connect()
            records = await self.statement.fetch(list(last_seqs), list(last_seqs.values()))
        except (OSError, *DRIVER_ERRORS) as error:
            self.close()
            raise self.database.translate_error(error) from error
        found: dict[str, NewEvents] = {}
        for record in records:
            new = found.setdefault(record["match_id"], NewEvents(record["epoch"], []))
            new.events.append(event_from_record(record))
        return found

    async def connect(self) -> None:
        """Connect and prepare the statement, unless a connection is open."""
        import asyncpg

        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(**self.database.connection_arguments())
            self.statement = await self.connection.prepare(SELECT_NEW_EVENTS)

    def close(self) -> None:
        """Terminate the connection, which may be in any state."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None


def event_from_record(record: Any) -> MatchEvent:
    """Return the event that a row of the driver contains."""
    seq, timestamp_ms, event_type = record["seq"], record["timestamp_ms"], record["type"]
    seat, user_id, payload = record["seat"], record["user_id"], json.loads(record["payload"])
    return MatchEvent(seq, timestamp_ms, event_type, seat, user_id, payload, record["request_id"])
