"""Streams: all matches of one user in one line of events, for bots of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from ..db.match_repository import MatchRepository
from ..domain.events import MatchEvent
from .live_match import LiveMatch
from .registry import MatchRegistry

MAX_MATCHES = 100
HEARTBEAT_SECONDS = 10.0


class UserEventStreams:
    """Wakes users who listen when something happens at one of their tables."""

    def __init__(self, tables: MatchRegistry, repository: MatchRepository) -> None:
        self.tables = tables
        self.archive = repository
        self.queues: dict[str, set[asyncio.Queue[str]]] = {}
        tables.subscribers.append(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], here: bool) -> None:
        """Something happened."""
        if not self.queues:
            return
        for user in set(match.seats):
            for queue in self.queues.get(user or "", ()):
                queue.put_nowait(match.id)

    async def on_remote_event(self, match_id: str) -> None:
        """Something happened on another server, at a table that is not open here."""
        if self.queues:
            row = await self.archive.find(match_id)
            if row is not None and any(user in self.queues for user in row.seats):
                match = await self.tables.get(match_id)
                self.on_events(match, (), here=False)

    async def subscribe(self, user: str) -> AsyncIterator[tuple[LiveMatch, Sequence[MatchEvent]] | None]:
        """Every match of a user that goes on, then whatever is new in any of them; None now and then, to show life."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        read: dict[str, int] = {}
        self.queues.setdefault(user, set()).add(queue)
        try:
            for row in await self.archive.list_by_user(user, MAX_MATCHES):
                if row.status == "playing":
                    queue.put_nowait(row.id)
            yield None
            while True:
                try:
                    match_id = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield None
                    continue
                match = await self.tables.get(match_id)
                events = match.events_after(read.get(match_id, 0))
                read[match_id] = match.state.seq
                if events:
                    yield match, events
        finally:
            self.queues[user].discard(queue)
            if not self.queues[user]:
                del self.queues[user]
