"""The lobby: who looks for an opponent, which matches go on, and a numbered log of both."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.append_request import LOBBY
from ..db.match_repository import MatchRepository
from ..domain.events import MatchEvent
from .hub import Origin
from .live_match import LiveMatch, Subscriber

MAX_LOG_LENGTH = 500


class Lobby:
    """The last events of the lobby, and the cursors of all who follow it."""

    def __init__(self, repository: MatchRepository, background: TaskSupervisor) -> None:
        self.archive = repository
        self.background = background
        self.seq = 0  # of the last event
        self.log: list[MatchEvent] = []  # the last ones
        self.subscribers: set[Subscriber] = set()
        self.refresh_lock = asyncio.Lock()

    async def refresh(self) -> None:
        """Take in what is new, and wake all who follow."""
        async with self.refresh_lock:
            new = await self.archive.load_events(LOBBY, after=self.seq, most=MAX_LOG_LENGTH)
            if not new:
                return
            self.log = [*self.log, *new][-MAX_LOG_LENGTH:]
            self.seq = new[-1].seq
        for subscriber in self.subscribers:
            subscriber.has_news.set()

    def schedule_refresh(self) -> None:
        """Take in what is new, without waiting for it."""
        self.background.start(self.refresh())

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Matches that begin or end are news."""
        is_start_or_end = match.state.result is not None or any(event.seq == 1 for event in events)
        if origin is Origin.LOCAL and match.row.is_listed and is_start_or_end:
            self.schedule_refresh()

    def events_after(self, number: int) -> Sequence[MatchEvent] | None:
        """The events after a number, None if not all of them are remembered."""
        if number > self.seq or (number < self.seq and (not self.log or self.log[0].seq > number + 1)):
            return None
        return [event for event in self.log if event.seq > number]
