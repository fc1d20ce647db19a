"""The chart of a small game: every position that can come, with its value and distance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..games.game import Position
from ..kernels import compile_for
from ..rules.stepping import Row
from .identity import EXTRA, identity_of
from .reaching import FULL, POSITIONS, Desk, Reach, explore, number_of, turn_round, work_back

CALL = 20_000  # positions that one call into a kernel looks at: it cannot be interrupted
STEPS_EACH = 6  # room for steps, on average over all positions
FIXED_BYTES = 16 + 8 + 1 + 1 + 4 + 16 + 4 + 4  # beside row and steps


class Chart:
    """All positions that can come after one, as far as memory holds them."""

    def __init__(self, position: Position, memory: int) -> None:
        self.game = position.game
        self.rules, row = self.game.without_history(position.row)
        self.identity = identity_of(self.game)
        self.row_type = np.dtype(self.game.compact_dtype)
        most = max(2, memory // self.bytes_each(row))
        self.desk = Desk(
            row.copy(), np.zeros(self.game.max_legal_moves, np.int64), np.zeros(len(self.game.board) + EXTRA, np.int64)
        )
        self.reach = self.reach_of(min(most, 2**31 - 2))
        self._number = compile_for(number_of, self.rules, self.identity, self.reach, self.desk, row)

    def reach_of(self, most: int) -> Reach:
        """Room for so many positions; memory is taken as it fills."""
        row = self.desk.row
        return Reach(
            rows=np.empty((most, len(row)), self.row_type),
            ones=np.empty(most, np.int64),
            twos=np.empty(most, np.int64),
            places=np.zeros(2 * most, np.int32),
            seats=np.empty(most, np.int8),
            values=np.empty(most, np.int8),
            distances=np.empty(most, np.int32),
            firsts=np.zeros(most + 1, np.int64),
            targets=np.empty(most * STEPS_EACH, np.int32),
            open_steps=np.empty(most, np.int32),
            befores=np.zeros(most + 1, np.int64),
            sources=np.empty(most * STEPS_EACH, np.int32),
            queue=np.empty(most, np.int32),
            counters=np.zeros(5, np.int64),
        )

    def __len__(self) -> int:
        return int(self.reach.counters[POSITIONS])

    @property
    def memory(self) -> int:
        """Bytes filled so far, about."""
        return len(self) * self.bytes_each(self.desk.row)

    def bytes_each(self, row: Row) -> int:
        """Bytes that a position takes."""
        return len(row) * self.row_type.itemsize + FIXED_BYTES + 8 * STEPS_EACH

    def value(self, position: Position) -> tuple[int, int]:
        """The value of a position on the chart, and its distance from the end."""
        row = self.game.without_history(position.row)[1]
        number = self._number(self.rules, self.identity, self.reach, self.desk, row)
        return int(self.reach.values[number]), int(self.reach.distances[number])

    def draw(self, keep_on: Callable[[], bool]) -> bool:
        """Find all positions and their values; False if memory is too small for them, or no longer wanted."""
        visit = compile_for(explore, self.rules, self.identity, self.reach, self.desk, 0)
        waiting = 1
        while waiting > 0:
            waiting = visit(self.rules, self.identity, self.reach, self.desk, CALL)
            if waiting == FULL or not keep_on():
                return False
        turn_round(self.reach)
        while work_back(self.reach, CALL) > 0:
            if not keep_on():
                return False
        return True
