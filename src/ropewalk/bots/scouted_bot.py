"""Bots that look for the end of the game first, and only then think as they usually do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ..games.game import Position
from .bot import Bot, Limit, Report

SHARE, LONGEST = 0.1, 1.0  # of the time, and seconds at most, for the scout; without a limit of time it goes by visits alone


class ScoutedBot(Bot):
    """A scout searches a little; unless it proves how the game ends, another bot thinks about the position."""

    def __init__(self, scout: Bot, most: int, thinker: Bot, usual: int) -> None:
        self.game = thinker.game
        self.name = thinker.name
        self.scout, self.thinker = scout, thinker
        self.most, self.usual = most, usual  # visits of the scout at most, and those of the other one that go with them
        self.net = thinker.net
        self.budget = f"{scout.budget.removesuffix(' a move')}, then {thinker.budget}"

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """The scout's last word, if it is a final one; or else what the other one thinks."""
        limit = limit or Limit()
        began = time.monotonic()
        *_, report = self.scout.analyse(position, self._for_scout(limit))
        if report.kind == "proven":
            yield self._in_visits(report)
            return
        left = None if limit.seconds is None else max(limit.seconds - (time.monotonic() - began), 0.001)
        yield from self.thinker.analyse(position, replace(limit, seconds=left))

    def _for_scout(self, limit: Limit) -> Limit:
        most = self.most if limit.visits is None else min(self.most, -(-self.most * limit.visits // self.usual))
        seconds = None if limit.seconds is None else min(LONGEST, SHARE * limit.seconds)
        return replace(limit, seconds=seconds, visits=most)

    def _in_visits(self, report: Report) -> Report:
        """A scout's report, in visits of the thinker."""
        visits = -(-report.visits * self.usual // self.most)
        return replace(report, visits=visits, lines=tuple(replace(line, visits=visits) for line in report.lines))

    def new_game(self, seed: int) -> None:
        """Both forget."""
        self.scout.new_game(seed)
        self.thinker.new_game(seed)

    def close(self) -> None:
        """Give back what both hold."""
        self.scout.close()
        self.thinker.close()
