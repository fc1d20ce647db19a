"""Batches of Gumbel trees of one board, with the arrays that they exchange with the net: self-play, searches of given roots.

Threads advance the trees in ranges. Every tree has a random stream of its own, so that the result does not depend on the
number of threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ...games.game import Game
from ...games.helper_threads import HelperThreads
from ...games.position import Position
from ...jit.kernel import compile_for
from ...rules.batch import BatchShare, make_share
from ...search.gumbel import GumbelParams, considered_visits_table
from ...search.gumbel_mcts import allocate_evaluations, best_move, search_roots
from ...search.gumbel_tree import DONE, IDLE, PHASE, allocate_scratches, allocate_trees
from .kernels import (
    LeafRolloutParams,
    RolloutValues,
    SelfPlayParams,
    advance_games,
    allocate_rollout_scratches,
    rollout_leaves,
)
from .samples import SampleBatch, allocate_game_buffers, allocate_samples, replay_into_samples

TREES_PER_RANGE = 16  # that a thread takes at a time
MAX_COLLECTED_GAMES = 64  # games per `collect_samples`
NO_LEAF_ROLLOUTS = LeafRolloutParams(rollouts_per_leaf=0, heavy_rollout=0, rollout_weight=0.0)


class TreeBatch(ABC):
    """Trees of one board that are searched together; the net evaluates one leaf of each at a time.

    The calling thread and `threads` advance them; several batches can have the same threads.
    """

    def __init__(
        self, game: Game, num_trees: int, gumbel_params: GumbelParams, *, seed: int = 0, threads: HelperThreads | None = None
    ) -> None:
        self.game = game
        self.gumbel_params = gumbel_params
        self.threads = threads or HelperThreads(0)
        self.trees = allocate_trees(game, num_trees, gumbel_params.num_simulations + 2, seed=seed)
        self.schedule = considered_visits_table(gumbel_params.max_num_considered_actions, gumbel_params.num_simulations)
        self.evaluations = allocate_evaluations(game, num_trees)
        self.scratches = allocate_scratches(game, self.threads.num_threads)

    def advance(self, meanwhile: Callable[[], None] | None = None) -> int:
        """Apply the evaluations and advance all trees to their next leaves; return how many wait for the net.

        This thread calls `meanwhile` while the others work.
        """
        return self.share_trees(self.advance_share, meanwhile)

    def share_trees(self, work: Callable[[BatchShare], None], meanwhile: Callable[[], None] | None = None) -> int:
        """Let all threads work on all trees; return the sum of their results."""
        num_trees = len(self.trees.seat)
        return sum(self.threads.run(work, num_trees, range_length=TREES_PER_RANGE, meanwhile=meanwhile))

    @abstractmethod
    def advance_share(self, share: BatchShare) -> None:
        """Advance the trees that a thread takes, and count those that wait for the net."""


class RootSearchBatch(TreeBatch):
    """Trees that search given positions, for evaluation matches."""

    def __init__(
        self, game: Game, num_trees: int, gumbel_params: GumbelParams, *, seed: int = 0, threads: HelperThreads | None = None
    ) -> None:
        super().__init__(game, num_trees, gumbel_params, seed=seed, threads=threads)
        self._search_roots: Any = compile_for(search_roots, game.rules, *self._kernel_arguments(), make_share(1))
        self._best_move: Any = compile_for(best_move, self.trees, gumbel_params, 0)

    def _kernel_arguments(self) -> tuple[Any, ...]:
        return self.trees, self.evaluations, self.scratches, self.gumbel_params, self.schedule

    def set_roots(self, positions: list[Position], tree_indices: list[int]) -> None:
        """Start a search of each position in the tree with the index beside it; all other trees are DONE."""
        self.trees.counters[:, PHASE] = DONE
        for tree, position in zip(tree_indices, positions, strict=True):
            self.trees.root_row[tree] = position.row
            self.trees.counters[tree, PHASE] = IDLE

    def advance_share(self, share: BatchShare) -> None:
        """Advance the searches that a thread takes."""
        self._search_roots(self.game.rules, *self._kernel_arguments(), share)

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
        threads: HelperThreads | None = None,
    ) -> None:
        super().__init__(game, num_trees, gumbel_params, seed=seed, threads=threads)
        self.selfplay_params = selfplay_params
        self.rollout_params = rollout_params
        self.rollout_values = RolloutValues(np.zeros(num_trees, np.float32))
        self.game_buffers = allocate_game_buffers(
            game, num_trees, max_moves if game.can_repeat else min(max_moves, len(game.board) + 2)
        )
        self.start_row = game.start_row()
        self._advance_games: Any = compile_for(advance_games, game.rules, *self._kernel_arguments(), make_share(1))
        if rollout_params.rollouts_per_leaf:
            self.rollout_scratches = allocate_rollout_scratches(game, self.threads.num_threads)
            self._rollout_leaves: Any = compile_for(rollout_leaves, game.rules, *self._rollout_arguments(), make_share(1))
        replay_args = (self.start_row, self.start_row, self.evaluations.planes[0], 0, 0)
        self._replay_into_samples = compile_for(
            replay_into_samples, game.rules, self.game_buffers, allocate_samples(game, 1), *replay_args
        )

    def _kernel_arguments(self) -> tuple[Any, ...]:
        arrays = (self.trees, self.game_buffers, self.evaluations, self.scratches)
        return *arrays, self.gumbel_params, self.selfplay_params, self.schedule, self.start_row

    def _rollout_arguments(self) -> tuple[Any, ...]:
        return self.trees, self.rollout_values, self.rollout_scratches, self.rollout_params

    @property
    def checkpoint_arrays(self) -> tuple[Any, ...]:
        """The NamedTuples of arrays that a full checkpoint stores."""
        return self.trees, self.game_buffers, self.evaluations, self.rollout_values

    def advance(self, meanwhile: Callable[[], None] | None = None) -> int:
        """Mix rollouts into the evaluations, advance all games, and roll out from their new leaves."""
        if not self.rollout_params.rollouts_per_leaf:
            return super().advance(meanwhile)
        values = self.evaluations.values
        values += self.rollout_params.rollout_weight * (self.rollout_values.values - values)
        num_waiting = super().advance()
        self.share_trees(self.rollout_share, meanwhile)
        return num_waiting

    def advance_share(self, share: BatchShare) -> None:
        """Advance the games that a thread takes."""
        self._advance_games(self.game.rules, *self._kernel_arguments(), share)

    def rollout_share(self, share: BatchShare) -> None:
        """Roll out from the leaves of the games that a thread takes."""
        self._rollout_leaves(self.game.rules, *self._rollout_arguments(), share)

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
