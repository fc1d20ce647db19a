"""The lobby: a log of challenges and of matches that start and end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.match_repository import MatchRepository
from ..domain.events import LobbyEvent, MatchEvent
from .hub import Origin
from .live_match import LiveMatch, Subscriber

MAX_LOG_LENGTH = 500
LISTING_EVENTS = ("match-started", "match-published")  # after which the lobby may list a match


class Lobby:
    """The last events of the lobby, and its subscribers."""

    def __init__(self, repository: MatchRepository, background: TaskSupervisor) -> None:
        self.repository = repository
        self.background = background
        self.seq = 0  # of the last event
        self.log: list[LobbyEvent] = []  # the last ones
        self.subscribers: set[Subscriber] = set()
        self.refresh_lock = asyncio.Lock()

    async def refresh(self) -> None:
        """Load new events and wake the subscribers."""
        async with self.refresh_lock:
            new = await self.repository.load_lobby_events(self.seq, MAX_LOG_LENGTH)
            if not new:
                return
            self.log = [*self.log, *new][-MAX_LOG_LENGTH:]
            self.seq = new[-1].seq
        for subscriber in self.subscribers:
            subscriber.has_news.set()

    async def reset(self) -> None:
        """Forget all events and load the last ones, after a backup was restored; subscribers get a snapshot."""
        async with self.refresh_lock:
            self.seq, self.log = 0, []
            for subscriber in self.subscribers:
                subscriber.last_seq = -1
                subscriber.has_news.set()
        await self.refresh()

    def schedule_refresh(self) -> None:
        """Load new events in the background."""
        self.background.start(self.refresh())

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Load the lobby event of a match that has started, has ended or was published here."""
        is_change = match.state.result is not None or any(event.type in LISTING_EVENTS for event in events)
        if origin is Origin.LOCAL and (match.state.is_public or match.row.is_open) and is_change:
            self.schedule_refresh()

    def events_after(self, seq: int) -> Sequence[LobbyEvent] | None:
        """Return the events after `seq`, None if not all of them are in the log."""
        if seq > self.seq or (seq < self.seq and (not self.log or self.log[0].seq > seq + 1)):
            return None
        return [event for event in self.log if event.seq > seq]
