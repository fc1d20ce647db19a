"""Streams: all matches of one user in one line of events, for bots of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from ..db.match_repository import MatchRepository
from ..domain.events import MatchEvent
from .live_match import Table
from .registry import Tables

MOST_MATCHES = 100
HEARTBEAT_SECONDS = 10.0


class Streams:
    """Wakes users who listen when something happens at one of their tables."""

    def __init__(self, tables: Tables, archive: MatchRepository) -> None:
        self.tables = tables
        self.archive = archive
        self.listening: dict[str, set[asyncio.Queue[str]]] = {}
        tables.listeners.append(self.hear)

    def hear(self, table: Table, events: Sequence[MatchEvent], here: bool) -> None:
        """Something happened."""
        if not self.listening:
            return
        for user in set(table.seats):
            for queue in self.listening.get(user or "", ()):
                queue.put_nowait(table.id)

    async def hear_of(self, match: str) -> None:
        """Something happened on another server, at a table that is not open here."""
        if self.listening:
            row = await self.archive.find(match)
            if row is not None and any(user in self.listening for user in row.seats):
                table = await self.tables.at(match)
                self.hear(table, (), here=False)

    async def of(self, user: str) -> AsyncIterator[tuple[Table, Sequence[MatchEvent]] | None]:
        """Every match of a user that goes on, then whatever is new in any of them; None now and then, to show life."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        read: dict[str, int] = {}
        self.listening.setdefault(user, set()).add(queue)
        try:
            for row in await self.archive.list_by_user(user, MOST_MATCHES):
                if row.status == "playing":
                    queue.put_nowait(row.id)
            yield None
            while True:
                try:
                    match = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield None
                    continue
                table = await self.tables.at(match)
                events = table.since(read.get(match, 0))
                read[match] = table.state.seq
                if events:
                    yield table, events
        finally:
            self.listening[user].discard(queue)
            if not self.listening[user]:
                del self.listening[user]
