"""Tether on a rhombus of hexagons: board, rows and territory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...boards import NO_CELL, make_rhombus_board
from ...errors import PositionError
from ...jit.interpreted import interpret
from ...rules.generic import Row
from ...rules.tether import (
    BLUE,
    EMPTY,
    RED,
    Cells,
    TetherRules,
    majority_winner,
    make_tether_rules,
    recompute_groups,
    territory_size,
)
from ..encoding import BOARD_PLANE, ObservationPlane
from ..game import Game
from ..notation import require_one_of
from ..position import Position, Symmetry
from ..spec_parser import format_spec
from . import SPEC
from .text import TetherText

COLOURS = ("", *SPEC.colours)
TOKENS = ("", *SPEC.tokens.pieces, "")  # by stone: EMPTY, RED, BLUE, CLOSED


class Tether(Game):
    """Tether on an n x n rhombus."""

    definition = SPEC
    text_class = TetherText
    observation_planes = (
        BOARD_PLANE,
        ObservationPlane("own stone", "1 on own stones"),
        ObservationPlane("other stone", "1 on the other's stones"),
        ObservationPlane("open", "1 on empty cells that nobody surrounds: the legal moves"),
        ObservationPlane("closed", "1 on empty cells that are surrounded"),
        ObservationPlane("own side", "1 on cells of the own sides"),
        ObservationPlane("other side", "1 on cells of the other's sides"),
        ObservationPlane("own tethered", "1 on own stones connected to an own side"),
        ObservationPlane("other tethered", "1 on the other's stones connected to their side"),
        ObservationPlane("own majority in eighths", "own territory in eighths of a majority, 0 to 8, on every cell"),
        ObservationPlane("other majority in eighths", "the other's territory in eighths of a majority, on every cell"),
    )
    rules: TetherRules

    def __init__(self, size: int) -> None:
        self.board = make_rhombus_board(size)
        self.options = {"size": size}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_tether_rules(self.board)
        self.max_legal_moves = len(self.board)

    @property
    def max_game_length(self) -> int:
        """Every move takes a cell that no later move can take."""
        return len(self.board)

    def start_row(self) -> Row:
        """Return the row of the empty board, in which only the sides count as stones."""
        cells = len(self.board)
        row = np.zeros(1 + 3 * (cells + 3) + 2 * cells, np.int16)
        row[0] = RED
        state = self.state(row)
        state.parent[:] = np.arange(cells + 3)
        state.stones[cells:] = [EMPTY, RED, BLUE]
        return row

    def list_move_texts(self) -> Sequence[str]:
        """Return the cells' names, which place a stone."""
        return self.board.names

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries that preserve or exchange the sides of the colours."""
        red, blue = (set(self.board.marked_cells[colour]) for colour in self.colours)
        symmetries = []
        for cells in self.board.symmetries:
            image = {int(cells[cell]) for cell in red}
            if image in (red, blue):
                symmetries.append(Symmetry(cells=cells, moves=cells.astype(np.int16), swaps_colours=image != red))
        return symmetries

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return "r", "b" or "" for each cell."""
        return [TOKENS[stone] for stone in self.stones(row)]

    def stones(self, row: Row) -> Cells:
        """Return a view of the cells of a row [cells]: EMPTY, RED, BLUE or CLOSED, without the sides."""
        stones: Cells = self.state(row).stones[: len(self.board)]
        return stones

    def fields(self, row: Row) -> list[str]:
        """Return the colour to move."""
        return [COLOURS[self.state(row).to_play]]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row with groups, closed cells and territory computed from the stones, or raise a PositionError."""
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, self.colours, "a colour to move"))
        if rest:
            raise PositionError(f"unexpected field {' '.join(rest)!r}: only the colour to move may follow the cells")
        row = self.start_row()
        self.stones(row)[:] = [TOKENS.index(token) for token in tokens]
        trapped = recompute_groups(self.rules, self.state(row))
        if trapped != NO_CELL:
            stone = self.stones(row)[trapped]
            raise PositionError(
                f"the {COLOURS[stone]} stone on {self.board.names[trapped]} is surrounded by {COLOURS[3 - stone]} "
                "and must have been captured"
            )
        row[0] = to_play
        self.require_no_winner_to_move(row)
        return row

    def require_no_winner_to_move(self, row: Row) -> None:
        """Raise a PositionError if the player to move has won already."""
        winner = interpret(majority_winner)(self.rules, self.state(row))
        if winner == self.state(row).to_play - RED:
            colour = self.colours[winner]
            raise PositionError(f"{colour} has already won, so the other colour must be to move")

    # Explanations

    def surrounded_regions(self, stones: Any, colour: int) -> list[set[int]]:
        """Return the components of the board without `stones` (a mask) that touch no side of the opponent."""
        open_side = set(self.board.marked_cells[COLOURS[3 - colour]])
        return [piece for piece in self.board.components(np.flatnonzero(~np.asarray(stones))) if not piece & open_side]

    def count_territory(self, position: Position) -> tuple[int, int]:
        """Return the sizes of the territories of red and blue."""
        state = position.state
        return tuple(int(interpret(territory_size)(self.rules, state, colour)) for colour in (RED, BLUE))  # type: ignore[return-value]

    def territory_cells(self, position: Position, colour: int) -> set[int]:
        """Return the territory of a colour: tethered stones and the cells that they surround together."""
        stones = self.stones(position.row)
        side = set(self.board.marked_cells[COLOURS[colour]])
        tethered = {
            cell for group in self.board.components(np.flatnonzero(stones == colour)) if group & side for cell in group
        }
        mask = np.isin(np.arange(len(self.board)), list(tethered))
        return tethered.union(*self.surrounded_regions(mask, colour))
