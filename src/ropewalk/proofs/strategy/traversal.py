"""The walk of a proof by strategy, compiled: through all that one seat can do against the other's answers.

It knows the rules and nothing of any solver. Positions are told apart by 126 bits, the same for turned and mirrored ones;
the keys behind them are drawn anew for every walk, so that no file can be made to confuse two positions.
"""
# MERGED DOCSTRING: """A walk through all play against a seat's answers, wherever these come from: a file, or a solver that writes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, Position
from ...jit.kernel import compile_for, kernel
from ...rules.generic import Row, copy_row
from ...rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    is_legal,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from ...text import ellipsis
from ..canonical_hash import EXTRA_CODES, CanonicalHash, Codes, canonical_hash, make_canonical_hash
from ..solver import ProgressCallback, ProofError

RUNNING, DONE, NEEDS_REPLY, ILLEGAL_REPLY, NOT_WON, CYCLE, STACK_FULL, TABLE_FULL = range(
    8
)  # what a call to `traverse` ends with

ENTERED, AWAITING_REPLY, EXPANDED = range(3)  # stages of a level

UNVISITED, ON_STACK, VERIFIED = range(3)  # of a position

LEVEL, NUM_VISITED, REPLIES_USED, SEAT, MAY_DRAW = range(5)  # places of `counters`


class TraversalStack(NamedTuple):
    """The way from the first position to the one that the walk stands at."""

    rows: NDArray[Any]  # [levels, words]
    moves: NDArray[np.int64]  # [levels, moves]: those to walk on by
    num_moves: NDArray[np.int64]  # [levels]: how many they are
    next_move: NDArray[np.int64]  # [levels]: the next of them
    stages: NDArray[np.int64]  # [levels]
    hash_lo: NDArray[np.int64]  # [levels]: hashes
    hash_hi: NDArray[np.int64]
    codes: Codes
    counters: NDArray[np.int64]  # level, positions walked through, answers taken, the seat that answers, whether it may draw


class VisitedTable(NamedTuple):
    """Positions that the walk has come to, by hash."""

    hash_lo: NDArray[np.int64]
    hash_hi: NDArray[np.int64]
    states: NDArray[np.int8]


@kernel
def traverse(
    rules: Any,
    hasher: CanonicalHash,
    stack: TraversalStack,
    visited: VisitedTable,
    replies: NDArray[np.int64],
    max_steps: int,
) -> int:
    """Walk on for so many steps, or until something is needed or wrong."""
    counters = stack.counters
    for _ in range(max_steps):
        level = counters[LEVEL]
        stage = stack.stages[level]
        if stage == ENTERED:
            status = enter_position(rules, hasher, stack, visited, level)
            if status != RUNNING:
                return status
        elif stage == AWAITING_REPLY:
            if counters[REPLIES_USED] == len(replies):
                return NEEDS_REPLY
            if not set_reply(rules, stack, replies[counters[REPLIES_USED]], level):
                return ILLEGAL_REPLY
            counters[REPLIES_USED] += 1
        elif stack.next_move[level] == stack.num_moves[level]:
            visited.states[find_slot(visited, stack.hash_lo[level], stack.hash_hi[level])] = VERIFIED
            counters[LEVEL] = level - 1
        elif level + 1 == len(stack.num_moves):
            return STACK_FULL
        else:
            make_move(rules, stack, level)
        if counters[LEVEL] < 0:
            return DONE
    return RUNNING


@kernel
def enter_position(rules: Any, hasher: CanonicalHash, stack: TraversalStack, visited: VisitedTable, level: int) -> int:
    """Judge a position, go back from one that was seen before, and list where a new one leads."""
    counters = stack.counters
    state = load_state(rules, stack.rows[level])
    result = outcome(rules, state)
    if result != ONGOING:
        counters[LEVEL] = level - 1
        is_accepted = result == counters[SEAT] or (counters[MAY_DRAW] == 1 and result == DRAW)
        return RUNNING if is_accepted else NOT_WON
    position_codes(rules, state, stack.codes)
    hash_lo, hash_hi = canonical_hash(hasher, stack.codes)
    slot = find_slot(visited, hash_lo, hash_hi)
    if visited.states[slot] != UNVISITED:
        counters[LEVEL] = level - 1
        return CYCLE if visited.states[slot] == ON_STACK and counters[MAY_DRAW] == 0 else RUNNING
    if 2 * counters[NUM_VISITED] >= len(visited.states):
        return TABLE_FULL
    visited.hash_lo[slot], visited.hash_hi[slot], visited.states[slot] = hash_lo, hash_hi, ON_STACK
    stack.hash_lo[level], stack.hash_hi[level] = hash_lo, hash_hi
    stack.next_move[level] = 0
    counters[NUM_VISITED] += 1
    if seat_to_move(rules, state) == counters[SEAT]:
        stack.stages[level] = AWAITING_REPLY
    else:
        stack.num_moves[level] = legal_moves(rules, state, stack.moves[level])
        stack.stages[level] = EXPANDED
    return RUNNING


