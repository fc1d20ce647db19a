"""Common base of Lariat and Cube Lariat: rows and moves around `rules.lariat_common`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..errors import PositionError
from ..jit.interpreted import interpret
from ..rules import lariat_common, placement
from ..rules.generic import Row
from ..rules.lariat_common import BLACK, BLOCKED
from ..rules.placement import EMPTY
from .encoding import BOARD_PLANE, ObservationPlane
from .game import Game
from .lariat_text import COLOURS
from .notation import require_one_of
from .position import Position, Symmetry

SWAPPED_INDEX = 2  # among the scalars behind the arrays of a row

TOKENS = ("", "b", "w", "")
SWAP_MOVE = "swap"


class LariatFamilyGame(Game):
    """Lariat or Cube Lariat: black and white claim cells in turn until one group wins."""

    observation_planes = (
        BOARD_PLANE,
        ObservationPlane("own stone", "1 on own stones"),
        ObservationPlane("other stone", "1 on the other's stones"),
        ObservationPlane("open", "1 on cells that may be claimed"),
        ObservationPlane("centre or nuclear", "1 on the centre of Lariat, on the nuclear cells of Cube Lariat"),
        ObservationPlane("edge", "1 on the edge of Lariat"),
        ObservationPlane("group holds marks", "on a stone, the number of centre or nuclear cells of its group, 0 to 3"),
        ObservationPlane("group holds edge", "1 on stones whose group has a cell on the edge"),
        ObservationPlane("group parts", "on a stone, the number of pairs of marks that its group separates, 0 to 3"),
        ObservationPlane("may swap", "1 on every cell if the swap is legal"),
    )
    global_moves = 1
    preserved_marks: ClassVar[tuple[str, ...]]  # marks of the board that a symmetry must preserve
    rules: Any

    @cached_property
    def max_legal_moves(self) -> int:  # type: ignore[override]
        """Every cell and the swap."""
        return len(self.board) + 1

    @property
    def max_game_length(self) -> int:
        """Every move claims a cell, apart from one swap."""
        return len(self.board) - len(self.blocked_cells()) + int(self.rules.pie)

    def start_row(self) -> Row:
        """Return the row of the empty board, black to move."""
        row = np.zeros(placement.NUM_ARRAYS * len(self.board) + placement.NUM_SCALARS, np.int16)
        row[placement.NUM_ARRAYS * len(self.board)] = BLACK
        self.state(row).stones[list(self.blocked_cells())] = BLOCKED
        return row

    def blocked_cells(self) -> Sequence[int]:
        """Return the cells that may not be claimed."""
        return ()

    def list_move_texts(self) -> Sequence[str]:
        """Return the cells' names, which claim them, then `swap` where the pie rule is on."""
        return [*self.board.names, SWAP_MOVE] if self.rules.pie else self.board.names

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries of the board that preserve the marked cells."""
        swap_ids = [len(self.board)] if self.rules.pie else []
        return [
            Symmetry(cells=cells, moves=np.array([*cells, *swap_ids], np.int16), swaps_colours=False)
            for cells in self.board.symmetries_preserving(*self.preserved_marks)
        ]

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return "b", "w" or "" for each cell."""
        return [TOKENS[stone] for stone in self.state(row).stones]

    def fields(self, row: Row) -> list[str]:
        """Return the colour to move, and `swapped` once seat 0 plays white."""
        state = self.state(row)
        return [COLOURS[state.to_play], *(["swapped"] if state.swapped else [])]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row; raise a PositionError for two winners, a winner to move, or a swap without the pie rule."""
        colour, *rest = fields or ["black"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS[1:], "a colour to move"))
        for field in rest:
            require_one_of(field, ["swapped"], "a field of this game")
        if rest and not self.rules.pie:
            raise PositionError(f"invalid field 'swapped': {self.spec} has no pie rule")
        row = self.start_row()
        state = self.state(row)
        for cell in self.blocked_cells():
            if tokens[cell]:
                raise PositionError(f"{self.board.names[cell]} is a corner cell, which must be empty in {self.spec}")
        colours, win_counts = np.array([TOKENS.index(token) for token in tokens], np.int16), np.zeros(3, np.int64)
        lariat_common.place_all(self.rules, state, colours, win_counts)
        if win_counts[to_play]:
            raise PositionError(f"{COLOURS[to_play]} has already won, so the other colour must be to move")
        winner = 3 - to_play if win_counts[3 - to_play] else EMPTY
        swapped, claimed = len(rest[:1]), int(np.count_nonzero(colours))
        interpret(placement.store_placement_state)(
            self.rules, state._replace(to_play=to_play, winner=winner, swapped=swapped, num_stones=claimed), row
        )
        return row

    def seat_colours(self, row: Row) -> tuple[str, str]:
        """Return black and white, exchanged after a swap."""
        # read from the row and not from a state, because this is called after every move
        is_swapped = row[placement.NUM_ARRAYS * len(self.board) + SWAPPED_INDEX]
        return ("white", "black") if is_swapped else ("black", "white")

    # Explanations

    def groups(self, position: Position, colour: int) -> list[set[int]]:
        """Return the groups of a colour."""
        return self.board.components(np.flatnonzero(position.state.stones == colour))
