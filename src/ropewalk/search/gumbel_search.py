"""Driver of the Gumbel search of one position after another: one tree, whose leaves the net evaluates a few at a time.

The root has no noise and no sequential halving, so that a search can be stopped or continued at any number of visits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any

import numpy as np

from ..games.definition import DEFAULT_VALUE_SCALE
from ..games.game import Game
from ..games.position import Position
from ..jit.interpreted import interpret
from ..jit.kernel import compile_for
from ..rules.generic import Row
from .gumbel import GumbelParams, considered_visits_table, promote_best_unvisited
from .gumbel_mcts import allocate_evaluations, allocate_pending_leaves, collect_leaves, resolve_leaves
from .gumbel_tree import (
    IDLE,
    NUM_EDGES,
    NUM_NODES,
    PHASE,
    WAITING_FOR_EVAL,
    GumbelTreeBatch,
    allocate_scratch,
    allocate_trees,
    copy_subtree,
    get_tree,
    link_subtree,
)
from .interfaces import NO_NODE, ROOT, Evaluator, RootMove, SearchClock, masked_softmax, moves_since

DEFAULT_NODE_CAPACITY = 20_000  # nodes of a tree
LEAF_BATCH = 4  # leaves per call of the net: larger batches cost less each, but their leaves do not know of each other
PLAY_PARAMS = GumbelParams(
    num_simulations=0,  # not used: the driver has its own limit
    max_num_considered_actions=16,
    value_scale=DEFAULT_VALUE_SCALE,
    maxvisit_init=50.0,
    gumbel_scale=0.0,
    sequential_halving=0,
)


class GumbelSearch:
    """Gumbel search in one thread that reuses its tree; the same net, visits and earlier roots give the same tree."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        capacity: int = DEFAULT_NODE_CAPACITY,
        value_scale: float = DEFAULT_VALUE_SCALE,
    ) -> None:
        self.game = game
        self.evaluator = evaluator
        self.capacity = capacity
        self.params = PLAY_PARAMS._replace(value_scale=value_scale)
        self.trees: GumbelTreeBatch = allocate_trees(game, 1, capacity)
        self._spare_trees: GumbelTreeBatch = allocate_trees(game, 1, capacity)
        self.root: Position | None = None
        self.allowed_root_moves: list[int] | None = None  # None for all
        self.evals = allocate_evaluations(game, LEAF_BATCH)
        self.pending = allocate_pending_leaves(game.start_row(), LEAF_BATCH)
        self.schedule = considered_visits_table(1, 1)
        self._scratch = allocate_scratch(game)
        kernel_args = (self.trees, self.pending, self.evals)
        self._collect_leaves: Any = compile_for(collect_leaves, game.rules, *kernel_args, self.params, self.schedule, 1, 1)
        self._resolve_leaves: Any = compile_for(resolve_leaves, game.rules, *kernel_args, self._scratch, self.params, 1)
        compile_for(link_subtree, self.trees, ROOT, self._spare_trees, *np.zeros((2, 1), np.int32))  # no delay in `set_root`

    def set_root(self, position: Position, root_moves: Sequence[int] | None = None) -> None:
        """Search `position` from now on; its subtree is reused if it was reached from the last root by a few moves.

        With `root_moves`, only these moves are searched in the position itself, in a tree that is not reused.
        """
        has_full_trees = self.allowed_root_moves is root_moves is None
        moves = moves_since(self.root, position) if has_full_trees else None
        self.allowed_root_moves = None if root_moves is None else list(root_moves)
        node = NO_NODE if moves is None else self._find_node(moves)
        self.root = position
        is_expanded = node != NO_NODE and self.trees.num_edges[0, node] > 0
        if is_expanded and node != ROOT:
            copy_subtree(self.trees, node, self._spare_trees)
            self.trees, self._spare_trees = self._spare_trees, self.trees
        self.trees = set_root_row(self.trees, position.row)
        if self.pending.rows.shape[1] != len(position.row):
            self.pending = allocate_pending_leaves(position.row, LEAF_BATCH)
        self.trees.counters[0, PHASE] = WAITING_FOR_EVAL if is_expanded else IDLE
        if not is_expanded:
            self.trees.counters[0, NUM_NODES] = 0

    def _find_node(self, moves: list[int]) -> int:
        """Return the node that moves from the root lead to, NO_NODE if it is not in the tree."""
        node = ROOT if self.visits else NO_NODE
        for move in moves:
            if node == NO_NODE or self.trees.num_edges[0, node] <= 0:
                return NO_NODE
            node = int(self.trees.child[0, self._find_edge(node, move)])
        return node

    def _find_edge(self, node: int, move: int) -> int:
        first = int(self.trees.edge_begin[0, node])
        moves = self.trees.move[0, first : first + int(self.trees.num_edges[0, node])]
        return first + int(np.flatnonzero(moves == move)[0])

    def reset(self) -> None:
        """Forget the root, so that the next one starts a new tree."""
        self.root = None

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or `cancelled` is set; yields after every batch of leaves.

        A new root is evaluated in any case. An exception of the evaluator resets the search.
        """
        clock = SearchClock(seconds, cancelled)
        visit_limit = min(self.capacity - 2, max_visits if max_visits is not None else self.capacity)
        is_new = self.trees.counters[0, PHASE] == IDLE
        try:
            while is_new or not (clock.must_stop() or self.visits >= visit_limit):
                kernel_args = (self.trees, self.pending, self.evals)
                leaf_limits = (self._leaf_batch_size(visit_limit), max(visit_limit, 1))
                count = self._collect_leaves(self.game.rules, *kernel_args, self.params, self.schedule, *leaf_limits)
                if count:
                    logits, values = self.evaluator.evaluate(self.evals.planes[:count])
                    self.evals.logits[:count], self.evals.values[:count] = logits, values
                    self._resolve_leaves(self.game.rules, *kernel_args, self._scratch, self.params, count)
                    if is_new and self.allowed_root_moves is not None:
                        self._restrict_root(self.allowed_root_moves)
                is_new = False
                yield
        except Exception:
            self.reset()  # pending leaves have virtual visits
            raise

    def _restrict_root(self, allowed: list[int]) -> None:
        """Remove the edges of other moves from the root, which has just been expanded; the priors of the others sum to 1."""
        tree, count = interpret(get_tree)(self.trees, 0), len(allowed)
        tree.move[:count] = allowed
        interpret(masked_softmax)(self.evals.logits[0], tree.move[:count], tree.prior[:count])
        tree.num_edges[ROOT] = tree.counters[NUM_EDGES] = count
        interpret(promote_best_unvisited)(tree, ROOT)

    def _leaf_batch_size(self, visit_limit: int) -> int:
        """Return the leaves to collect at once: few in a small tree, where they would follow the priors alone."""
        return max(1, min(LEAF_BATCH, visit_limit - self.visits, self.visits // LEAF_BATCH))

    @property
    def visits(self) -> int:
        """Simulations at the root, those of a reused tree included."""
        return int(self.trees.visits[0, ROOT]) if self.trees.counters[0, NUM_NODES] else 0

    def root_moves(self) -> list[RootMove]:
        """Return the moves at the root, the best first: winning moves, then by visits, then by prior."""
        assert self.root is not None
        seat = 1 if self.root.seat == 1 else 0
        unsorted_moves = [self._make_root_move(edge, seat) for edge in range(max(int(self.trees.num_edges[0, ROOT]), 0))]
        return sorted(unsorted_moves, key=lambda one: (one.proven == seat, one.visits, one.prior), reverse=True)

    def _make_root_move(self, edge: int, seat: int) -> RootMove:
        trees = self.trees
        child = int(trees.child[0, edge])
        move, prior = int(trees.move[0, edge]), float(trees.prior[0, edge])
        if child == NO_NODE or not trees.visits[0, child]:
            return RootMove(move, prior=prior)
        visits = int(trees.visits[0, child])
        mean = float(trees.value_sum[0, child]) / visits
        value = 0.5 + 0.5 * (mean if seat == 0 else -mean)
        return RootMove(move, visits, value, value, prior, int(trees.result[0, child]))

    def principal_variation(self, move: int, max_length: int = 12) -> list[int]:
        """Return `move` and the most visited moves after it."""
        trees = self.trees
        moves: list[int] = []
        node = ROOT
        while len(moves) < max_length and trees.num_edges[0, node] > 0:
            first = int(trees.edge_begin[0, node])
            edges = range(first, first + int(trees.num_edges[0, node]))
            edge = max(edges, key=self._edge_visits) if moves else self._find_edge(node, move)
            if moves and not self._edge_visits(edge):
                break
            moves.append(int(trees.move[0, edge]))
            node = int(trees.child[0, edge])
            if node == NO_NODE:
                break
        return moves

    def _edge_visits(self, edge: int) -> int:
        child = int(self.trees.child[0, edge])
        return 0 if child == NO_NODE else int(self.trees.visits[0, child])


def set_root_row(trees: GumbelTreeBatch, row: Row) -> GumbelTreeBatch:
    """Write the root row of the only tree; returns trees with new row arrays if the length differs."""
    if len(row) != trees.root_row.shape[1]:
        return trees._replace(root_row=row[np.newaxis].copy(), leaf_row=row[np.newaxis].copy())
    trees.root_row[0] = row
    return trees
