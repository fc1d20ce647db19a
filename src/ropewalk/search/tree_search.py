"""A search that thinks about one position after another: it keeps its tree between moves and stops on time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from ..chance import make_rng
from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import DRAW, ONGOING, outcome_value
from .tree import NO_NODE, ROOT, Tree, bytes_a_node, empty_tree, plant, transplant
from .uct import DEEPEST, Scratch, Tuning, simulate

MEMORY = 256 << 20  # bytes for both trees of a thread: the one that grows, and the one that it is replanted into
BREATH = 0.004  # seconds between two looks at the clock
FIRST_BREATH = 16  # simulations before the speed is known
LONGEST_LOOK_BACK = 8  # steps between two positions of a game for which a tree is kept


class Branch(NamedTuple):
    """A move at the root, with what all trees together know of it."""

    move: int
    visits: int
    value: float  # for the seat to move
    looks: float  # the same, with what later moves say: of use when visits are few
    proven: int  # ONGOING, or the outcome


class Grove(NamedTuple):
    """One thread's tree, and what it works with."""

    tree: Tree
    spare: Tree
    scratch: Scratch


class TreeSearch:
    """Monte Carlo tree search in one tree a thread; the same seed and visits give the same tree."""

    def __init__(self, game: Game, tuning: Tuning, *, seed: int = 0, threads: int = 1, memory: int = MEMORY) -> None:
        self.game = game
        self.tuning = tuning
        capacity = max(memory // threads // (2 * bytes_a_node()), 2 * game.max_legal_moves)
        self.groves = [self._grove(capacity, seed, stream) for stream in range(threads)]
        self.root: Position | None = None
        self._begun = 0  # simulations
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._simulate: Any = self._compiled()

    def _compiled(self) -> Any:
        tree, _, scratch = self.groves[0]
        return compile_for(simulate, self.game.rules, tree, self.game.start_row(), scratch, self.tuning, 1)

    def _grove(self, capacity: int, seed: int, stream: int) -> Grove:
        game = self.game
        scratch = Scratch(
            row=game.start_row(),
            moves=np.zeros(game.max_legal_moves, np.int16),
            played=np.zeros((2, game.move_count), np.float32),
            scores=np.zeros(game.max_legal_moves, np.int32),
            path=np.zeros(DEEPEST, np.int32),
            rng=make_rng(seed, stream),
        )
        return Grove(empty_tree(capacity), empty_tree(capacity), scratch)

    def look_at(self, position: Position) -> None:
        """Think about this position from now on, with what is known of it already."""
        steps = steps_between(self.root, position)
        self.root = position
        self.groves = [replanted(grove, steps, position) for grove in self.groves]

    def forget(self, seed: int) -> None:
        """As if nothing had been thought of before."""
        self.root = None
        self._begun = 0
        for stream, grove in enumerate(self.groves):
            grove.scratch.rng[:] = make_rng(seed, stream)

    def run(self, seconds: float | None, visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached, the root is proven or somebody cancels; yields at every breath."""
        deadline = None if seconds is None else time.monotonic() + seconds
        left = None if visits is None else max(visits - self.visits, 0)
        breath = FIRST_BREATH
        while not cancelled.is_set() and (left is None or left > 0) and not self.is_proven():
            count = breath if left is None else min(breath, left)
            began = time.monotonic()
            self.breathe(count)
            now = time.monotonic()
            left = None if left is None else left - count
            yield
            if deadline is not None and now >= deadline:
                return
            pause = BREATH if deadline is None else min(BREATH, deadline - now)
            breath = max(1, min(2 * breath, int(count * pause / max(now - began, 1e-6))))

    def breathe(self, count: int) -> None:
        """Share so many simulations between the trees, evenly over all breaths."""
        trees = len(self.groves)
        shares = [(self._begun + count + tree) // trees - (self._begun + tree) // trees for tree in range(trees)]
        self._begun += count
        helpers = [
            self._pool.submit(self._grow, grove, share)
            for grove, share in zip(self.groves[1:], shares[1:], strict=True)
            if self._pool is not None
        ]
        self._grow(self.groves[0], shares[0])
        for helper in helpers:
            helper.result()
        self.groves = [self._with_room(grove) for grove in self.groves]

    def _grow(self, grove: Grove, count: int) -> None:
        assert self.root is not None
        self._simulate(self.game.rules, grove.tree, self.root.row, grove.scratch, self.tuning, count)

    def _with_room(self, grove: Grove) -> Grove:
        """A full tree gives up the branches that were visited least."""
        tree, spare, scratch = grove
        fewest = 2 * self.tuning.expand_after
        while tree.used[0] + self.game.max_legal_moves > len(tree.move):
            transplant(tree, ROOT, fewest, spare)
            tree, spare = spare, tree
            fewest *= 2
        return Grove(tree, spare, scratch)

    @property
    def visits(self) -> int:
        """Simulations that count for this position."""
        return sum(int(grove.tree.visits[ROOT]) for grove in self.groves)

    def is_proven(self) -> bool:
        """Whether some tree has settled the position."""
        return any(grove.tree.proven[ROOT] != ONGOING for grove in self.groves)

    def branches(self) -> list[Branch]:
        """The moves from the root, the best first."""
        assert self.root is not None
        seat = 1 if self.root.seat == 1 else 0
        trees = [grove.tree for grove in self.groves if grove.tree.first_child[ROOT] != NO_NODE]
        found = branches_of(trees, len(self.root.move_ids()), seat) if trees else []
        return sorted(found, key=lambda branch: preference(branch, seat), reverse=True)

    def line(self, move: int, longest: int = 12) -> list[int]:
        """How the game may go on from a move at the root: the most visited moves, for the winner the quickest."""
        tree = max((grove.tree for grove in self.groves), key=lambda tree: int(tree.visits[ROOT]))
        return line_of(tree, descend(tree, [move]), [move], longest)


def replanted(grove: Grove, steps: list[int] | None, position: Position) -> Grove:
    """The part of a tree that still counts after some steps; a new one when they are not known."""
    tree, spare, scratch = grove
    node = NO_NODE if steps is None else descend(tree, steps)
    if node == NO_NODE:
        plant(tree)
    elif node != ROOT:
        transplant(tree, node, 0, spare)
        tree, spare = spare, tree
    if len(scratch.row) != len(position.row):
        scratch = scratch._replace(row=position.row.copy())
    return Grove(tree, spare, scratch)


def steps_between(before: Position | None, after: Position) -> list[int] | None:
    """The steps from an earlier position of the same game to a later one; None when it is not known to be earlier."""
    if before is None:
        return None
    steps: list[int] = []
    past = after.move_history
    while past is not before.move_history:
        if past.parent is None or len(steps) == LONGEST_LOOK_BACK:
            return None
        steps.append(past.move)
        past = past.parent
    return steps[::-1]


def descend(tree: Tree, steps: list[int]) -> int:
    """The node that some steps from the root lead to, NO_NODE when it has not been reached."""
    node = ROOT
    for step in steps:
        first = int(tree.first_child[node])
        if first == NO_NODE:
            return NO_NODE
        moves = tree.move[first : first + int(tree.child_count[node])]
        node = first + int(np.flatnonzero(moves == step)[0])
    return node


def branches_of(trees: list[Tree], count: int, seat: int) -> list[Branch]:
    """What all trees know of the moves at the root; one proof is enough. All moves at once: others wait for Python."""
    children = [slice(first, first + count) for first in (int(tree.first_child[ROOT]) for tree in trees)]
    seen = list(zip(trees, children, strict=True))
    visits, total = np.zeros(count, np.int64), np.zeros(count)
    for tree, part in seen:
        visits += tree.visits[part]
        total += tree.mean[part].astype(np.float64) * tree.visits[part]
    tree, part = seen[0]
    first = tree.mean[part]
    means = np.where(visits, total / np.maximum(visits, 1), first)
    looks = first + tree.later_share[part] * (tree.later_mean[part] - first)
    proven = np.full(count, ONGOING, np.int64)
    for other, place in reversed(seen):
        proven = np.where(other.proven[place] != ONGOING, other.proven[place], proven)
    columns = (array.tolist() for array in (tree.move[part], visits, means, looks, proven))
    return [branch(seat, *column) for column in zip(*columns, strict=True)]


def branch(seat: int, move: int, visits: int, mean: float, looks: float, proven: int) -> Branch:
    """One move, its values those of a seat; a proof says both."""
    if proven != ONGOING:
        mean = looks = outcome_value(proven)
    return Branch(move, visits, share(mean, seat), share(looks, seat), proven)


def share(value: float, seat: int) -> float:
    """A seat's part of what seat 0 gets."""
    return value if seat == 0 else 1 - value


def preference(branch: Branch, seat: int) -> tuple[float, int]:
    """Proven wins before all, proven losses after all, and visits between."""
    certain = 0.0 if branch.proven in (ONGOING, DRAW) else 2 * branch.value - 1
    return certain, branch.visits


def line_of(tree: Tree, node: int, line: list[int], longest: int) -> list[int]:
    """Go on with the move that was visited most; a proven result is played out by moves that keep it."""
    while node != NO_NODE and tree.first_child[node] != NO_NODE and len(line) < longest:
        first = int(tree.first_child[node])
        children = slice(first, first + int(tree.child_count[node]))
        visits = tree.visits[children].astype(np.int64)
        if tree.proven[node] != ONGOING:
            visits[tree.proven[children] == tree.proven[node]] += 1 << 40
        node = first + int(np.argmax(visits))
        if tree.visits[node] == 0:
            break
        line.append(int(tree.move[node]))
    return line
