"""All positions that can come after one, and the value of each, worked out backwards from the ends.

A seat wins a position when it can force a win however long that takes; what neither seat wins is a draw, for each of
them can go on for ever without losing. Every win has a distance that shrinks with each of the winner's steps, so a
winner never comes back to a position, and the values hold with and without a rule against repetition.
"""
# MERGED DOCSTRING: """The chart of a small game: every position that can come, with its value and distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Position
from ..jit.kernel import compile_for, kernel
from ..rules.generic import Row, copy_row
from ..rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from .canonical_hash import EXTRA_CODES, CanonicalHash, Codes, canonical_hash, make_search_hash

UNRESOLVED = -1  # in place of a distance

TABLE_FULL = -2  # no memory left for more positions

NUM_POSITIONS, NUM_EXPANDED, NUM_MOVES, NUM_QUEUED, NUM_DEQUEUED = range(5)  # places of `counters`


class RetrogradeTables(NamedTuple):
    """Positions by number, in the order in which they were found."""

    rows: NDArray[Any]  # [most positions, words]
    hash_lo: NDArray[np.int64]  # [most positions]: hashes
    hash_hi: NDArray[np.int64]
    hash_slots: NDArray[np.int32]  # by hash: the number of a position and 1, or 0
    seats: NDArray[np.int8]  # to move
    values: NDArray[np.int8]  # outcomes; DRAW until a winner is known
    distances: NDArray[np.int32]  # steps to the end when the winner hurries and the loser delays
    successor_begin: NDArray[np.int64]  # [most positions + 1]: where the steps from a position begin
    successors: NDArray[np.int32]  # [most steps]: where a step leads
    unresolved_successors: NDArray[np.int32]  # steps whose loss for the mover is not known yet
    predecessor_begin: NDArray[np.int64]  # [most positions + 1]: where the steps to a position begin
    predecessors: NDArray[np.int32]  # [most steps]: where they come from
    queue: NDArray[np.int32]  # positions whose value is known, by distance
    counters: NDArray[np.int64]  # positions found, positions visited, steps found, queued, taken from the queue


class RetrogradeScratch(NamedTuple):
    """Scratch for one position at a time."""

    row: NDArray[Any]
    moves: NDArray[np.int64]
    codes: Codes


@kernel
def intern_position(
    rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, state: Any
) -> int:
    """The number of a position, a new one if it was not seen before, or FULL."""
    position_codes(rules, state, scratch.codes)
    hash_lo, hash_hi = canonical_hash(hasher, scratch.codes)
    slot = find_slot(tables, hash_lo, hash_hi)
    if tables.hash_slots[slot] != 0:
        return tables.hash_slots[slot] - 1
    node = tables.counters[NUM_POSITIONS]
    if node == len(tables.rows):
        return TABLE_FULL
    tables.hash_slots[slot] = node + 1
    tables.hash_lo[node], tables.hash_hi[node] = hash_lo, hash_hi
    tables.seats[node] = seat_to_move(rules, state)
    result = outcome(rules, state)
    tables.values[node] = DRAW if result == ONGOING else result
    tables.distances[node] = UNRESOLVED if result == ONGOING else 0
    copy_row(scratch.row, tables.rows[node])
    tables.counters[NUM_POSITIONS] += 1
    return node


@kernel
def find_slot(tables: RetrogradeTables, hash_lo: int, hash_hi: int) -> int:
    """Where the number of the position with these hashes stands, or an empty place for it."""
    slot = hash_lo % len(tables.hash_slots)
    while tables.hash_slots[slot] != 0:
        node = tables.hash_slots[slot] - 1
        if tables.hash_lo[node] == hash_lo and tables.hash_hi[node] == hash_hi:
            break
        slot = slot + 1 if slot + 1 < len(tables.hash_slots) else 0
    return slot


