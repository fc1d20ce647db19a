"""A search of one position after another with a net: one tree of a forest, whose leaves the net answers a few at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import ONGOING
from ..rules.stepping import Row
from .forest import AWAITS, NEW, NO_NODE, ROOT, STAGE, USED, Forest, considered_visits, forest_of, scratch_of
from .growing import answers_of
from .gumbel import Tuning
from .replanting import replant
from .together import seek, settle, waiting_of
from .tree_search import steps_between

CAPACITY = 20_000  # nodes of a tree
TOGETHER = 4  # leaves that are answered at once: more are cheaper each, and know less of each other
PLAY = Tuning(  # how many simulations is for the search to say
    simulations=0, considered=16, scale=0.1, visits=50.0, noise=0.0, halving=0, plays=0, opening=0
)


class Judge(Protocol):
    """A net."""

    def answer(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits by move id, and what the seat to move can expect."""


class Branch(NamedTuple):
    """A move at the root."""

    move: int
    visits: int
    value: float  # for the seat to move, 0 to 1
    prior: float
    is_final: bool  # whether the move ends the game

    @property
    def wins(self) -> bool:
        """Whether the move wins at once."""
        return self.is_final and self.value == 1.0


class NetSearch:
    """Grows one tree, and keeps what counts of it between moves; the same net, visits and past give the same tree."""

    def __init__(self, game: Game, judge: Judge, capacity: int = CAPACITY) -> None:
        self.game = game
        self.judge = judge
        self.capacity = capacity
        self.forest: Forest = forest_of(game, 1, capacity)
        self._spare: Forest = forest_of(game, 1, capacity)
        self._origins = np.zeros(capacity, np.int32)
        self.root: Position | None = None
        self.answers = answers_of(game, TOGETHER)
        self.waiting = waiting_of(game.start_row(), TOGETHER)
        self.schedule = considered_visits(1, 1)
        self._scratch = scratch_of(game)
        asked = (self.forest, self.waiting, self.answers)
        self._seek: Any = compile_for(seek, game.rules, *asked, PLAY, self.schedule, 1, 1)
        self._settle: Any = compile_for(settle, game.rules, *asked, self._scratch, PLAY, 1)
        self._replant: Any = compile_for(replant, self.forest, 0, self._spare, self._origins)

    def look_at(self, position: Position) -> None:
        """Think about this position from now on, with what is known of it already."""
        steps = steps_between(self.root, position)
        node = NO_NODE if steps is None else self._descended(steps)
        self.root = position
        is_known = node != NO_NODE and self.forest.width[0, node] > 0
        if is_known and node != ROOT:
            self._replant(self.forest, node, self._spare, self._origins)
            self.forest, self._spare = self._spare, self.forest
        self.forest = with_row(self.forest, position.row)
        if self.waiting.rows.shape[1] != len(position.row):
            self.waiting = waiting_of(position.row, TOGETHER)
        self.forest.numbers[0, STAGE] = AWAITS if is_known else NEW
        if not is_known:
            self.forest.numbers[0, USED] = 0

    def _descended(self, steps: list[int]) -> int:
        """The node that some steps from the root lead to, NO_NODE when it has not been reached."""
        node = ROOT if self.visits else NO_NODE
        for step in steps:
            if node == NO_NODE or self.forest.width[0, node] <= 0:
                return NO_NODE
            node = int(self.forest.child[0, self._edge(node, step)])
        return node

    def _edge(self, node: int, move: int) -> int:
        first = int(self.forest.first[0, node])
        moves = self.forest.move[0, first : first + int(self.forest.width[0, node])]
        return first + int(np.flatnonzero(moves == move)[0])

    def forget(self) -> None:
        """As if nothing had been thought of before."""
        self.root = None

    def run(self, seconds: float | None, visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or somebody cancels; yields after each few answers of the net."""
        deadline = None if seconds is None else time.monotonic() + seconds
        most = min(self.capacity - 2, visits if visits is not None else self.capacity)
        is_new = self.forest.numbers[0, STAGE] == NEW
        try:
            while is_new or not (cancelled.is_set() or self.visits >= most or is_past(deadline)):
                asked = (self.forest, self.waiting, self.answers)
                leaves = (self._together(most), max(most, 1))
                count = self._seek(self.game.rules, *asked, PLAY, self.schedule, *leaves)
                if count:
                    logits, values = self.judge.answer(self.answers.planes[:count])
                    self.answers.logits[:count], self.answers.values[:count] = logits, values
                    self._settle(self.game.rules, *asked, self._scratch, PLAY, count)
                is_new = False
                yield
        except Exception:
            self.forget()  # some leaves still wait for the net
            raise

    def _together(self, most: int) -> int:
        """How many leaves are sought at once: few in a young tree, which would follow the policy alone."""
        return max(1, min(TOGETHER, most - self.visits, self.visits // TOGETHER))

    @property
    def visits(self) -> int:
        """Simulations so far."""
        return int(self.forest.visits[0, ROOT]) if self.forest.numbers[0, USED] else 0

    def branches(self, seat: int) -> list[Branch]:
        """The moves from the root, the best first."""
        forest = self.forest
        count = int(forest.width[0, ROOT])
        found = [self._branch(edge, seat) for edge in range(max(count, 0))]
        return sorted(found, key=lambda branch: (branch.wins, branch.visits, branch.prior), reverse=True)

    def _branch(self, edge: int, seat: int) -> Branch:
        forest = self.forest
        child = int(forest.child[0, edge])
        move, prior = int(forest.move[0, edge]), float(forest.prior[0, edge])
        if child == NO_NODE or not forest.visits[0, child]:
            return Branch(move, 0, 0.5, prior, False)
        mean = float(forest.total[0, child]) / int(forest.visits[0, child])
        value = 0.5 + 0.5 * (mean if seat == 0 else -mean)
        return Branch(move, int(forest.visits[0, child]), value, prior, int(forest.result[0, child]) != ONGOING)

    def line(self, move: int, longest: int = 12) -> list[int]:
        """How the game may go on from a move at the root: the most visited moves."""
        forest = self.forest
        line: list[int] = []
        node = ROOT
        while len(line) < longest and forest.width[0, node] > 0:
            first = int(forest.first[0, node])
            edges = range(first, first + int(forest.width[0, node]))
            edge = max(edges, key=self._tried) if line else self._edge(node, move)
            if line and not self._tried(edge):
                break
            line.append(int(forest.move[0, edge]))
            node = int(forest.child[0, edge])
            if node == NO_NODE:
                break
        return line

    def _tried(self, edge: int) -> int:
        child = int(self.forest.child[0, edge])
        return 0 if child == NO_NODE else int(self.forest.visits[0, child])


def with_row(forest: Forest, row: Row) -> Forest:
    """A forest of one tree that searches a position; a longer row needs a longer place."""
    if len(row) != forest.root.shape[1]:
        return forest._replace(root=row[np.newaxis].copy(), leaf=row[np.newaxis].copy())
    forest.root[0] = row
    return forest


def is_past(deadline: float | None) -> bool:
    """Whether time is up."""
    return deadline is not None and time.monotonic() >= deadline
