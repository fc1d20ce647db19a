"""A search of one position after another with a net: one tree of a forest, whose leaves the net answers a few at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from ..games.game import Game, Position
from ..jit.kernel import compile_for
from ..rules.generic import Row
from ..rules.interface import ONGOING
from .gumbel import GumbelParams
from .gumbel_mcts import allocate_evaluations, allocate_pending_leaves, collect_leaves, resolve_leaves
from .gumbel_tree import (
    IDLE,
    NO_NODE,
    NUM_NODES,
    PHASE,
    ROOT,
    WAITING_FOR_EVAL,
    GumbelTreeBatch,
    allocate_scratch,
    allocate_trees,
    considered_visits_table,
    copy_subtree,
)
from .interfaces import Evaluator, has_expired, moves_since

DEFAULT_NODE_CAPACITY = 20_000  # nodes of a tree

LEAF_BATCH = 4  # leaves that are answered at once: more are cheaper each, and know less of each other

PLAY_PARAMS = GumbelParams(  # how many simulations is for the search to say
    num_simulations=0,
    max_num_considered_actions=16,
    value_scale=0.1,
    maxvisit_init=50.0,
    gumbel_scale=0.0,
    sequential_halving=0,
    is_selfplay=0,
    opening_moves=0,
)


class GumbelRootMove(NamedTuple):
    """A move at the root."""

    move: int
    visits: int
    value: float  # for the seat to move, 0 to 1
    prior: float
    is_final: bool  # whether the move ends the game

    @property
    def is_win(self) -> bool:
        """Whether the move wins at once."""
        return self.is_final and self.value == 1.0


class GumbelSearch:
    """Grows one tree, and keeps what counts of it between moves; the same net, visits and past give the same tree."""

    def __init__(self, game: Game, evaluator: Evaluator, capacity: int = DEFAULT_NODE_CAPACITY) -> None:
        self.game = game
        self.evaluator = evaluator
        self.capacity = capacity
        self.trees: GumbelTreeBatch = allocate_trees(game, 1, capacity)
        self._spare_trees: GumbelTreeBatch = allocate_trees(game, 1, capacity)
        self._source_nodes = np.zeros(capacity, np.int32)
        self.root: Position | None = None
        self.evals = allocate_evaluations(game, LEAF_BATCH)
        self.pending = allocate_pending_leaves(game.start_row(), LEAF_BATCH)
        self.schedule = considered_visits_table(1, 1)
        self._scratch = allocate_scratch(game)
        kernel_args = (self.trees, self.pending, self.evals)
        self._collect_leaves: Any = compile_for(collect_leaves, game.rules, *kernel_args, PLAY_PARAMS, self.schedule, 1, 1)
        self._resolve_leaves: Any = compile_for(resolve_leaves, game.rules, *kernel_args, self._scratch, PLAY_PARAMS, 1)
        self._copy_subtree: Any = compile_for(copy_subtree, self.trees, 0, self._spare_trees, self._source_nodes)

    def set_root(self, position: Position) -> None:
        """Think about this position from now on, with what is known of it already."""
        moves = moves_since(self.root, position)
        node = NO_NODE if moves is None else self._find_node(moves)
        self.root = position
        is_expanded = node != NO_NODE and self.trees.num_edges[0, node] > 0
        if is_expanded and node != ROOT:
            self._copy_subtree(self.trees, node, self._spare_trees, self._source_nodes)
            self.trees, self._spare_trees = self._spare_trees, self.trees
        self.trees = set_root_row(self.trees, position.row)
        if self.pending.rows.shape[1] != len(position.row):
            self.pending = allocate_pending_leaves(position.row, LEAF_BATCH)
        self.trees.counters[0, PHASE] = WAITING_FOR_EVAL if is_expanded else IDLE
        if not is_expanded:
            self.trees.counters[0, NUM_NODES] = 0

    def _find_node(self, moves: list[int]) -> int:
        """The node that some steps from the root lead to, NO_NODE when it has not been reached."""
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
        """As if nothing had been thought of before."""
        self.root = None

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or somebody cancels; yields after each few answers of the net."""
        deadline = None if seconds is None else time.monotonic() + seconds
        visit_limit = min(self.capacity - 2, max_visits if max_visits is not None else self.capacity)
        is_new = self.trees.counters[0, PHASE] == IDLE
        try:
            while is_new or not (cancelled.is_set() or self.visits >= visit_limit or has_expired(deadline)):
                kernel_args = (self.trees, self.pending, self.evals)
                leaf_limits = (self._leaf_batch_size(visit_limit), max(visit_limit, 1))
                count = self._collect_leaves(self.game.rules, *kernel_args, PLAY_PARAMS, self.schedule, *leaf_limits)
                if count:
                    logits, values = self.evaluator.evaluate(self.evals.planes[:count])
                    self.evals.logits[:count], self.evals.values[:count] = logits, values
                    self._resolve_leaves(self.game.rules, *kernel_args, self._scratch, PLAY_PARAMS, count)
                is_new = False
                yield
        except Exception:
            self.reset()  # some leaves still wait for the net
            raise

    def _leaf_batch_size(self, visit_limit: int) -> int:
        """How many leaves are sought at once: few in a young tree, which would follow the policy alone."""
        return max(1, min(LEAF_BATCH, visit_limit - self.visits, self.visits // LEAF_BATCH))

    @property
    def visits(self) -> int:
        """Simulations so far."""
        return int(self.trees.visits[0, ROOT]) if self.trees.counters[0, NUM_NODES] else 0

    def root_moves(self, seat: int) -> list[GumbelRootMove]:
        """The moves from the root, the best first."""
        trees = self.trees
        count = int(trees.num_edges[0, ROOT])
        unsorted_moves = [self._make_root_move(edge, seat) for edge in range(max(count, 0))]
        return sorted(unsorted_moves, key=lambda branch: (branch.is_win, branch.visits, branch.prior), reverse=True)

    def _make_root_move(self, edge: int, seat: int) -> GumbelRootMove:
        trees = self.trees
        child = int(trees.child[0, edge])
        move, prior = int(trees.move[0, edge]), float(trees.prior[0, edge])
        if child == NO_NODE or not trees.visits[0, child]:
            return GumbelRootMove(move, 0, 0.5, prior, False)
        mean = float(trees.value_sum[0, child]) / int(trees.visits[0, child])
        value = 0.5 + 0.5 * (mean if seat == 0 else -mean)
        return GumbelRootMove(move, int(trees.visits[0, child]), value, prior, int(trees.result[0, child]) != ONGOING)

    def principal_variation(self, move: int, max_length: int = 12) -> list[int]:
        """How the game may go on from a move at the root: the most visited moves."""
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
    """A forest of one tree that searches a position; a longer row needs a longer place."""
    if len(row) != trees.root_row.shape[1]:
        return trees._replace(root_row=row[np.newaxis].copy(), leaf_row=row[np.newaxis].copy())
    trees.root_row[0] = row
    return trees