@kernel
def set_reply(rules: Any, stack: TraversalStack, reply: int, level: int) -> bool:
    """Make an answer the only way on, if it is a legal move."""
    if not is_legal(rules, load_state(rules, stack.rows[level]), reply):
        return False
    stack.moves[level, 0], stack.num_moves[level] = reply, 1
    stack.stages[level] = EXPANDED
    return True


@kernel
def make_move(rules: Any, stack: TraversalStack, level: int) -> None:
    """Go to the position after the next move."""
    copy_row(stack.rows[level], stack.rows[level + 1])
    state = apply_move(rules, load_state(rules, stack.rows[level + 1]), stack.moves[level, stack.next_move[level]])
    store_state(rules, state, stack.rows[level + 1])
    stack.next_move[level] += 1
    stack.stages[level + 1] = ENTERED
    stack.counters[LEVEL] = level + 1


@kernel
def find_slot(visited: VisitedTable, hash_lo: int, hash_hi: int) -> int:
    """Where a position stands, or an empty place for it."""
    slot = hash_lo % len(visited.states)
    while visited.states[slot] != UNVISITED and (visited.hash_lo[slot] != hash_lo or visited.hash_hi[slot] != hash_hi):
        slot = slot + 1 if slot + 1 < len(visited.states) else 0
    return slot


@kernel
def rehash(old_table: VisitedTable, new_table: VisitedTable) -> None:
    """Put all positions into a larger table."""
    for index in range(len(old_table.states)):
        if old_table.states[index] != UNVISITED:
            slot = find_slot(new_table, old_table.hash_lo[index], old_table.hash_hi[index])
            new_table.hash_lo[slot], new_table.hash_hi[slot], new_table.states[slot] = (
                old_table.hash_lo[index],
                old_table.hash_hi[index],
                old_table.states[index],
            )


STEPS_PER_CALL = 1 << 17  # steps of one call into the kernel: it cannot be interrupted

INITIAL_LEVELS, INITIAL_SLOTS = 64, 1 << 12

ReplyFunction: TypeAlias = Callable[[Position, int, bool], int]  # an answer in a position, for a seat, for a draw or a win


class ReplySource(Protocol):
    """Where a walk has its answers from."""

    move_ids: NDArray[np.int64]
    num_used: int  # of them

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """More answers, the first of them in this position."""


class OracleReplies:
    """Answers that somebody chooses one by one."""

    def __init__(self, select_reply: ReplyFunction) -> None:
        self.select_reply = select_reply
        self.move_ids = np.zeros(0, np.int64)
        self.num_used = 0

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """One more."""
        self.move_ids, self.num_used = np.array([self.select_reply(position, seat, may_draw)]), 0


