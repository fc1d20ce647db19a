"""Bots that grow a search tree and keep it between moves: what they have in common."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from threading import Event
from typing import Protocol

from ..games.game import Position
from .bot import Bot, Limit, Line, Report, refuse_finished

BETWEEN_REPORTS = 0.2  # seconds
LINES = 5  # in a report


class Search(Protocol):
    """What thinks about one position after another."""

    @property
    def visits(self) -> int:
        """Simulations that count for the position."""

    def set_root(self, position: Position) -> None:
        """Think about this position from now on."""

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or somebody cancels."""


class GrowingBot(Bot):
    """Reports while its tree grows."""

    visits: int  # a move, when nothing else is said
    search: Search

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while the tree grows."""
        refuse_finished(position)
        began = reported = time.monotonic()
        growing = self._grow(position, limit)
        kept = self.search.visits
        for _ in growing:
            if time.monotonic() - reported > BETWEEN_REPORTS:
                reported = time.monotonic()
                yield self._report(position, reported - began, kept)
        yield self._report(position, time.monotonic() - began, kept)

    def _grow(self, position: Position, limit: Limit | None) -> Iterator[None]:
        limit = limit or Limit(visits=self.visits)
        visits = self.visits if limit.seconds is limit.visits is None else limit.visits
        self.search.set_root(position)
        return self.search.run(limit.seconds, visits, limit.cancelled)

    def _report(self, position: Position, seconds: float, kept: int) -> Report:
        lines = tuple(self._lines(position))
        return Report(
            seat=position.seat or 0,
            value=lines[0].value,
            kind=lines[0].kind,
            visits=self.search.visits,
            seconds=seconds,
            lines=lines,
            kept=kept,
        )

    @abstractmethod
    def _lines(self, position: Position) -> Sequence[Line]:
        """The best moves, at most LINES of them, and how the game may go on from each."""
