"""The rhombus of Tether: n x n hexagons between two red and two blue sides.

Cell `row * n + column` is column `column` of row `row`; row 0 is at the top, each row half a cell right of the one above.
"""

from functools import cache
from math import sqrt

import numpy as np

from .board import Board
from .geometry import NO_CELL, BoardShape, check_size, column_letters, merge_vertices, pad_neighbours, planar_shape

RHOMBUS_SIZES = range(2, 20)

# (row, column) steps, counter-clockwise from the right as drawn
HEX_STEPS = {"E": (0, 1), "NE": (-1, 1), "NW": (-1, 0), "W": (0, -1), "SW": (1, -1), "SE": (1, 0)}

# Integer coordinates of hexagons: units of half a cell width across, a third of the row spacing down.
HALF_WIDTH, THIRD_ROW_SPACING = 1 / 2, sqrt(3) / 6
HEXAGON_VERTICES = ((0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1), (1, -1))  # counter-clockwise from the top


def make_rhombus_board(n: int) -> Board:
    """Return the n x n rhombus, n odd from 3 to 19; neighbours in six directions counter-clockwise from E.

    Marked cells: 'red' are rows 0 and n - 1, 'blue' columns 0 and n - 1; a corner cell is in both. ValueError for other n.
    """
    check_size("the side of the rhombus", n, RHOMBUS_SIZES)
    return _build_rhombus_board(n)


@cache
def _build_rhombus_board(n: int) -> Board:
    rows = tuple(tuple(range(row * n, row * n + n)) for row in range(n))
    columns = tuple(zip(*rows, strict=True))
    return Board(
        kind="rhombus",
        size=(n,),
        names=tuple(f"{column_letters(column)}{row + 1}" for row in range(n) for column in range(n)),
        neighbours=pad_neighbours([_hex_neighbours(n, row, column) for row in range(n) for column in range(n)]),
        adjacency="edge",
        directions=tuple(HEX_STEPS),
        marked_cells={"red": rows[0] + rows[-1], "blue": columns[0] + columns[-1]},
        rows=rows,
        text_layout=tuple((row, 2 * column + row, rows[row][column]) for row in range(n) for column in range(n)),
        build_shape=_build_rhombus_shape,
    )


def _hex_neighbours(n: int, row: int, column: int) -> list[int]:
    return [_cell_at(n, row + down, column + right) for down, right in HEX_STEPS.values()]


def _cell_at(n: int, row: int, column: int) -> int:
    return row * n + column if 0 <= row < n and 0 <= column < n else NO_CELL


def _build_rhombus_shape(board: Board) -> BoardShape:
    """Return regular hexagons of width 1, the board centred on the origin, row 0 at the top."""
    (n,) = board.size
    grid_points = [(2 * column + row, 3 * row) for row in range(n) for column in range(n)]
    outlines = [[(x + dx, y + dy) for dx, dy in HEXAGON_VERTICES] for x, y in grid_points]
    vertices, cell_vertices = merge_vertices(outlines, lambda corner: corner)
    scale = np.array([HALF_WIDTH, -THIRD_ROW_SPACING])
    centre = np.mean(grid_points, axis=0)
    return planar_shape((np.array(grid_points) - centre) * scale, (vertices - centre) * scale, cell_vertices)
