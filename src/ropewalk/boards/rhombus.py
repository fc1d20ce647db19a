"""The rhombus of Tether: n x n hexagons between two red and two blue sides."""

from functools import cache
from math import sqrt

import numpy as np

from ropewalk.boards.board import Board
from ropewalk.boards.shape import Shape, flat_shape, weld
from ropewalk.boards.slots import NO_CELL, check_size, in_slots, letter

SIZES = range(3, 20, 2)

# (row, column) steps, counter-clockwise from the right in the picture
STEPS = {"E": (0, 1), "NE": (-1, 1), "NW": (-1, 0), "W": (0, -1), "SW": (1, -1), "SE": (1, 0)}

# Hexagons in whole numbers: half a width across, a third of the row spacing down.
HALF_WIDTH, THIRD_OF_A_ROW = 1 / 2, sqrt(3) / 6
HEXAGON = ((0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1), (1, -1))  # counter-clockwise from the top


def rhombus(n: int) -> Board:
    """An n x n rhombus, row by row; the slots are six directions counter-clockwise from E.

    Rows 0 and n-1 are marked 'red', columns 0 and n-1 'blue'; a corner cell lies on both.
    """
    check_size("the side of the rhombus", n, SIZES)
    return _rhombus(n)


@cache
def _rhombus(n: int) -> Board:
    rows = tuple(tuple(range(row * n, row * n + n)) for row in range(n))
    columns = tuple(zip(*rows, strict=True))
    return Board(
        kind="rhombus",
        size=(n,),
        names=tuple(f"{letter(column)}{row + 1}" for row in range(n) for column in range(n)),
        neighbours=in_slots([_neighbours(n, row, column) for row in range(n) for column in range(n)]),
        contact="edge",
        directions=tuple(STEPS),
        marks={"red": rows[0] + rows[-1], "blue": columns[0] + columns[-1]},
        rows=rows,
        drawing=tuple((row, 2 * column + row, rows[row][column]) for row in range(n) for column in range(n)),
        shaped=_shape,
    )


def _neighbours(n: int, row: int, column: int) -> list[int]:
    return [_cell(n, row + down, column + right) for down, right in STEPS.values()]


def _cell(n: int, row: int, column: int) -> int:
    return row * n + column if 0 <= row < n and 0 <= column < n else NO_CELL


def _shape(board: Board) -> Shape:
    """Regular hexagons of width 1 about the origin, row 0 at the top, each row half a cell further right."""
    (n,) = board.size
    at = [(2 * column + row, 3 * row) for row in range(n) for column in range(n)]
    outlines = [[(across + right, down + low) for right, low in HEXAGON] for across, down in at]
    points, corners = weld(outlines, lambda corner: corner)
    upward = np.array([HALF_WIDTH, -THIRD_OF_A_ROW])
    middle = np.mean(at, axis=0)
    return flat_shape((np.array(at) - middle) * upward, (points - middle) * upward, corners)
