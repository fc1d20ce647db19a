"""Bots that grow a search tree and keep it between moves: what they have in common."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from threading import Event
from typing import Protocol

from ..games.game import Position
from .bot import Bot, Limit, Line, Report, require_ongoing

REPORT_INTERVAL_SECONDS = 0.2  # seconds
MAX_REPORT_LINES = 5  # in a report


class Search(Protocol):
    """What thinks about one position after another."""

    @property
    def visits(self) -> int:
        """Simulations that count for the position."""

    def set_root(self, position: Position) -> None:
        """Think about this position from now on."""

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or somebody cancels."""


class TreeSearchBot(Bot):
    """Reports while its tree grows."""

    default_visits: int  # a move, when nothing else is said
    search: Search

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while the tree grows."""
        require_ongoing(position)
        started_at = last_report_at = time.monotonic()
        search_chunks = self._run_search(position, limit)
        reused_visits = self.search.visits
        for _ in search_chunks:
            if time.monotonic() - last_report_at > REPORT_INTERVAL_SECONDS:
                last_report_at = time.monotonic()
                yield self._make_report(position, last_report_at - started_at, reused_visits)
        yield self._make_report(position, time.monotonic() - started_at, reused_visits)

    def _run_search(self, position: Position, limit: Limit | None) -> Iterator[None]:
        limit = limit or Limit(visits=self.default_visits)
        max_visits = self.default_visits if limit.seconds is limit.visits is None else limit.visits
        self.search.set_root(position)
        return self.search.run(limit.seconds, max_visits, limit.cancelled)

    def _make_report(self, position: Position, seconds: float, reused_visits: int) -> Report:
        lines = tuple(self._make_lines(position))
        return Report(
            seat=position.seat or 0,
            value=lines[0].value,
            certainty=lines[0].certainty,
            visits=self.search.visits,
            seconds=seconds,
            lines=lines,
            kept=reused_visits,
        )

    @abstractmethod
    def _make_lines(self, position: Position) -> Sequence[Line]:
        """The best moves, at most LINES of them, and how the game may go on from each."""
