"""Drivers of Monte Carlo tree search: root-parallel UCT, and UCT guided by a net in one thread.

A driver searches one position after another. It reuses the subtree of the position that the game has reached, prunes a tree
that is full, and runs simulations in chunks of a few milliseconds, so that it stops on time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from ..games.definition import GuidanceParams, MctsParams
from ..games.game import Game
from ..games.position import Position
from ..jit.interpreted import interpret
from ..jit.kernel import compile_for
from ..jit.prng import make_rng
from ..rules.interface import DRAW, ONGOING, outcome_value
from .interfaces import NO_NODE, ROOT, Evaluator, RootMove, SearchClock, moves_since
from .mcts import (
    MAX_DEPTH,
    EvalRequests,
    GuidedPolicy,
    MctsScratch,
    PlainPolicy,
    apply_evaluations,
    must_flush,
    run_simulations,
)
from .mcts_tree import MctsTree, add_children, allocate_tree, copy_subtree, node_bytes, reset_tree

TREE_BYTES = 256 << 20  # for the trees of all threads, and a spare one of each to copy subtrees into
CHUNK_SECONDS = 0.004  # of simulations between two looks at the clock
FIRST_CHUNK = 16  # simulations before the speed is known
EVAL_BATCH = 4  # evaluation requests per call of the net: larger batches cost less each, but results arrive later


class SearchThread(NamedTuple):
    """Tree and buffers of one thread."""

    tree: MctsTree
    spare: MctsTree
    scratch: MctsScratch


class MctsSearch:
    """Root-parallel MCTS, one tree per thread; the same seed and visits give the same trees."""

    def __init__(
        self, game: Game, params: MctsParams, *, seed: int = 0, threads: int = 1, tree_bytes: int = TREE_BYTES
    ) -> None:
        self.game = game
        self.params = params
        capacity = max(tree_bytes // threads // (2 * node_bytes()), 2 * game.max_legal_moves)
        self.search_threads = [self._make_search_thread(capacity, seed, stream) for stream in range(threads)]
        self.root: Position | None = None
        self._is_root_restricted = False
        self._num_started = 0  # simulations
        self._executor = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.policy: PlainPolicy | GuidedPolicy = self._make_policy()
        tree, _, scratch = self.search_threads[0]
        kernel_args = (game.rules, self.policy, tree, game.start_row(), scratch)
        self._run_simulations: Any = compile_for(run_simulations, *kernel_args, 1)

    def _make_policy(self) -> PlainPolicy | GuidedPolicy:
        return PlainPolicy(self.params)

    def _make_search_thread(self, capacity: int, seed: int, stream: int) -> SearchThread:
        game = self.game
        scratch = MctsScratch(
            row=game.start_row(),
            moves=np.zeros(game.max_legal_moves, np.int16),
            amaf_moves=np.zeros((2, game.num_actions), np.float32),
            scores=np.zeros(game.max_legal_moves, np.int32),
            path=np.zeros(MAX_DEPTH, np.int32),
            rng=make_rng(seed, stream),
        )
        return SearchThread(allocate_tree(capacity), allocate_tree(capacity), scratch)

    def set_root(self, position: Position, root_moves: Sequence[int] | None = None) -> None:
        """Search `position` from now on; its subtree is reused if it was reached from the last root by a few moves.

        With `root_moves`, only these moves are searched in the position itself, in trees that are not reused.
        """
        has_full_trees = root_moves is None and not self._is_root_restricted
        moves = moves_since(self.root, position) if has_full_trees else None
        self.root = position
        self.search_threads = [reuse_tree(thread, moves, position) for thread in self.search_threads]
        self._is_root_restricted = root_moves is not None
        if root_moves is not None:
            for thread in self.search_threads:
                self._expand_root(thread.tree, position, root_moves)

    def _expand_root(self, tree: MctsTree, position: Position, root_moves: Sequence[int]) -> None:
        """Expand the unvisited root of a tree with some of the legal moves."""
        urgency = self.params.first_play_urgency
        tree.seat[ROOT] = position.seat or 0
        first_play_value = urgency if tree.seat[ROOT] == 0 else 1.0 - urgency
        interpret(add_children)(tree, ROOT, root_moves, len(root_moves), first_play_value)

    def reset(self, seed: int) -> None:
        """Forget the root, so that the next one starts new trees, and reseed the generators."""
        self.root = None
        self._num_started = 0
        for stream, thread in enumerate(self.search_threads):
            thread.scratch.rng[:] = make_rng(seed, stream)

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached, the root is proven or `cancelled` is set; yields after every chunk.

        At least one chunk is run unless the visits are reached, the root is proven or the search is cancelled already.
        """
        clock = SearchClock(seconds, cancelled)
        remaining = None if max_visits is None else max(max_visits - self.visits, 0)
        chunk = FIRST_CHUNK
        while not clock.is_cancelled() and (remaining is None or remaining > 0) and not self.is_proven():
            count = chunk if remaining is None else min(chunk, remaining)
            started_at = time.monotonic()
            self.run_chunk(count)
            chunk_seconds = time.monotonic() - started_at
            remaining = None if remaining is None else remaining - count
            yield
            if clock.must_stop():
                return
            target_seconds = min(CHUNK_SECONDS, clock.seconds_left)
            chunk = max(1, min(2 * chunk, int(count * target_seconds / max(chunk_seconds, 1e-6))))

    def run_chunk(self, count: int) -> None:
        """Run `count` simulations, divided evenly among the root-parallel trees; prunes trees that are full then."""
        num_trees = len(self.search_threads)
        counts = [
            (self._num_started + count + tree) // num_trees - (self._num_started + tree) // num_trees
            for tree in range(num_trees)
        ]
        self._num_started += count
        futures = [
            self._executor.submit(self._simulate, thread, thread_count)
            for thread, thread_count in zip(self.search_threads[1:], counts[1:], strict=True)
            if self._executor is not None
        ]
        self._simulate(self.search_threads[0], counts[0])
        for future in futures:
            future.result()
        self.search_threads = [self._prune_if_full(thread) for thread in self.search_threads]

    def _simulate(self, thread: SearchThread, count: int) -> int:
        """Run at most `count` simulations in one tree; return their number."""
        assert self.root is not None
        row = self.root.row
        completed: int = self._run_simulations(self.game.rules, self.policy, thread.tree, row, thread.scratch, count)
        return completed

    def _prune_if_full(self, thread: SearchThread) -> SearchThread:
        """Turn the least visited nodes of a full tree into leaves until one more expansion fits."""
        tree, spare, scratch = thread
        min_visits = 2 * self.params.expansion_threshold
        while tree.num_nodes[0] + self.game.max_legal_moves > len(tree.move):
            copy_subtree(tree, ROOT, min_visits, spare)
            tree, spare = spare, tree
            min_visits *= 2
        return SearchThread(tree, spare, scratch)

    @property
    def visits(self) -> int:
        """Simulations at the root, those of reused trees included."""
        return sum(int(thread.tree.visits[ROOT]) for thread in self.search_threads)

    def is_proven(self) -> bool:
        """Return whether some tree has proven the outcome of the root."""
        return any(thread.tree.proven[ROOT] != ONGOING for thread in self.search_threads)

    def root_moves(self) -> list[RootMove]:
        """Return the moves at the root, the best first; an empty list before the root is expanded."""
        assert self.root is not None
        seat = 1 if self.root.seat == 1 else 0
        trees = [thread.tree for thread in self.search_threads if thread.tree.first_child[ROOT] != NO_NODE]
        unsorted_moves = merge_root_moves(trees, int(trees[0].child_count[ROOT]), seat) if trees else []
        return sorted(unsorted_moves, key=root_move_order, reverse=True)

    def principal_variation(self, move: int, max_length: int = 12) -> list[int]:
        """Return the principal variation that begins with `move`, by the tree with the most visits."""
        tree = max((thread.tree for thread in self.search_threads), key=lambda tree: int(tree.visits[ROOT]))
        return extend_principal_variation(tree, find_node(tree, [move]), [move], max_length)


