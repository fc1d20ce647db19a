"""The chart of a small game: every position that can come, with its value and distance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..games.game import Position
from ..jit.kernel import compile_for
from ..rules.generic import Row
from .identity import EXTRA_CODES, make_search_hash
from .reaching import (
    NUM_POSITIONS,
    TABLE_FULL,
    RetrogradeScratch,
    RetrogradeTables,
    build_predecessors,
    enumerate_positions,
    find_position,
    propagate_values,
)

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
