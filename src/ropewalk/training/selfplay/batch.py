"""Batches of Gumbel trees of one board, with the arrays that they exchange with the net: self-play, searches of given roots.

A batch is divided into slices of trees, which threads advance in parallel; a slice has its own buffers, so that the result
does not depend on the number of threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ...games.game import Game
from ...games.position import Position
from ...jit.kernel import compile_for
from ...search.gumbel import GumbelParams, considered_visits_table
from ...search.gumbel_mcts import allocate_evaluations, best_move, search_roots
from ...search.gumbel_tree import DONE, IDLE, PHASE, GumbelScratch, allocate_scratch, allocate_trees
from .kernels import (
    LeafRolloutParams,
    RolloutValues,
    SelfPlayParams,
    advance_games,
    allocate_rollout_scratch,
    rollout_leaves,
)
from .samples import SampleBatch, allocate_game_buffers, allocate_samples, replay_into_samples

TREES_PER_TASK = 32  # trees of a slice
MAX_COLLECTED_GAMES = 64  # games per `collect_samples`
NO_LEAF_ROLLOUTS = LeafRolloutParams(rollouts_per_leaf=0, heavy_rollout=0, rollout_weight=0.0)


class TreeBatch(ABC):
    """Trees of one board that are searched together; the net evaluates one leaf of each at a time."""

    def __init__(self, game: Game, num_trees: int, gumbel_params: GumbelParams, *, seed: int = 0) -> None:
        self.game = game
        self.gumbel_params = gumbel_params
        self.trees = allocate_trees(game, num_trees, gumbel_params.num_simulations + 2, seed=seed)
        self.schedule = considered_visits_table(gumbel_params.max_num_considered_actions, gumbel_params.num_simulations)
        self.evaluations = allocate_evaluations(game, num_trees)
        self.slices = [(first, min(first + TREES_PER_TASK, num_trees)) for first in range(0, num_trees, TREES_PER_TASK)]
        self.scratches: list[GumbelScratch] = [allocate_scratch(game) for _ in self.slices]

    def submit(self, thread_pool: ThreadPoolExecutor) -> list[Future[int]]:
        """Advance all slices in the threads of a pool; the results are the numbers of leaves that wait for the net."""
        return [thread_pool.submit(self.advance_slice, slice_index) for slice_index in range(len(self.slices))]

    @abstractmethod
    def advance_slice(self, slice_index: int) -> int:
        """Apply the evaluations of a slice and advance its trees to their next leaves; return how many wait for the net."""


class RootSearchBatch(TreeBatch):
    """Trees that search given positions, for evaluation matches."""

    def __init__(self, game: Game, num_trees: int, gumbel_params: GumbelParams, *, seed: int = 0) -> None:
        super().__init__(game, num_trees, gumbel_params, seed=seed)
        self._search_roots: Any = compile_for(search_roots, game.rules, *self._kernel_arguments(0), 0, 1)
        self._best_move: Any = compile_for(best_move, self.trees, gumbel_params, 0)

    def _kernel_arguments(self, slice_index: int) -> tuple[Any, ...]:
        return self.trees, self.evaluations, self.scratches[slice_index], self.gumbel_params, self.schedule

    def set_roots(self, positions: list[Position], tree_indices: list[int]) -> None:
        """Start a search of each position in the tree with the index beside it; all other trees are DONE."""
        self.trees.counters[:, PHASE] = DONE
        for tree, position in zip(tree_indices, positions, strict=True):
            self.trees.root_row[tree] = position.row
            self.trees.counters[tree, PHASE] = IDLE

    def advance_slice(self, slice_index: int) -> int:
        """Apply the evaluations of a slice and advance its searches to their next leaves."""
        num_waiting: int = self._search_roots(
            self.game.rules, *self._kernel_arguments(slice_index), *self.slices[slice_index]
        )
        return num_waiting

    def best_move(self, tree: int) -> int:
        """Return the final move of a search that is DONE."""
        return int(self._best_move(self.trees, self.gumbel_params, tree))


class SelfPlayBatch(TreeBatch):
    """Trees that play games of self-play, one game each at a time."""

    def __init__(
        self,
        game: Game,
        num_trees: int,
        gumbel_params: GumbelParams,
        selfplay_params: SelfPlayParams,
        rollout_params: LeafRolloutParams = NO_LEAF_ROLLOUTS,
        *,
        max_moves: int,
        seed: int = 0,
    ) -> None:
        super().__init__(game, num_trees, gumbel_params, seed=seed)
        self.selfplay_params = selfplay_params
        self.rollout_params = rollout_params
        self.rollout_values = RolloutValues(np.zeros(num_trees, np.float32))
        self.game_buffers = allocate_game_buffers(
            game, num_trees, max_moves if game.can_repeat else min(max_moves, len(game.board) + 2)
        )
        self.start_row = game.start_row()
        self._advance_games: Any = compile_for(advance_games, game.rules, *self._kernel_arguments(0), 0, 1)
        self.rollout_scratches = (
            [allocate_rollout_scratch(game) for _ in self.slices] if rollout_params.rollouts_per_leaf else []
        )
        self._rollout_leaves: Any = self.rollout_scratches and compile_for(
            rollout_leaves, game.rules, self.trees, self.rollout_values, self.rollout_scratches[0], rollout_params, 0, 1
        )
        replay_args = (self.start_row, self.start_row, self.evaluations.planes[0], 0, 0)
        self._replay_into_samples = compile_for(
            replay_into_samples, game.rules, self.game_buffers, allocate_samples(game, 1), *replay_args
        )

    def _kernel_arguments(self, slice_index: int) -> tuple[Any, ...]:
        arrays = (self.trees, self.game_buffers, self.evaluations, self.scratches[slice_index])
        return *arrays, self.gumbel_params, self.selfplay_params, self.schedule, self.start_row

    @property
    def checkpoint_arrays(self) -> tuple[Any, ...]:
        """The NamedTuples of arrays that a full checkpoint stores."""
        return self.trees, self.game_buffers, self.evaluations, self.rollout_values

    def advance_slice(self, slice_index: int) -> int:
        """Mix rollouts into the evaluations of a slice, advance its games, and roll out from their new leaves."""
        first, last = self.slices[slice_index]
        if self.rollout_scratches:
            values = self.evaluations.values[first:last]
            values += self.rollout_params.rollout_weight * (self.rollout_values.values[first:last] - values)
        num_waiting: int = self._advance_games(self.game.rules, *self._kernel_arguments(slice_index), first, last)
        if self.rollout_scratches:
            scratch = self.rollout_scratches[slice_index]
            self._rollout_leaves(self.game.rules, self.trees, self.rollout_values, scratch, self.rollout_params, first, last)
        return num_waiting

    def find_finished_trees(self) -> Any:
        """Return the indices of the trees whose games have ended."""
        return np.flatnonzero(self.trees.counters[:, PHASE] == DONE)

    def collect_samples(self) -> SampleBatch | None:
        """Return the positions of at most MAX_COLLECTED_GAMES finished games, by tree; None without one.

        Their trees become IDLE and start new games.
        """
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
