"""A walk through all play against a seat's answers, wherever these come from: a file, or a solver that writes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import ellipsis
from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.stepping import Row
from .identity import EXTRA, whole_identity
from .solution import ProofError, Watcher
from .walking import (
    ARRIVED,
    ASKS,
    AT_WORK,
    DONE,
    FULL,
    GOES_ROUND,
    ILLEGAL,
    LEVEL,
    TAKEN,
    TOO_DEEP,
    WALKED,
    Seen,
    Trail,
    move_over,
    walk,
)

PATIENCE = 1 << 17  # steps of one call into the kernel: it cannot be interrupted
FIRST_LEVELS, FIRST_PLACES = 64, 1 << 12

Choose: TypeAlias = Callable[[Position, int, bool], int]  # an answer in a position, for a seat, for a draw or a win


class Supply(Protocol):
    """Where a walk has its answers from."""

    ids: NDArray[np.int64]
    used: int  # of them

    def refill(self, position: Position, seat: int, draw: bool) -> None:
        """More answers, the first of them in this position."""


class Chosen:
    """Answers that somebody chooses one by one."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.ids = np.zeros(0, np.int64)
        self.used = 0

    def refill(self, position: Position, seat: int, draw: bool) -> None:
        """One more."""
        self.ids, self.used = np.array([self.choose(position, seat, draw)]), 0


class Walker:
    """Walks through all play against a seat's answers, and remembers what it has been through."""

    def __init__(self, game: Game, watcher: Watcher | None = None) -> None:
        self.game = game
        self.watcher = watcher
        self.rules, row = game.without_history(game.start().row)
        self.identity = whole_identity(game, np.random.default_rng())  # keys that nobody could know before
        self.trail = trail_of(game, row, FIRST_LEVELS)
        self.seen: dict[tuple[int, bool], Seen] = {}
        self.counts: dict[tuple[int, bool], int] = {}
        self._walk = compile_for(walk, self.rules, self.identity, self.trail, seen_of(2), np.zeros(0, np.int64), 1)

    @property
    def walked(self) -> int:
        """Positions walked through."""
        return sum(self.counts.values())

    def walk(self, position: Position, seat: int, answers: Supply, *, draw: bool) -> None:
        """Follow a seat's answers to all that the other can do: it must win, or, for a draw, never lose."""
        aim = (seat, draw)
        self.seen.setdefault(aim, seen_of(FIRST_PLACES))
        self.trail.rows[0] = self.game.without_history(position.row)[1]
        self.trail.stages[0] = ARRIVED
        self.trail.counters[:] = 0, self.counts.get(aim, 0), 0, seat, draw
        self.first = position
        found = AT_WORK
        while found != DONE:
            found = self.go_on(aim, answers)
            self.counts[aim] = int(self.trail.counters[WALKED])
            self.help_on(found, aim, answers)
            if self.watcher:
                self.watcher(self.walked, 0, "walking through all play")

    def go_on(self, aim: tuple[int, bool], answers: Supply) -> int:
        """Walk until something is needed."""
        self.trail.counters[TAKEN] = answers.used
        found = self._walk(self.rules, self.identity, self.trail, self.seen[aim], answers.ids, PATIENCE)
        answers.used = int(self.trail.counters[TAKEN])
        return int(found)

    def help_on(self, found: int, aim: tuple[int, bool], answers: Supply) -> None:
        """Bring what the walk needs, or say what is wrong."""
        if found == ASKS:
            answers.refill(self.position(), *aim)
        elif found == TOO_DEEP:
            self.trail = lengthened(self.game, self.trail)
        elif found == FULL:
            self.seen[aim] = widened(self.seen[aim])
        elif found not in (AT_WORK, DONE):
            raise ProofError(self.complaint(found, aim, answers))

    def position(self, steps_back: int = 0) -> Position:
        """Where the walk stands, or stood before it turned back."""
        level = int(self.trail.counters[LEVEL]) + steps_back
        if not self.game.can_repeat:
            return Position.from_row(self.game, self.trail.rows[level].copy())
        position = self.first
        for above in range(level):
            position = position.play_id(int(self.trail.moves[above, self.trail.nexts[above] - 1]))
        return position

    def complaint(self, found: int, aim: tuple[int, bool], answers: Supply) -> str:
        """What is wrong."""
        seat, draw = aim
        if found == ILLEGAL:
            position, move = self.position(), self.game.move_texts[answers.ids[answers.used]]
            answers.used += 1
            return f"{ellipsis(move)} is no answer to {position}: {position.refusal(move)}"
        position = self.position(steps_back=1)
        if found == GOES_ROUND:
            return f"play goes round: {position} comes again before seat {seat} has won"
        over = position.outcome
        return f"seat {seat} does not {'hold' if draw else 'win'}: {over.words if over else ''}, in {position}"


def trail_of(game: Game, row: Row, levels: int) -> Trail:
    """A trail of so many levels for rows like this."""
    rows = np.zeros((levels, len(row)), row.dtype)
    moves = np.zeros((levels, game.max_legal_moves), np.int64)
    counts, nexts, stages, ones, twos = (np.zeros(levels, np.int64) for _ in range(5))
    codes, counters = np.zeros(len(game.board) + EXTRA, np.int64), np.zeros(5, np.int64)
    return Trail(rows, moves, counts, nexts, stages, ones, twos, codes, counters)


def lengthened(game: Game, before: Trail) -> Trail:
    """Twice as many levels, and the trail so far."""
    longer = trail_of(game, before.rows[0], 2 * len(before.counts))
    for old, new in zip(before, longer, strict=True):
        new[: len(old)] = old
    return longer


def seen_of(places: int) -> Seen:
    """An empty table."""
    return Seen(np.zeros(places, np.int64), np.zeros(places, np.int64), np.zeros(places, np.int8))


def widened(before: Seen) -> Seen:
    """Four times the places."""
    wider = seen_of(4 * len(before.states))
    compile_for(move_over, before, wider)(before, wider)
    return wider
