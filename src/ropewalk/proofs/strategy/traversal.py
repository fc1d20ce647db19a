"""Depth-first verification of a winning strategy: the kernel, and its driver with any source of replies.

The traversal visits every position that can arise when one seat follows its replies and the other seat plays every legal
move. It depends on the rules and on no solver: checker and proof writer run the same code. For a win the graph must be
acyclic: positions on the current path are marked, and meeting one of them is an error. For a draw a cycle is allowed.

Visited positions are identified by canonical hashes of 126 bits. Their keys are drawn anew for every traversal, so that no
file can be constructed whose positions collide.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...games.position import Position
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
from ..solver import ProgressCallback, ProofError, ProofView

# Statuses that `traverse` returns.
RUNNING, DONE, NEEDS_REPLY, ILLEGAL_REPLY, NOT_WON, CYCLE, STACK_FULL, TABLE_FULL = range(8)
ENTERED, AWAITING_REPLY, EXPANDED = range(3)  # stages of a level
UNVISITED, ON_STACK, VERIFIED = range(3)  # states of a position in the table
LEVEL, NUM_VISITED, REPLIES_USED, SEAT, MAY_DRAW = range(5)  # indices into `counters`

STEPS_PER_CALL = 1 << 17  # per kernel call, which cannot be interrupted
INITIAL_LEVELS, INITIAL_SLOTS = 64, 1 << 12

ReplyFunction: TypeAlias = Callable[[Position, int, bool], int]  # (position, seat, may_draw) -> move id


class TraversalStack(NamedTuple):
    """Path from the first position to the current one."""

    rows: NDArray[Any]  # [levels, words]
    moves: NDArray[np.int64]  # [levels, moves]: ids of the moves to try
    num_moves: NDArray[np.int64]  # [levels]
    next_move: NDArray[np.int64]  # [levels]: index of the next move to try
    stages: NDArray[np.int64]  # [levels]
    hash_lo: NDArray[np.int64]  # [levels]: canonical hashes
    hash_hi: NDArray[np.int64]
    codes: Codes
    counters: NDArray[np.int64]  # [5]: LEVEL, NUM_VISITED, REPLIES_USED, SEAT that follows its replies, MAY_DRAW


class VisitedTable(NamedTuple):
    """Hash table of visited positions, open addressing."""

    hash_lo: NDArray[np.int64]
    hash_hi: NDArray[np.int64]
    states: NDArray[np.int8]  # UNVISITED marks a free slot


@kernel
def traverse(
    rules: Any,
    hasher: CanonicalHash,
    stack: TraversalStack,
    visited: VisitedTable,
    replies: NDArray[np.int64],
    max_steps: int,
) -> int:
    """Run up to `max_steps` steps of the traversal; return a status.

    RUNNING: steps are used up. DONE: all is verified. NEEDS_REPLY, STACK_FULL, TABLE_FULL: the caller must provide more.
    ILLEGAL_REPLY, NOT_WON, CYCLE: the strategy fails. Writes into `stack` and `visited`.
    """
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
    """Check a position: end of the game, visited before, or new and expanded. Return a status."""
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
    """Make a reply the only move of a level; return False if it is illegal."""
    if not is_legal(rules, load_state(rules, stack.rows[level]), reply):
        return False
    stack.moves[level, 0], stack.num_moves[level] = reply, 1
    stack.stages[level] = EXPANDED
    return True


@kernel
def make_move(rules: Any, stack: TraversalStack, level: int) -> None:
    """Play the next move of a level and push the position after it."""
    copy_row(stack.rows[level], stack.rows[level + 1])
    state = apply_move(rules, load_state(rules, stack.rows[level + 1]), stack.moves[level, stack.next_move[level]])
    store_state(rules, state, stack.rows[level + 1])
    stack.next_move[level] += 1
    stack.stages[level + 1] = ENTERED
    stack.counters[LEVEL] = level + 1


@kernel
def find_slot(visited: VisitedTable, hash_lo: int, hash_hi: int) -> int:
    """Return the slot of a position, or the free slot for it."""
    slot = hash_lo % len(visited.states)
    while visited.states[slot] != UNVISITED and (visited.hash_lo[slot] != hash_lo or visited.hash_hi[slot] != hash_hi):
        slot = slot + 1 if slot + 1 < len(visited.states) else 0
    return slot


@kernel
def rehash(old_table: VisitedTable, new_table: VisitedTable) -> None:
    """Copy all entries into a larger, empty table."""
    for index in range(len(old_table.states)):
        if old_table.states[index] != UNVISITED:
            slot = find_slot(new_table, old_table.hash_lo[index], old_table.hash_hi[index])
            new_table.hash_lo[slot], new_table.hash_hi[slot], new_table.states[slot] = (
                old_table.hash_lo[index],
                old_table.hash_hi[index],
                old_table.states[index],
            )


class ReplySource(ABC):
    """Source of replies, handed out in blocks."""

    def __init__(self) -> None:
        self.move_ids = np.zeros(0, np.int64)  # the current block
        self.num_used = 0  # of `move_ids`

    @abstractmethod
    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """Replace `move_ids` by a block whose first reply belongs to `position`, and reset `num_used`."""

    def advance(self, traversal: StrategyTraversal, goal: tuple[int, bool]) -> int:
        """Run the traversal's kernel once with the current block and return its status; advances `num_used`."""
        return traversal.run_kernel(goal, self)