def reuse_tree(thread: SearchThread, moves: list[int] | None, position: Position) -> SearchThread:
    """Make the node that `moves` lead to the root; start a new tree if it is not in the tree or `moves` is None."""
    tree, spare, scratch = thread
    node = NO_NODE if moves is None else find_node(tree, moves)
    if node == NO_NODE:
        reset_tree(tree)
    elif node != ROOT:
        copy_subtree(tree, node, 0, spare)
        tree, spare = spare, tree
    if len(scratch.row) != len(position.row):
        scratch = scratch._replace(row=position.row.copy())
    return SearchThread(tree, spare, scratch)


def find_node(tree: MctsTree, path_moves: list[int]) -> int:
    """Return the node that moves from the root lead to, NO_NODE if it is not in the tree."""
    node = ROOT
    for move in path_moves:
        first = int(tree.first_child[node])
        if first == NO_NODE:
            return NO_NODE
        moves = tree.move[first : first + int(tree.child_count[node])]
        node = first + int(np.flatnonzero(moves == move)[0])
    return node


def merge_root_moves(trees: list[MctsTree], count: int, seat: int) -> list[RootMove]:
    """Sum the statistics of the `count` root moves over all trees; a proof in one tree is enough.

    Unvisited moves, RAVE values and priors are those of the first tree. Works on whole arrays, because it holds the GIL.
    """
    children = [slice(first, first + count) for first in (int(tree.first_child[ROOT]) for tree in trees)]
    root_children = list(zip(trees, children, strict=True))
    visits, value_sum = np.zeros(count, np.int64), np.zeros(count)
    for tree, root_slice in root_children:
        visits += tree.visits[root_slice]
        value_sum += tree.mean[root_slice].astype(np.float64) * tree.visits[root_slice]
    tree, root_slice = root_children[0]
    first_mean = tree.mean[root_slice]
    means = np.where(visits, value_sum / np.maximum(visits, 1), first_mean)
    rave_values = first_mean + tree.rave_beta[root_slice] * (tree.amaf_mean[root_slice] - first_mean)
    proven = np.full(count, ONGOING, np.int64)
    for other, other_slice in reversed(root_children):
        proven = np.where(other.proven[other_slice] != ONGOING, other.proven[other_slice], proven)
    arrays = (tree.move[root_slice], visits, means, rave_values, tree.prior[root_slice], proven)
    columns = (array.tolist() for array in arrays)
    return [for_seat(RootMove(*column), seat) for column in zip(*columns, strict=True)]


