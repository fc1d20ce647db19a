"""A search that thinks about one position after another: it keeps its tree between moves and stops on time."""
# MERGED DOCSTRING: """A search by playouts with a net as its advisor, in one thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from ..games.definition import GuidanceParams, MctsParams
from ..games.game import Game, Position
from ..jit.kernel import compile_for
from ..jit.prng import make_rng
from ..rules.interface import DRAW, ONGOING, outcome_value
from .interfaces import Evaluator, moves_since
from .mcts import (
    MAX_DEPTH,
    EvalRequests,
    MctsScratch,
    apply_evaluations,
    must_flush,
    run_guided_simulations,
    run_simulations,
)
from .mcts_tree import NO_NODE, ROOT, MctsTree, allocate_tree, copy_subtree, node_bytes, reset_tree

TREE_BYTES = 256 << 20  # bytes for both trees of a thread: the one that grows, and the one that it is replanted into

CHUNK_SECONDS = 0.004  # seconds between two looks at the clock

FIRST_CHUNK = 16  # simulations before the speed is known


class RootMove(NamedTuple):
    """A move at the root, with what all trees together know of it."""

    move: int
    visits: int
    value: float  # for the seat to move
    rave_value: float  # the same, with what later moves say: of use when visits are few
    proven: int  # ONGOING, or the outcome


class SearchThread(NamedTuple):
    """One thread's tree, and what it works with."""

    tree: MctsTree
    spare: MctsTree
    scratch: MctsScratch


