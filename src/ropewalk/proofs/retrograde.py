"""Retrograde analysis: all positions reachable from one, with exact values and distances.

1. Enumerate the reachable positions breadth first, up to symmetry, with their successor lists.
2. Invert the successor lists into predecessor lists.
3. Propagate values backwards from finished positions in order of distance, counting unresolved successors: a position is
   won for its mover once one successor is, and lost once all successors are.

A position that is never resolved is a draw: neither seat can force a win. Every won position has a distance that decreases
with each of the winner's moves, so the winner never repeats a position, and the values hold with and without a repetition
rule. Positions are numbered in the order of discovery; lists are in compressed sparse row form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.position import Position
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
from .solver import ProofView

UNRESOLVED = -1  # as a distance
TABLE_FULL = -2  # returned when there is no memory for more positions or moves
NUM_POSITIONS, NUM_EXPANDED, NUM_MOVES, NUM_QUEUED, NUM_DEQUEUED = range(5)  # indices into `counters`

POSITIONS_PER_CALL = 20_000  # per kernel call, which cannot be interrupted
MOVES_PER_POSITION = 6  # capacity of the move lists, averaged over all positions
FIXED_BYTES_PER_POSITION = 16 + 8 + 1 + 1 + 4 + 16 + 4 + 4  # without the row and the moves


class RetrogradeTables(NamedTuple):
    """Positions by number, with successor and predecessor lists and the queue of resolved positions."""

    rows: NDArray[Any]  # [max positions, words]
    hash_lo: NDArray[np.int64]  # [max positions]: canonical hashes
    hash_hi: NDArray[np.int64]
    hash_slots: NDArray[np.int32]  # [2 * max positions], open addressing: a position's number + 1, or 0
    seats: NDArray[np.int8]  # seat to move
    values: NDArray[np.int8]  # outcomes; DRAW until resolved
    distances: NDArray[np.int32]  # moves to the end if the winner minimises and the loser maximises them
    successor_begin: NDArray[np.int64]  # [max positions + 1]: offset of a position's successors
    successors: NDArray[np.int32]  # [max moves]: position after each move
    unresolved_successors: NDArray[np.int32]  # successors that are not yet known to be lost for the mover
    predecessor_begin: NDArray[np.int64]  # [max positions + 1]: end of a position's predecessors, once built
    predecessors: NDArray[np.int32]  # [max moves]: position before each move
    queue: NDArray[np.int32]  # resolved positions in order of distance
    counters: NDArray[np.int64]  # [5]: NUM_POSITIONS and so on


class RetrogradeScratch(NamedTuple):
    """Scratch arrays for one position."""

    row: NDArray[Any]
    moves: NDArray[np.int64]
    codes: Codes


@kernel
def intern_position(
    rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, state: Any
) -> int:
    """Return the number of the position in `scratch.row`, adding it if it is new, or TABLE_FULL."""
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
    """Return the slot of `hash_slots` with the position of these hashes, or the free slot for it."""
    slot = hash_lo % len(tables.hash_slots)
    while tables.hash_slots[slot] != 0:
        node = tables.hash_slots[slot] - 1
        if tables.hash_lo[node] == hash_lo and tables.hash_hi[node] == hash_hi:
            break
        slot = slot + 1 if slot + 1 < len(tables.hash_slots) else 0
    return slot


@kernel
def find_position(rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, row: Row) -> int:
    """Return the number of an enumerated position, or -1 if it is not reachable."""
    position_codes(rules, load_state(rules, row), scratch.codes)
    hash_lo, hash_hi = canonical_hash(hasher, scratch.codes)
    return tables.hash_slots[find_slot(tables, hash_lo, hash_hi)] - 1


@kernel
def enumerate_positions(
    rules: Any, hasher: CanonicalHash, tables: RetrogradeTables, scratch: RetrogradeScratch, max_positions: int
) -> int:
    """Expand up to `max_positions` more positions; return how many are left to expand, or TABLE_FULL.

    The first call starts from the position in `scratch.row`. Writes successor lists and new positions.
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
    """Invert the successor lists, initialise the counts, and queue the won finished positions."""
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
            tables.predecessor_begin[target] += 1  # afterwards it is the end of target's list
        if tables.distances[source] == 0 and tables.values[source] != DRAW:
            resolve(tables, source, tables.values[source], 0)


@kernel
def resolve(tables: RetrogradeTables, node: int, value: int, distance: int) -> None:
    """Set a position's value and distance and append it to the queue."""
    tables.values[node] = value
    tables.distances[node] = distance
    tables.queue[tables.counters[NUM_QUEUED]] = node
    tables.counters[NUM_QUEUED] += 1


@kernel
def propagate_values(tables: RetrogradeTables, max_positions: int) -> int:
    """Process up to `max_positions` resolved positions; return the queue length.

    Propagates their values to predecessors, which are resolved and queued in turn.
    """
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


class RetrogradeSolver:
    """Retrograde analysis of the positions reachable from one, if memory holds them."""

    def __init__(self, position: Position, memory_bytes: int) -> None:
        self.game = position.game
        self.view = ProofView(self.game)
        self.rules, row = self.view.rules, self.view.row(position.row)
        self.hasher = make_search_hash(self.game)
        self.row_dtype = self.view.compact_dtype
        max_positions = max(2, memory_bytes // self.bytes_per_position(row))
        self.scratch = RetrogradeScratch(
            row.copy(), np.zeros(self.game.max_legal_moves, np.int64), np.zeros(len(self.game.board) + EXTRA_CODES, np.int64)
        )
        self.tables = self.allocate_tables(min(max_positions, 2**31 - 2))
        self._find_position = compile_for(find_position, self.rules, self.hasher, self.tables, self.scratch, row)

    def allocate_tables(self, max_positions: int) -> RetrogradeTables:
        """Return empty tables for `max_positions`. The system commits most of the memory as it fills."""
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
        """Return the approximate number of bytes filled so far."""
        return len(self) * self.bytes_per_position(self.scratch.row)

    def bytes_per_position(self, row: Row) -> int:
        """Return the bytes of all tables per position."""
        return len(row) * self.row_dtype.itemsize + FIXED_BYTES_PER_POSITION + 8 * MOVES_PER_POSITION

    def probe(self, position: Position) -> tuple[int, int]:
        """Return the value of a reachable position and its distance from the end in moves."""
        row = self.view.row(position.row)
        node = self._find_position(self.rules, self.hasher, self.tables, self.scratch, row)
        return int(self.tables.values[node]), int(self.tables.distances[node])

    def solve(self, should_continue: Callable[[], bool]) -> bool:
        """Run all phases; return False if the tables are full or `should_continue` returns False."""
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
