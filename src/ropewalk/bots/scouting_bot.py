"""A bot that first looks for a forced win by alpha-beta, which sees short combinations that playouts blur."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ..games.game import Position
from .alpha_beta_bot import AlphaBetaBot
from .bot import Bot, Limit, Report, refuse_finished
from .tree_bot import TreeBot

SHARE = 0.25  # of the time that the scout may take
POSITIONS_A_VISIT = 2  # that it may search


class ScoutingBot(Bot):
    """Plays the scout's win if there is one, else what the thinker prefers."""

    def __init__(self, thinker: TreeBot) -> None:
        self.thinker = thinker
        self.game = thinker.game
        self.name = thinker.name
        self.budget = f"{thinker.budget}, after {POSITIONS_A_VISIT * thinker.visits:,} positions"
        self.scout = AlphaBetaBot(thinker.game, thinker.name, POSITIONS_A_VISIT * thinker.visits)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """The scout's report when it sees a win, else those of the thinker."""
        began = time.monotonic()
        win = self._forced_win(position, limit)
        if win is not None:
            yield win
        else:
            yield from self.thinker.analyse(position, self._rest(limit, began))

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The step that it plays."""
        began = time.monotonic()
        win = self._forced_win(position, limit)
        if win is not None:
            return win.lines[0].moves[0]
        return self.thinker.choose(position, self._rest(limit, began))

    def decide(self, position: Position, last: Report) -> str:
        """A proven move, or as the thinker chooses."""
        return super().decide(position, last) if last.kind == "proven" else self.thinker.decide(position, last)

    def _forced_win(self, position: Position, limit: Limit | None) -> Report | None:
        """What the scout sees in its share of the limit, if that is a win."""
        refuse_finished(position)
        last = None
        for last in self.scout.analyse(position, self._share(limit)):  # noqa: B007  (the last one counts)
            pass
        return last if last is not None and last.kind == "proven" and last.value == 1 else None

    def _share(self, limit: Limit | None) -> Limit | None:
        if limit is None or limit.seconds is limit.visits is None:
            return limit
        seconds = None if limit.seconds is None else SHARE * limit.seconds
        visits = None if limit.visits is None else POSITIONS_A_VISIT * limit.visits
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