class MctsSearch:
    """Monte Carlo tree search in one tree a thread; the same seed and visits give the same tree."""

    def __init__(
        self, game: Game, params: MctsParams, *, seed: int = 0, threads: int = 1, tree_bytes: int = TREE_BYTES
    ) -> None:
        self.game = game
        self.params = params
        capacity = max(tree_bytes // threads // (2 * node_bytes()), 2 * game.max_legal_moves)
        self.search_threads = [self._make_search_thread(capacity, seed, stream) for stream in range(threads)]
        self.root: Position | None = None
        self._num_started = 0  # simulations
        self._executor = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._run_simulations: Any = self._compile_kernel()

    def _compile_kernel(self) -> Any:
        tree, _, scratch = self.search_threads[0]
        return compile_for(run_simulations, self.game.rules, tree, self.game.start_row(), scratch, self.params, 1)

    def _make_search_thread(self, capacity: int, seed: int, stream: int) -> SearchThread:
        game = self.game
        scratch = MctsScratch(
            row=game.start_row(),
            moves=np.zeros(game.max_legal_moves, np.int16),
            amaf_moves=np.zeros((2, game.move_count), np.float32),
            scores=np.zeros(game.max_legal_moves, np.int32),
            path=np.zeros(MAX_DEPTH, np.int32),
            rng=make_rng(seed, stream),
        )
        return SearchThread(allocate_tree(capacity), allocate_tree(capacity), scratch)

    def set_root(self, position: Position) -> None:
        """Think about this position from now on, with what is known of it already."""
        moves = moves_since(self.root, position)
        self.root = position
        self.search_threads = [reuse_tree(grove, moves, position) for grove in self.search_threads]

    def reset(self, seed: int) -> None:
        """As if nothing had been thought of before."""
        self.root = None
        self._num_started = 0
        for stream, thread in enumerate(self.search_threads):
            thread.scratch.rng[:] = make_rng(seed, stream)

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached, the root is proven or somebody cancels; yields at every breath."""
        deadline = None if seconds is None else time.monotonic() + seconds
        remaining = None if max_visits is None else max(max_visits - self.visits, 0)
        chunk = FIRST_CHUNK
        while not cancelled.is_set() and (remaining is None or remaining > 0) and not self.is_proven():
            count = chunk if remaining is None else min(chunk, remaining)
            started_at = time.monotonic()
            self.run_chunk(count)
            now = time.monotonic()
            remaining = None if remaining is None else remaining - count
            yield
            if deadline is not None and now >= deadline:
                return
            target_seconds = CHUNK_SECONDS if deadline is None else min(CHUNK_SECONDS, deadline - now)
            chunk = max(1, min(2 * chunk, int(count * target_seconds / max(now - started_at, 1e-6))))

    def run_chunk(self, count: int) -> None:
        """Share so many simulations between the trees, evenly over all breaths."""
        num_trees = len(self.search_threads)
        counts = [
            (self._num_started + count + tree) // num_trees - (self._num_started + tree) // num_trees
            for tree in range(num_trees)
        ]
        self._num_started += count
        futures = [
            self._executor.submit(self._run_thread, grove, share)
            for grove, share in zip(self.search_threads[1:], counts[1:], strict=True)
            if self._executor is not None
        ]
        self._run_thread(self.search_threads[0], counts[0])
        for future in futures:
            future.result()
        self.search_threads = [self._prune_if_full(grove) for grove in self.search_threads]

    def _run_thread(self, thread: SearchThread, count: int) -> None:
        assert self.root is not None
        self._run_simulations(self.game.rules, thread.tree, self.root.row, thread.scratch, self.params, count)

    def _prune_if_full(self, thread: SearchThread) -> SearchThread:
        """A full tree gives up the branches that were visited least."""
        tree, spare, scratch = thread
        min_visits = 2 * self.params.expansion_threshold
        while tree.num_nodes[0] + self.game.max_legal_moves > len(tree.move):
            copy_subtree(tree, ROOT, min_visits, spare)
            tree, spare = spare, tree
            min_visits *= 2
        return SearchThread(tree, spare, scratch)

    @property
    def visits(self) -> int:
        """Simulations that count for this position."""
        return sum(int(grove.tree.visits[ROOT]) for grove in self.search_threads)

    def is_proven(self) -> bool:
        """Whether some tree has settled the position."""
        return any(grove.tree.proven[ROOT] != ONGOING for grove in self.search_threads)

    def root_moves(self) -> list[RootMove]:
        """The moves from the root, the best first."""
        assert self.root is not None
        seat = 1 if self.root.seat == 1 else 0
        trees = [grove.tree for grove in self.search_threads if grove.tree.first_child[ROOT] != NO_NODE]
        unsorted_moves = merge_root_moves(trees, len(self.root.move_ids()), seat) if trees else []
        return sorted(unsorted_moves, key=lambda branch: root_move_order(branch, seat), reverse=True)

    def principal_variation(self, move: int, max_length: int = 12) -> list[int]:
        """How the game may go on from a move at the root: the most visited moves, for the winner the quickest."""
        tree = max((grove.tree for grove in self.search_threads), key=lambda tree: int(tree.visits[ROOT]))
        return extend_principal_variation(tree, find_node(tree, [move]), [move], max_length)


def reuse_tree(thread: SearchThread, moves: list[int] | None, position: Position) -> SearchThread:
    """The part of a tree that still counts after some steps; a new one when they are not known."""
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
    """The node that some steps from the root lead to, NO_NODE when it has not been reached."""
    node = ROOT
    for move in path_moves:
        first = int(tree.first_child[node])
        if first == NO_NODE:
            return NO_NODE
        moves = tree.move[first : first + int(tree.child_count[node])]
        node = first + int(np.flatnonzero(moves == move)[0])
    return node


def merge_root_moves(trees: list[MctsTree], count: int, seat: int) -> list[RootMove]:
    """What all trees know of the moves at the root; one proof is enough. All moves at once: others wait for Python."""
    children = [slice(first, first + count) for first in (int(tree.first_child[ROOT]) for tree in trees)]
    root_children = list(zip(trees, children, strict=True))
    visits, value_sum = np.zeros(count, np.int64), np.zeros(count)
    for tree, root_slice in root_children:
        visits += tree.visits[root_slice]
        value_sum += tree.mean[root_slice].astype(np.float64) * tree.visits[root_slice]
    tree, root_slice = root_children[0]
    first = tree.mean[root_slice]
    means = np.where(visits, value_sum / np.maximum(visits, 1), first)
    rave_values = first + tree.rave_beta[root_slice] * (tree.amaf_mean[root_slice] - first)
    proven = np.full(count, ONGOING, np.int64)
    for other, other_slice in reversed(root_children):
        proven = np.where(other.proven[other_slice] != ONGOING, other.proven[other_slice], proven)
    columns = (array.tolist() for array in (tree.move[root_slice], visits, means, rave_values, proven))
    return [make_root_move(seat, *column) for column in zip(*columns, strict=True)]


def make_root_move(seat: int, move: int, visits: int, mean: float, rave_value: float, proven: int) -> RootMove:
    """One move, its values those of a seat; a proof says both."""
    if proven != ONGOING:
        mean = rave_value = outcome_value(proven)
    return RootMove(move, visits, value_for_seat(mean, seat), value_for_seat(rave_value, seat), proven)


def value_for_seat(value: float, seat: int) -> float:
    """A seat's part of what seat 0 gets."""
    return value if seat == 0 else 1 - value


def root_move_order(root_move: RootMove, seat: int) -> tuple[float, int]:
    """Proven wins before all, proven losses after all, and visits between."""
    proof_rank = 0.0 if root_move.proven in (ONGOING, DRAW) else 2 * root_move.value - 1
    return proof_rank, root_move.visits


def extend_principal_variation(tree: MctsTree, node: int, moves: list[int], max_length: int) -> list[int]:
    """Go on with the move that was visited most; a proven result is played out by moves that keep it."""
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


EVAL_BATCH = 4  # questions that are answered at once: more are cheaper each, and wait longer


class GuidedMctsSearch(MctsSearch):
    """Monte Carlo tree search that asks a net about the nodes that count; the same seed and visits give the same tree."""

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
        self._reused_visits = self._new_visits = 0  # visits from before this position, and simulations since
        self.requests = EvalRequests(
            nodes=np.zeros(EVAL_BATCH, np.int32),
            planes=np.zeros((EVAL_BATCH, len(game.board), len(game.planes)), np.int8),
            num_pending=np.zeros(1, np.int64),
        )
        super().__init__(game, params, seed=seed, tree_bytes=tree_bytes)

    def _compile_kernel(self) -> Any:
        tree, _, scratch = self.search_threads[0]
        guidance_args = (self.guidance, self.requests)
        return compile_for(
            run_guided_simulations, self.game.rules, tree, self.game.start_row(), scratch, self.params, *guidance_args, 1
        )

    def set_root(self, position: Position) -> None:
        """Think about this position from now on; what was asked about nodes that have moved is forgotten."""
        tree = self.search_threads[0].tree
        simulation_share = self.visits / max(super().visits, 1)  # of the tree's visits that were simulations
        super().set_root(position)
        if self.search_threads[0].tree is not tree or not tree.visits[0]:
            self.requests.num_pending[0] = 0
        self._reused_visits, self._new_visits = round(simulation_share * super().visits), 0

    @property
    def visits(self) -> int:
        """Simulations that count for the position; the tree's own visits count advice too."""
        return self._reused_visits + self._new_visits

    def run_chunk(self, count: int) -> None:
        """Run so many simulations, and have questions answered as they become urgent."""
        remaining = count
        while remaining and not self.is_proven():
            completed = self._simulate_until_flush(remaining)
            remaining -= completed
            self._new_visits += completed
            if must_flush(self.requests):
                self.flush_requests()
        self.search_threads = [self._prune_if_full(self.search_threads[0])]

    def _simulate_until_flush(self, count: int) -> int:
        assert self.root is not None
        tree, _, scratch = self.search_threads[0]
        guidance_args = (self.guidance, self.requests)
        completed: int = self._run_simulations(
            self.game.rules, tree, self.root.row, scratch, self.params, *guidance_args, count
        )
        return completed

    def flush_requests(self) -> None:
        """Have all questions answered."""
        count = int(self.requests.num_pending[0])
        logits, values = self.evaluator.evaluate(self.requests.planes[:count])
        apply_evaluations(self.search_threads[0].tree, self.requests, logits, values, self.params, self.guidance)

    def _prune_if_full(self, thread: SearchThread) -> SearchThread:
        num_nodes = thread.tree.num_nodes[0]
        pruned = super()._prune_if_full(thread)
        if pruned.tree.num_nodes[0] != num_nodes:
            self.requests.num_pending[0] = 0
        return pruned