@kernel
def find_position(rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, row: Row) -> int:
    """The number of a position that was reached."""
    position_codes(rules, load_state(rules, row), scratch.codes)
    hash_lo, hash_hi = canonical_hash(hasher, scratch.codes)
    return tables.hash_slots[find_slot(tables, hash_lo, hash_hi)] - 1


@kernel
def enumerate_positions(
    rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, max_positions: int
) -> int:
    """Visit so many positions more and note where their steps lead; FULL when memory ends, else how many wait.

    The first position lies on the desk.
    """
    if tables.counters[NUM_POSITIONS] == 0:
        intern_position(rules, hasher, tables, scratch, load_state(rules, scratch.row))
    stop = tables.counters[NUM_EXPANDED] + max_positions
    while tables.counters[NUM_EXPANDED] < min(stop, tables.counters[NUM_POSITIONS]):
        node = tables.counters[NUM_EXPANDED]
        count = 0
        if tables.distances[node] == UNRESOLVED:
            copy_row(tables.rows[node], scratch.row)
            count = legal_moves(rules, load_state(rules, scratch.row), scratch.moves)
        edge_begin = tables.successor_begin[node]
        if edge_begin + count > len(tables.successors):
            return TABLE_FULL
        for index in range(count):
            copy_row(tables.rows[node], scratch.row)
            state = apply_move(rules, load_state(rules, scratch.row), scratch.moves[index])
            store_state(rules, state, scratch.row)
            target = intern_position(rules, hasher, tables, scratch, state)
            if target == TABLE_FULL:
                return TABLE_FULL
            tables.successors[edge_begin + index] = target
        tables.successor_begin[node + 1] = edge_begin + count
        tables.counters[NUM_EXPANDED] += 1
        tables.counters[NUM_MOVES] += count
    return tables.counters[NUM_POSITIONS] - tables.counters[NUM_EXPANDED]


@kernel
def build_predecessors(tables: RetrogradeTables) -> None:
    """Sort the steps by where they lead, and queue the positions where the game is over."""
    num_positions = tables.counters[NUM_POSITIONS]
    for edge in range(tables.counters[NUM_MOVES]):
        tables.predecessor_begin[tables.successors[edge] + 1] += 1
    for node in range(num_positions):
        tables.predecessor_begin[node + 1] += tables.predecessor_begin[node]
        tables.unresolved_successors[node] = tables.successor_begin[node + 1] - tables.successor_begin[node]
    for source in range(num_positions):
        for edge in range(tables.successor_begin[source], tables.successor_begin[source + 1]):
            target = tables.successors[edge]
            tables.predecessors[tables.predecessor_begin[target]] = source
            tables.predecessor_begin[target] += 1  # so that it ends where the next one began
        if tables.distances[source] == 0 and tables.values[source] != DRAW:
            resolve(tables, source, tables.values[source], 0)


@kernel
def resolve(tables: RetrogradeTables, node: int, value: int, distance: int) -> None:
    """A position's value is known; what leads there can be looked at."""
    tables.values[node] = value
    tables.distances[node] = distance
    tables.queue[tables.counters[NUM_QUEUED]] = node
    tables.counters[NUM_QUEUED] += 1


@kernel
def propagate_values(tables: RetrogradeTables, max_positions: int) -> int:
    """Take so many positions from the queue and settle what leads there; how many wait."""
    stop = tables.counters[NUM_DEQUEUED] + max_positions
    while tables.counters[NUM_DEQUEUED] < min(stop, tables.counters[NUM_QUEUED]):
        node = tables.queue[tables.counters[NUM_DEQUEUED]]
        tables.counters[NUM_DEQUEUED] += 1
        value, distance = tables.values[node], tables.distances[node] + 1
        edge_begin = 0 if node == 0 else tables.predecessor_begin[node - 1]
        for edge in range(edge_begin, tables.predecessor_begin[node]):
            source = tables.predecessors[edge]
            if tables.distances[source] == UNRESOLVED:
                tables.unresolved_successors[source] -= 1
                if value == tables.seats[source] or tables.unresolved_successors[source] == 0:
                    resolve(tables, source, value, distance)
    return tables.counters[NUM_QUEUED] - tables.counters[NUM_DEQUEUED]


