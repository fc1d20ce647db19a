"""A bot that first looks for a forced win by alpha-beta, which sees short combinations that playouts blur."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ..games.game import Position
from .alpha_beta_bot import AlphaBetaBot
from .bot import Bot, Limit, Report
from .tree_bot import TreeBot

SHARE = 0.1  # of the time that the scout may take
POSITIONS_A_VISIT = 2  # that it may search
MOST_POSITIONS = 500_000  # then it is the thinker's turn, however much is left


class ScoutingBot(Bot):
    """Plays the scout's win if there is one, else what the thinker prefers."""

    def __init__(self, thinker: TreeBot) -> None:
        self.thinker = thinker
        self.game = thinker.game
        self.name = thinker.name
        self.budget = f"{thinker.budget}, after {POSITIONS_A_VISIT * thinker.visits:,} positions"
        self.scout = AlphaBetaBot(thinker.game, thinker.name, POSITIONS_A_VISIT * thinker.visits, lines=1)
        self.is_scouting = False  # in the last analysis, to its end

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """The scout's reports, and unless it sees a win those of the thinker."""
        began, last, self.is_scouting = time.monotonic(), None, True
        for last in self.scout.analyse(position, self._share(limit)):
            yield last
        self.is_scouting = is_win(last) or (limit is not None and limit.cancelled.is_set())
        if not self.is_scouting:
            yield from self.thinker.analyse(position, self._rest(limit, began))

    def decide(self, position: Position, last: Report) -> str:
        """As the one who thought last chooses."""
        return super().decide(position, last) if self.is_scouting else self.thinker.decide(position, last)

    def _share(self, limit: Limit | None) -> Limit | None:
        if limit is None or limit.seconds is limit.visits is None:
            return limit
        seconds = None if limit.seconds is None else SHARE * limit.seconds
        visits = MOST_POSITIONS if limit.visits is None else min(MOST_POSITIONS, POSITIONS_A_VISIT * limit.visits)
        return replace(limit, seconds=seconds, visits=visits)

    def _rest(self, limit: Limit | None, began: float) -> Limit | None:
        """What is left of the time; the thinker always gets a little."""
        if limit is None or limit.seconds is None:
            return limit
        return replace(limit, seconds=max(0.001, limit.seconds - (time.monotonic() - began)))

    def new_game(self, seed: int) -> None:
        """Forget what was thought before."""
        self.scout.new_game(seed)
        self.thinker.new_game(seed)

    def close(self) -> None:
        """End the scout's thread."""
        self.scout.close()
        self.thinker.close()


def is_win(report: Report | None) -> bool:
    """Whether a report is of a forced win."""
    return report is not None and report.kind == "proven" and report.value == 1
