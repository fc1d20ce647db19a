"""Bots that look for the end of the game first, and only then think as they usually do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ..games.game import Position
from .bot import Bot, Limit, Report

SHARE = 0.1  # of the time, for the scout
PER_VISIT = 200  # positions of the scout that cost as much as a visit of the thinker


class ScoutedBot(Bot):
    """A scout searches a little; unless it sees how the game ends, another bot thinks about the position."""

    def __init__(self, name: str, scout: Bot, thinker: Bot, visits: int) -> None:
        self.game = thinker.game
        self.name = name
        self.scout, self.thinker = scout, thinker
        self.most = PER_VISIT * visits  # positions of the scout, however long the other one may think
        self.net = thinker.net
        self.budget = f"{self.most:,} positions, then {thinker.budget}"

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """The scout's last word, if it is a final one; or else what the other one thinks."""
        limit = limit or Limit()
        began = time.monotonic()
        *_, report = self.scout.analyse(position, self._for_scout(limit))
        if report.value in (0, 1):
            yield in_visits(report)
            return
        left = None if limit.seconds is None else max(limit.seconds - (time.monotonic() - began), 0.001)
        yield from self.thinker.analyse(position, replace(limit, seconds=left))

    def _for_scout(self, limit: Limit) -> Limit:
        positions = self.most if limit.visits is None else min(PER_VISIT * limit.visits, self.most)
        return replace(limit, seconds=limit.seconds and SHARE * limit.seconds, visits=positions)

    def new_game(self, seed: int) -> None:
        """Both forget."""
        self.scout.new_game(seed)
        self.thinker.new_game(seed)

    def close(self) -> None:
        """Give back what both hold."""
        self.scout.close()
        self.thinker.close()


def in_visits(report: Report) -> Report:
    """A scout's report, with its positions as visits of the thinker."""
    lines = tuple(replace(line, visits=line.visits // PER_VISIT) for line in report.lines)
    return replace(report, visits=report.visits // PER_VISIT, lines=lines)
