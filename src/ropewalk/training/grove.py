"""A grove: a share of the trees of one board, with the arrays through which it talks to the net."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ..games.game import Game
from ..kernels import compile_for
from ..search.forest import FINISHED, NEW, STAGE, considered_visits, forest_of, games_of, scratch_of
from ..search.growing import Harvest, answers_of, gather_game, grow, room_for
from ..search.gumbel import Tuning
from ..search.outlook import Outlook, Playouts, ground_of, look_out

SHARE = 32  # trees that a thread takes at a time
MOST_HARVESTED = 64  # games at a time
NO_PLAYOUTS = Playouts(from_each=0, sensible=0, trust=0.0)


class Grove:
    """Trees that play games of self-play, or that search given positions when the tuning does not play on."""

    def __init__(
        self, game: Game, trees: int, tuning: Tuning, playouts: Playouts = NO_PLAYOUTS, *, longest: int = 1, seed: int = 0
    ) -> None:
        self.game = game
        self.tuning = tuning
        self.playouts = playouts
        self.outlook = Outlook(np.zeros(trees, np.float32))
        self.forest = forest_of(game, trees, tuning.simulations + 2, seed=seed)
        self.games = games_of(game, trees, longest if game.can_repeat else min(longest, len(game.board) + 2))
        self.schedule = considered_visits(tuning.considered, tuning.simulations)
        self.answers = answers_of(game, trees)
        self.start = game.start_row()
        self.slices = [(first, min(first + SHARE, trees)) for first in range(0, trees, SHARE)]
        self.scratches = [scratch_of(game) for _ in self.slices]
        self._grow: Any = compile_for(grow, game.rules, *self._trees(self.scratches[0]), 0, 1)
        self.grounds = [ground_of(game) for _ in self.slices] if playouts.from_each else []
        self._look_out: Any = self.grounds and compile_for(
            look_out, game.rules, self.forest, self.outlook, self.grounds[0], playouts, 0, 1
        )
        final = self.answers.planes[0]
        self._gather = compile_for(
            gather_game, game.rules, self.games, room_for(game, 1), self.start, self.start, final, 0, 0
        )

    def _trees(self, scratch: Any) -> tuple[Any, ...]:
        return self.forest, self.games, self.answers, scratch, self.tuning, self.schedule, self.start

    @property
    def parts(self) -> tuple[Any, ...]:
        """All that a checkpoint must keep."""
        return self.forest, self.games, self.answers, self.outlook

    def grow(self, pool: ThreadPoolExecutor) -> list[Future[int]]:
        """Have threads take the net's answers and go to the next leaves."""
        return [pool.submit(self.grow_share, share) for share in range(len(self.slices))]

    def grow_share(self, share: int) -> int:
        """One thread's part of that; how many leaves wait for the net."""
        first, last = self.slices[share]
        if self.grounds:
            values = self.answers.values[first:last]
            values += self.playouts.trust * (self.outlook.values[first:last] - values)
        waiting: int = self._grow(self.game.rules, *self._trees(self.scratches[share]), first, last)
        if self.grounds:
            self._look_out(self.game.rules, self.forest, self.outlook, self.grounds[share], self.playouts, first, last)
        return waiting

    def finished(self) -> Any:
        """The trees whose games, or searches, are over."""
        return np.flatnonzero(self.forest.numbers[:, STAGE] == FINISHED)

    def harvest(self) -> Harvest | None:
        """The positions of finished games, in the order of the trees, which begin new ones."""
        trees = self.finished()[:MOST_HARVESTED]
        if not len(trees):
            return None
        lengths = self.games.length[trees] - self.games.opening[trees]
        places = np.concatenate([[0], np.cumsum(lengths)])
        harvest = room_for(self.game, int(places[-1]))
        row, final = self.start.copy(), np.zeros(self.answers.planes.shape[1:], np.int8)
        for tree, place in zip(trees.tolist(), places.tolist(), strict=False):
            self._gather(self.game.rules, self.games, harvest, self.start, row, final, tree, place)
        self.forest.numbers[trees, STAGE] = NEW
        return harvest
