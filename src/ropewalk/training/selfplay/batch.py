"""A batch of self-play games of one board: its trees, and the arrays exchanged with the net."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ...games.game import Game
from ...jit.kernel import compile_for
from ...search.gumbel import GumbelParams
from ...search.gumbel_mcts import allocate_evaluations
from ...search.gumbel_tree import DONE, IDLE, PHASE, allocate_scratch, allocate_trees, considered_visits_table
from .kernels import LeafRolloutParams, RolloutValues, advance_games, allocate_rollout_scratch, rollout_leaves
from .samples import SampleBatch, allocate_game_buffers, allocate_samples, replay_into_samples

TREES_PER_TASK = 32  # trees that a thread takes at a time

MAX_COLLECTED_GAMES = 64  # games at a time

NO_LEAF_ROLLOUTS = LeafRolloutParams(rollouts_per_leaf=0, heavy_rollout=0, rollout_weight=0.0)


class SelfPlayBatch:
    """Trees that play games of self-play, or that search given positions when the tuning does not play on."""

    def __init__(
        self,
        game: Game,
        num_trees: int,
        gumbel_params: GumbelParams,
        rollout_params: LeafRolloutParams = NO_LEAF_ROLLOUTS,
        *,
        max_moves: int = 1,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.gumbel_params = gumbel_params
        self.rollout_params = rollout_params
        self.rollout_values = RolloutValues(np.zeros(num_trees, np.float32))
        self.trees = allocate_trees(game, num_trees, gumbel_params.num_simulations + 2, seed=seed)
        self.game_buffers = allocate_game_buffers(
            game, num_trees, max_moves if game.can_repeat else min(max_moves, len(game.board) + 2)
        )
        self.schedule = considered_visits_table(gumbel_params.max_num_considered_actions, gumbel_params.num_simulations)
        self.evaluations = allocate_evaluations(game, num_trees)
        self.start_row = game.start_row()
        self.slices = [(first, min(first + TREES_PER_TASK, num_trees)) for first in range(0, num_trees, TREES_PER_TASK)]
        self.scratches = [allocate_scratch(game) for _ in self.slices]
        self._advance_games: Any = compile_for(advance_games, game.rules, *self._kernel_arguments(self.scratches[0]), 0, 1)
        self.rollout_scratches = (
            [allocate_rollout_scratch(game) for _ in self.slices] if rollout_params.rollouts_per_leaf else []
        )
        self._rollout_leaves: Any = self.rollout_scratches and compile_for(
            rollout_leaves, game.rules, self.trees, self.rollout_values, self.rollout_scratches[0], rollout_params, 0, 1
        )
        final_planes = self.evaluations.planes[0]
        self._replay_into_samples = compile_for(
            replay_into_samples,
            game.rules,
            self.game_buffers,
            allocate_samples(game, 1),
            self.start_row,
            self.start_row,
            final_planes,
            0,
            0,
        )

    def _kernel_arguments(self, scratch: Any) -> tuple[Any, ...]:
        return self.trees, self.game_buffers, self.evaluations, scratch, self.gumbel_params, self.schedule, self.start_row

    @property
    def checkpoint_arrays(self) -> tuple[Any, ...]:
        """All that a checkpoint must keep."""
        return self.trees, self.game_buffers, self.evaluations, self.rollout_values

    def submit(self, thread_pool: ThreadPoolExecutor) -> list[Future[int]]:
        """Have threads take the net's answers and go to the next leaves."""
        return [thread_pool.submit(self.advance_slice, slice_index) for slice_index in range(len(self.slices))]

    def advance_slice(self, slice_index: int) -> int:
        """One thread's part of that; how many leaves wait for the net."""
        first, last = self.slices[slice_index]
        if self.rollout_scratches:
            values = self.evaluations.values[first:last]
            values += self.rollout_params.rollout_weight * (self.rollout_values.values[first:last] - values)
        num_pending: int = self._advance_games(
            self.game.rules, *self._kernel_arguments(self.scratches[slice_index]), first, last
        )
        if self.rollout_scratches:
            self._rollout_leaves(
                self.game.rules,
                self.trees,
                self.rollout_values,
                self.rollout_scratches[slice_index],
                self.rollout_params,
                first,
                last,
            )
        return num_pending

    def find_finished_trees(self) -> Any:
        """The trees whose games, or searches, are over."""
        return np.flatnonzero(self.trees.counters[:, PHASE] == DONE)

    def collect_samples(self) -> SampleBatch | None:
        """The positions of finished games, in the order of the trees, which begin new ones."""
        tree_indices = self.find_finished_trees()[:MAX_COLLECTED_GAMES]
        if not len(tree_indices):
            return None
        lengths = self.game_buffers.num_moves[tree_indices] - self.game_buffers.num_opening_moves[tree_indices]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        samples = allocate_samples(self.game, int(offsets[-1]))
        row, final_planes = self.start_row.copy(), np.zeros(self.evaluations.planes.shape[1:], np.int8)
        for tree, offset in zip(tree_indices.tolist(), offsets.tolist(), strict=False):
            self._replay_into_samples(
                self.game.rules, self.game_buffers, samples, self.start_row, row, final_planes, tree, offset
            )
        self.trees.counters[tree_indices, PHASE] = IDLE
        return samples
