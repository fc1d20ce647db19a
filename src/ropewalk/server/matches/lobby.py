"""The lobby: who looks for an opponent, which matches go on, and a numbered log of both."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.append_request import LOBBY
from ..db.match_repository import MatchRepository
from ..domain.events import MatchEvent
from .live_match import Subscriber, Table

MOST_REMEMBERED = 500


class Lobby:
    """The last events of the lobby, and the cursors of all who follow it."""

    def __init__(self, archive: MatchRepository, background: TaskSupervisor) -> None:
        self.archive = archive
        self.background = background
        self.number = 0  # of the last event
        self.log: list[MatchEvent] = []  # the last ones
        self.cursors: set[Subscriber] = set()
        self.turn = asyncio.Lock()

    async def refresh(self) -> None:
        """Take in what is new, and wake all who follow."""
        async with self.turn:
            new = await self.archive.load_events(LOBBY, after=self.number, most=MOST_REMEMBERED)
            if not new:
                return
            self.log = [*self.log, *new][-MOST_REMEMBERED:]
            self.number = new[-1].seq
        for cursor in self.cursors:
            cursor.bell.set()

    def refresh_soon(self) -> None:
        """Take in what is new, without waiting for it."""
        self.background.start(self.refresh())

    def hear(self, table: Table, events: Sequence[MatchEvent], here: bool) -> None:
        """Matches that begin or end are news."""
        if here and table.row.is_listed and (table.state.result is not None or any(event.seq == 1 for event in events)):
            self.refresh_soon()

    def since(self, number: int) -> Sequence[MatchEvent] | None:
        """The events after a number, None if not all of them are remembered."""
        if number > self.number or (number < self.number and (not self.log or self.log[0].seq > number + 1)):
            return None
        return [event for event in self.log if event.seq > number]