class StrategyTraversal:
    """Walks through all play against a seat's answers, and remembers what it has been through."""

    def __init__(self, game: Game, on_progress: ProgressCallback | None = None) -> None:
        self.game = game
        self.on_progress = on_progress
        self.rules, row = game.without_history(game.start().row)
        self.hasher = make_canonical_hash(game, np.random.default_rng())  # keys that nobody could know before
        self.stack = allocate_stack(game, row, INITIAL_LEVELS)
        self.visited: dict[tuple[int, bool], VisitedTable] = {}
        self.num_visited: dict[tuple[int, bool], int] = {}
        self._traverse = compile_for(
            traverse, self.rules, self.hasher, self.stack, allocate_visited(2), np.zeros(0, np.int64), 1
        )

    @property
    def num_positions(self) -> int:
        """Positions walked through."""
        return sum(self.num_visited.values())

    def traverse(self, position: Position, seat: int, replies: ReplySource, *, may_draw: bool) -> None:
        """Follow a seat's answers to all that the other can do: it must win, or, for a draw, never lose."""
        goal = (seat, may_draw)
        self.visited.setdefault(goal, allocate_visited(INITIAL_SLOTS))
        self.stack.rows[0] = self.game.without_history(position.row)[1]
        self.stack.stages[0] = ENTERED
        self.stack.counters[:] = 0, self.num_visited.get(goal, 0), 0, seat, may_draw
        self.start = position
        status = RUNNING
        while status != DONE:
            status = self.resume(goal, replies)
            self.num_visited[goal] = int(self.stack.counters[NUM_VISITED])
            self.handle_status(status, goal, replies)
            if self.on_progress:
                self.on_progress(self.num_positions, 0, "walking through all play")

    def resume(self, goal: tuple[int, bool], replies: ReplySource) -> int:
        """Walk until something is needed."""
        self.stack.counters[REPLIES_USED] = replies.num_used
        status = self._traverse(self.rules, self.hasher, self.stack, self.visited[goal], replies.move_ids, STEPS_PER_CALL)
        replies.num_used = int(self.stack.counters[REPLIES_USED])
        return int(status)

    def handle_status(self, status: int, goal: tuple[int, bool], replies: ReplySource) -> None:
        """Bring what the walk needs, or say what is wrong."""
        if status == NEEDS_REPLY:
            replies.refill(self.current_position(), *goal)
        elif status == STACK_FULL:
            self.stack = grow_stack(self.game, self.stack)
        elif status == TABLE_FULL:
            self.visited[goal] = grow_visited(self.visited[goal])
        elif status not in (RUNNING, DONE):
            raise ProofError(self.describe_error(status, goal, replies))

    def current_position(self, steps_back: int = 0) -> Position:
        """Where the walk stands, or stood before it turned back."""
        level = int(self.stack.counters[LEVEL]) + steps_back
        if not self.game.can_repeat:
            return Position.from_row(self.game, self.stack.rows[level].copy())
        position = self.start
        for parent_level in range(level):
            position = position.play_id(int(self.stack.moves[parent_level, self.stack.next_move[parent_level] - 1]))
        return position

    def describe_error(self, status: int, goal: tuple[int, bool], replies: ReplySource) -> str:
        """What is wrong."""
        seat, may_draw = goal
        if status == ILLEGAL_REPLY:
            position, move = self.current_position(), self.game.move_texts[replies.move_ids[replies.num_used]]
            replies.num_used += 1
            return f"{ellipsis(move)} is no answer to {position}: {position.refusal(move)}"
        position = self.current_position(steps_back=1)
        if status == CYCLE:
            return f"play goes round: {position} comes again before seat {seat} has won"
        outcome = position.outcome
        return f"seat {seat} does not {'hold' if may_draw else 'win'}: {outcome.words if outcome else ''}, in {position}"


def allocate_stack(game: Game, row: Row, levels: int) -> TraversalStack:
    """A trail of so many levels for rows like this."""
    rows = np.zeros((levels, len(row)), row.dtype)
    moves = np.zeros((levels, game.max_legal_moves), np.int64)
    num_moves, next_move, stages, hash_lo, hash_hi = (np.zeros(levels, np.int64) for _ in range(5))
    codes, counters = np.zeros(len(game.board) + EXTRA_CODES, np.int64), np.zeros(5, np.int64)
    return TraversalStack(rows, moves, num_moves, next_move, stages, hash_lo, hash_hi, codes, counters)


def grow_stack(game: Game, old_stack: TraversalStack) -> TraversalStack:
    """Twice as many levels, and the trail so far."""
    new_stack = allocate_stack(game, old_stack.rows[0], 2 * len(old_stack.num_moves))
    for old, new in zip(old_stack, new_stack, strict=True):
        new[: len(old)] = old
    return new_stack


def allocate_visited(num_slots: int) -> VisitedTable:
    """An empty table."""
    return VisitedTable(np.zeros(num_slots, np.int64), np.zeros(num_slots, np.int64), np.zeros(num_slots, np.int8))


def grow_visited(old_table: VisitedTable) -> VisitedTable:
    """Four times the places."""
    new_table = allocate_visited(4 * len(old_table.states))
    compile_for(rehash, old_table, new_table)(old_table, new_table)
    return new_table