class OracleReplies(ReplySource):
    """Reply source that calls a function for each reply."""

    def __init__(self, select_reply: ReplyFunction) -> None:
        super().__init__()
        self.select_reply = select_reply

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """Ask `select_reply` for the reply to `position` and make it the next one."""
        self.move_ids, self.num_used = np.array([self.select_reply(position, seat, may_draw)]), 0


class StrategyTraversal:
    """Driver of the traversal. Visited positions are kept between claims with the same goal.

    A goal is (seat, may_draw): the seat that follows its replies, and whether a draw is enough for it.
    """

    def __init__(self, game: Game, on_progress: ProgressCallback | None = None) -> None:
        self.game = game
        self.on_progress = on_progress
        self.view = ProofView(game)
        self.rules = self.view.rules
        self.hasher = make_canonical_hash(game, np.random.default_rng())  # keys that no file can anticipate
        self.stack = allocate_stack(game, self.view.start_row, INITIAL_LEVELS)
        self.visited: dict[tuple[int, bool], VisitedTable] = {}
        self.num_visited: dict[tuple[int, bool], int] = {}
        self._traverse = compile_for(
            traverse, self.rules, self.hasher, self.stack, allocate_visited(2), np.zeros(0, np.int64), 1
        )

    @property
    def num_positions(self) -> int:
        """Return the number of positions visited for all goals."""
        return sum(self.num_visited.values())

    def traverse(self, position: Position, seat: int, replies: ReplySource, *, may_draw: bool) -> None:
        """Verify that `seat` wins from `position` by its replies or, with `may_draw`, never loses.

        Raises ProofError if it does not.
        """
        goal = (seat, may_draw)
        self.visited.setdefault(goal, allocate_visited(INITIAL_SLOTS))
        self.stack.rows[0] = self.view.row(position.row)
        self.stack.stages[0] = ENTERED
        self.stack.counters[:] = 0, self.num_visited.get(goal, 0), 0, seat, may_draw
        self.start = position
        status = RUNNING
        while status != DONE:
            status = replies.advance(self, goal)
            self.num_visited[goal] = int(self.stack.counters[NUM_VISITED])
            self.handle_status(status, goal, replies)
            if self.on_progress:
                self.on_progress(self.num_positions, 0, "walking through all play")

    def run_kernel(self, goal: tuple[int, bool], replies: ReplySource) -> int:
        """Run the kernel once with the current block of replies and return its status; advances `replies.num_used`."""
        self.stack.counters[REPLIES_USED] = replies.num_used
        status = self._traverse(self.rules, self.hasher, self.stack, self.visited[goal], replies.move_ids, STEPS_PER_CALL)
        replies.num_used = int(self.stack.counters[REPLIES_USED])
        return int(status)

    def handle_status(self, status: int, goal: tuple[int, bool], replies: ReplySource) -> None:
        """Provide replies or memory as the status demands; raise ProofError if the strategy fails."""
        if status == NEEDS_REPLY:
            replies.refill(self.current_position(), *goal)
        elif status == STACK_FULL:
            self.stack = grow_stack(self.game, self.stack)
        elif status == TABLE_FULL:
            self.visited[goal] = grow_visited(self.visited[goal])
        elif status not in (RUNNING, DONE):
            raise ProofError(self.describe_error(status, goal, replies))

    def current_position(self, steps_back: int = 0) -> Position:
        """Return the position at the current level plus `steps_back`, an already left level."""
        level = int(self.stack.counters[LEVEL]) + steps_back
        if not self.view.can_repeat:
            return Position.from_row(self.game, self.stack.rows[level].copy())
        position = self.start
        for parent_level in range(level):
            position = position.play_id(int(self.stack.moves[parent_level, self.stack.next_move[parent_level] - 1]))
        return position

    def describe_error(self, status: int, goal: tuple[int, bool], replies: ReplySource) -> str:
        """Return the error message for a failed strategy."""
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
    """Return an empty stack of `levels` levels for rows with the type and length of `row`."""
    rows = np.zeros((levels, len(row)), row.dtype)
    moves = np.zeros((levels, game.max_legal_moves), np.int64)
    num_moves, next_move, stages, hash_lo, hash_hi = (np.zeros(levels, np.int64) for _ in range(5))
    codes, counters = np.zeros(len(game.board) + EXTRA_CODES, np.int64), np.zeros(5, np.int64)
    return TraversalStack(rows, moves, num_moves, next_move, stages, hash_lo, hash_hi, codes, counters)


def grow_stack(game: Game, old_stack: TraversalStack) -> TraversalStack:
    """Return a stack with twice as many levels and the same path."""
    new_stack = allocate_stack(game, old_stack.rows[0], 2 * len(old_stack.num_moves))
    for old, new in zip(old_stack, new_stack, strict=True):
        new[: len(old)] = old
    return new_stack


def allocate_visited(num_slots: int) -> VisitedTable:
    """Return an empty table."""
    return VisitedTable(np.zeros(num_slots, np.int64), np.zeros(num_slots, np.int64), np.zeros(num_slots, np.int8))


def grow_visited(old_table: VisitedTable) -> VisitedTable:
    """Return a table with four times the slots and the same entries."""
    new_table = allocate_visited(4 * len(old_table.states))
    compile_for(rehash, old_table, new_table)(old_table, new_table)
    return new_table
