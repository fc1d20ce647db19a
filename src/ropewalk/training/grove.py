"""A grove: a share of the trees of one board, with the arrays through which it talks to the net."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ..games.game import Game
from ..kernels import compile_for
from ..search.forest import (
    DONE,
    IDLE,
    PHASE,
    allocate_game_buffers,
    allocate_scratch,
    allocate_trees,
    considered_visits_table,
)
from ..search.growing import SampleBatch, advance_games, allocate_evaluations, allocate_samples, replay_into_samples
from ..search.gumbel import GumbelParams
from ..search.outlook import LeafRolloutParams, RolloutValues, allocate_rollout_scratch, rollout_leaves

SHARE = 32  # trees that a thread takes at a time
MOST_HARVESTED = 64  # games at a time
NO_PLAYOUTS = LeafRolloutParams(rollouts_per_leaf=0, heavy_rollout=0, rollout_weight=0.0)


class Grove:
    """Trees that play games of self-play, or that search given positions when the tuning does not play on."""

    def __init__(
        self,
        game: Game,
        trees: int,
        tuning: GumbelParams,
        playouts: LeafRolloutParams = NO_PLAYOUTS,
        *,
        longest: int = 1,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.tuning = tuning
        self.playouts = playouts
        self.outlook = RolloutValues(np.zeros(trees, np.float32))
        self.forest = allocate_trees(game, trees, tuning.num_simulations + 2, seed=seed)
        self.games = allocate_game_buffers(game, trees, longest if game.can_repeat else min(longest, len(game.board) + 2))
        self.schedule = considered_visits_table(tuning.max_num_considered_actions, tuning.num_simulations)
        self.answers = allocate_evaluations(game, trees)
        self.start = game.start_row()
        self.slices = [(first, min(first + SHARE, trees)) for first in range(0, trees, SHARE)]
        self.scratches = [allocate_scratch(game) for _ in self.slices]
        self._grow: Any = compile_for(advance_games, game.rules, *self._trees(self.scratches[0]), 0, 1)
        self.grounds = [allocate_rollout_scratch(game) for _ in self.slices] if playouts.rollouts_per_leaf else []
        self._look_out: Any = self.grounds and compile_for(
            rollout_leaves, game.rules, self.forest, self.outlook, self.grounds[0], playouts, 0, 1
        )
        final = self.answers.planes[0]
        self._gather = compile_for(
            replay_into_samples, game.rules, self.games, allocate_samples(game, 1), self.start, self.start, final, 0, 0
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
            values += self.playouts.rollout_weight * (self.outlook.values[first:last] - values)
        waiting: int = self._grow(self.game.rules, *self._trees(self.scratches[share]), first, last)
        if self.grounds:
            self._look_out(self.game.rules, self.forest, self.outlook, self.grounds[share], self.playouts, first, last)
        return waiting

    def finished(self) -> Any:
        """The trees whose games, or searches, are over."""
        return np.flatnonzero(self.forest.counters[:, PHASE] == DONE)

    def harvest(self) -> SampleBatch | None:
        """The positions of finished games, in the order of the trees, which begin new ones."""
        trees = self.finished()[:MOST_HARVESTED]
        if not len(trees):
            return None
        lengths = self.games.num_moves[trees] - self.games.num_opening_moves[trees]
        places = np.concatenate([[0], np.cumsum(lengths)])
        harvest = allocate_samples(self.game, int(places[-1]))
        row, final = self.start.copy(), np.zeros(self.answers.planes.shape[1:], np.int8)
        for tree, place in zip(trees.tolist(), places.tolist(), strict=False):
            self._gather(self.game.rules, self.games, harvest, self.start, row, final, tree, place)
        self.forest.counters[trees, PHASE] = IDLE
        return harvest