POSITIONS_PER_CALL = 20_000  # positions that one call into a kernel looks at: it cannot be interrupted

MOVES_PER_POSITION = 6  # room for steps, on average over all positions

FIXED_BYTES_PER_POSITION = 16 + 8 + 1 + 1 + 4 + 16 + 4 + 4  # beside row and steps


class RetrogradeSolver:
    """All positions that can come after one, as far as memory holds them."""

    def __init__(self, position: Position, memory_bytes: int) -> None:
        self.game = position.game
        self.rules, row = self.game.without_history(position.row)
        self.hasher = make_search_hash(self.game)
        self.row_dtype = np.dtype(self.game.compact_dtype)
        max_positions = max(2, memory_bytes // self.bytes_per_position(row))
        self.scratch = RetrogradeScratch(
            row.copy(), np.zeros(self.game.max_legal_moves, np.int64), np.zeros(len(self.game.board) + EXTRA_CODES, np.int64)
        )
        self.tables = self.allocate_tables(min(max_positions, 2**31 - 2))
        self._find_position = compile_for(find_position, self.rules, self.hasher, self.tables, self.scratch, row)

    def allocate_tables(self, max_positions: int) -> RetrogradeTables:
        """Room for so many positions; memory is taken as it fills."""
        row = self.scratch.row
        return RetrogradeTables(
            rows=np.empty((max_positions, len(row)), self.row_dtype),
            hash_lo=np.empty(max_positions, np.int64),
            hash_hi=np.empty(max_positions, np.int64),
            hash_slots=np.zeros(2 * max_positions, np.int32),
            seats=np.empty(max_positions, np.int8),
            values=np.empty(max_positions, np.int8),
            distances=np.empty(max_positions, np.int32),
            successor_begin=np.zeros(max_positions + 1, np.int64),
            successors=np.empty(max_positions * MOVES_PER_POSITION, np.int32),
            unresolved_successors=np.empty(max_positions, np.int32),
            predecessor_begin=np.zeros(max_positions + 1, np.int64),
            predecessors=np.empty(max_positions * MOVES_PER_POSITION, np.int32),
            queue=np.empty(max_positions, np.int32),
            counters=np.zeros(5, np.int64),
        )

    def __len__(self) -> int:
        return int(self.tables.counters[NUM_POSITIONS])

    @property
    def memory_bytes(self) -> int:
        """Bytes filled so far, about."""
        return len(self) * self.bytes_per_position(self.scratch.row)

    def bytes_per_position(self, row: Row) -> int:
        """Bytes that a position takes."""
        return len(row) * self.row_dtype.itemsize + FIXED_BYTES_PER_POSITION + 8 * MOVES_PER_POSITION

    def probe(self, position: Position) -> tuple[int, int]:
        """The value of a position on the chart, and its distance from the end."""
        row = self.game.without_history(position.row)[1]
        node = self._find_position(self.rules, self.hasher, self.tables, self.scratch, row)
        return int(self.tables.values[node]), int(self.tables.distances[node])

    def solve(self, should_continue: Callable[[], bool]) -> bool:
        """Find all positions and their values; False if memory is too small for them, or no longer wanted."""
        enumerate_chunk = compile_for(enumerate_positions, self.rules, self.hasher, self.tables, self.scratch, 0)
        num_pending = 1
        while num_pending > 0:
            num_pending = enumerate_chunk(self.rules, self.hasher, self.tables, self.scratch, POSITIONS_PER_CALL)
            if num_pending == TABLE_FULL or not should_continue():
                return False
        build_predecessors(self.tables)
        while propagate_values(self.tables, POSITIONS_PER_CALL) > 0:
            if not should_continue():
                return False
        return True
