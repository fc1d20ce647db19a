"""All positions that can come after one, and the value of each, worked out backwards from the ends.

A seat wins a position when it can force a win however long that takes; what neither seat wins is a draw, for each of
them can go on for ever without losing. Every win has a distance that shrinks with each of the winner's steps, so a
winner never comes back to a position, and the values hold with and without a rule against repetition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
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
from .identity import CanonicalHash, Codes, canonical_hash

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