def for_seat(root_move: RootMove, seat: int) -> RootMove:
    """Convert a root move's values from seat 0 to `seat`; a proven outcome replaces them."""
    value, rave_value = root_move.value, root_move.rave_value
    if root_move.proven != ONGOING:
        value = rave_value = outcome_value(root_move.proven)
    return root_move._replace(value=value_for_seat(value, seat), rave_value=value_for_seat(rave_value, seat))


def value_for_seat(value: float, seat: int) -> float:
    """Convert a value from 0 to 1 for seat 0 into one for `seat`."""
    return value if seat == 0 else 1 - value


def root_move_order(root_move: RootMove) -> tuple[float, int]:
    """Return the sort key of a root move, best last: proven wins, then visits, proven losses lowest."""
    proof_rank = 0.0 if root_move.proven in (ONGOING, DRAW) else 2 * root_move.value - 1
    return proof_rank, root_move.visits


def extend_principal_variation(tree: MctsTree, node: int, moves: list[int], max_length: int) -> list[int]:
    """Append the most visited moves below `node` to `moves`; below a proven node, those that keep its outcome.

    Returns `moves`, at most `max_length` long.
    """
    while node != NO_NODE and tree.first_child[node] != NO_NODE and len(moves) < max_length:
        first = int(tree.first_child[node])
        children = slice(first, first + int(tree.child_count[node]))
        visits = tree.visits[children].astype(np.int64)
        if tree.proven[node] != ONGOING:
            visits[tree.proven[children] == tree.proven[node]] += 1 << 40
        node = first + int(np.argmax(visits))
        if tree.visits[node] == 0:
            break
        moves.append(int(tree.move[node]))
    return moves


class GuidedMctsSearch(MctsSearch):
    """MCTS guided by a net, in one thread; the same seed and visits give the same tree."""

    policy: GuidedPolicy

    def __init__(
        self,
        game: Game,
        params: MctsParams,
        guidance: GuidanceParams,
        evaluator: Evaluator,
        *,
        seed: int = 0,
        tree_bytes: int = TREE_BYTES,
    ) -> None:
        self.guidance = guidance
        self.evaluator = evaluator
        self._reused_visits = self._new_visits = (
            0  # simulations before and since this root; the tree counts virtual ones too
        )
        self.requests = EvalRequests(
            nodes=np.zeros(EVAL_BATCH, np.int32),
            planes=np.zeros((EVAL_BATCH, len(game.board), game.encoding.num_planes), np.int8),
            num_pending=np.zeros(1, np.int64),
        )
        super().__init__(game, params, seed=seed, tree_bytes=tree_bytes)

    def _make_policy(self) -> GuidedPolicy:
        return GuidedPolicy(self.params, self.guidance, self.requests)

    def set_root(self, position: Position, root_moves: Sequence[int] | None = None) -> None:
        """Search `position` from now on; drops requests for nodes of a tree that is no longer in use."""
        tree = self.search_threads[0].tree
        simulation_share = self.visits / max(super().visits, 1)  # the rest are virtual playouts
        super().set_root(position, root_moves)
        if self.search_threads[0].tree is not tree or not tree.visits[ROOT]:
            self.requests.num_pending[0] = 0
        self._reused_visits, self._new_visits = round(simulation_share * super().visits), 0

    @property
    def visits(self) -> int:
        """Simulations at the root, without the virtual playouts that the tree counts for evaluations."""
        return self._reused_visits + self._new_visits

    def run_chunk(self, count: int) -> None:
        """Run `count` simulations, or fewer if the root is proven; evaluates requests when they must be flushed."""
        remaining = count
        while remaining and not self.is_proven():
            completed = self._simulate(self.search_threads[0], remaining)
            remaining -= completed
            self._new_visits += completed
            if must_flush(self.policy):
                self.flush_requests()
        self.search_threads = [self._prune_if_full(self.search_threads[0])]

    def flush_requests(self) -> None:
        """Evaluate all pending requests and apply the results to the tree."""
        count = int(self.requests.num_pending[0])
        logits, values = self.evaluator.evaluate(self.requests.planes[:count])
        apply_evaluations(self.search_threads[0].tree, self.policy, logits, values)

    def _prune_if_full(self, thread: SearchThread) -> SearchThread:
        num_nodes = thread.tree.num_nodes[0]
        pruned = super()._prune_if_full(thread)
        if pruned.tree.num_nodes[0] != num_nodes:
            self.requests.num_pending[0] = 0
        return pruned
