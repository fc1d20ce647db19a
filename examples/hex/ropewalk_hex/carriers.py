"""Carrier rules of Hex, so that `ropewalk solve` searches with must-play regions and writes short proofs.

The four sides of the board are cells of their own beyond those of the board, and belong to a colour from the start: a group
wins if it contains both sides of its colour.
"""

from __future__ import annotations

from typing import NamedTuple

from ropewalk.games.carrier_rules import CarrierRules, board_neighbour_masks
from ropewalk.games.game import Game
from ropewalk.jit.kernel import implements, kernel
from ropewalk.proofs.carrier.bitboard import BitBoard, flood, is_won


class SidesGoal(NamedTuple):
    """The four sides, a mask each."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int


@implements(is_won, SidesGoal)
@kernel
def connects_sides(goal: SidesGoal, bitboard: BitBoard, mine: int) -> bool:
    """Return whether `mine`, which has both sides of its colour, connects them."""
    is_red = mine & goal.first_row != 0
    start = goal.first_row if is_red else goal.first_column
    target = goal.last_row if is_red else goal.last_column
    return flood(bitboard, start, mine) & target != 0


class HexCarrierRules(CarrierRules):
    """Winning groups of Hex."""

    def is_winning_group(self, group: int) -> bool:
        """Return whether a group contains both sides of one colour."""
        return any(group & sides == sides for sides in self.sides)


def carrier_rules(game: Game) -> HexCarrierRules:
    """Return the rules with the sides as cells n * n to n * n + 3: first and last row, first and last column."""
    size, num_cells = game.board.size[0], len(game.board)
    neighbours = [*board_neighbour_masks(game), 0, 0, 0, 0]
    for cell in range(num_cells):
        row, column = divmod(cell, size)
        touched = (row == 0, row == size - 1, column == 0, column == size - 1)
        for side in (num_cells + index for index, touches in enumerate(touched) if touches):
            neighbours[cell] |= 1 << side
            neighbours[side] |= 1 << cell
    goal = SidesGoal(*(1 << num_cells + side for side in range(4)))
    sides = goal.first_row | goal.last_row, goal.first_column | goal.last_column
    return HexCarrierRules(goal, neighbours, (1 << num_cells) - 1, sides=sides)
