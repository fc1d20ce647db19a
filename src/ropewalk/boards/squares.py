"""Square boards: all squares of an n x n board for laoCoon, its dark squares for Liger.

Squares are named as in chess and numbered rank by rank from a1. Neighbours are all squares of the board that touch at
an edge or a corner; two dark squares touch only at a corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np

from .board import Board
from .geometry import NO_CELL, BoardShape, check_size, column_letters, merge_vertices, pad_neighbours, planar_shape

Square = tuple[int, int]  # rank, file, from 0

SQUARE_BOARD_SIZES = range(4, 11)
DARK_SQUARE_BOARD_SIZES = range(4, 11, 2)

# (rank, file) steps, clockwise from N
COMPASS_STEPS: Mapping[str, Square] = {
    "N": (1, 0),
    "NE": (1, 1),
    "E": (0, 1),
    "SE": (-1, 1),
    "S": (-1, 0),
    "SW": (-1, -1),
    "W": (0, -1),
    "NW": (1, -1),
}
DIAGONAL_STEPS = {name: COMPASS_STEPS[name] for name in ("NE", "SE", "SW", "NW")}


def make_square_board(n: int = 8) -> Board:
    """Return the n x n board, n from 4 to 10; neighbours in eight directions clockwise from N. ValueError for other n."""
    check_size("the side of the board", n, SQUARE_BOARD_SIZES)
    return _build_square_board(n)


@cache
def _build_square_board(n: int) -> Board:
    all_squares = [(rank, file) for rank in range(n) for file in range(n)]
    return square_subset_board("squares", n, all_squares, COMPASS_STEPS, marked_cells={})


def make_dark_square_board(n: int) -> Board:
    """Return the dark squares (a1 is dark) of an n x n board, n even from 4 to 10; neighbours NE, SE, SW, NW.

    Marked cells: 'bottom' is the first rank, 'top' the last. ValueError for other n.
    """
    check_size("the side of the checkerboard", n, DARK_SQUARE_BOARD_SIZES)
    return _build_dark_square_board(n)


@cache
def _build_dark_square_board(n: int) -> Board:
    dark = [(rank, file) for rank in range(n) for file in range(n) if (rank + file) % 2 == 0]
    bottom, top = (tuple(cell for cell, (rank, _) in enumerate(dark) if rank == marked) for marked in (0, n - 1))
    return square_subset_board("dark squares", n, dark, DIAGONAL_STEPS, marked_cells={"bottom": bottom, "top": top})


def square_subset_board(
    kind: str,
    n: int,
    cells: Sequence[Square],
    directions: Mapping[str, Square],
    marked_cells: Mapping[str, tuple[int, ...]],
) -> Board:
    """Return a board of the given squares of an n x n board, with one column of neighbours per direction.

    Rows and the drawn board begin with the highest rank.
    """
    cell_at = {square: cell for cell, square in enumerate(cells)}
    ranks = [tuple(cell_at[rank, file] for file in range(n) if (rank, file) in cell_at) for rank in range(n)]
    return Board(
        kind=kind,
        size=(n,),
        names=tuple(f"{column_letters(file)}{rank + 1}" for rank, file in cells),
        neighbours=pad_neighbours(
            [[cell_at.get((rank + up, file + right), NO_CELL) for up, right in directions.values()] for rank, file in cells]
        ),
        adjacency="corner",
        directions=tuple(directions),
        marked_cells=marked_cells,
        rows=tuple(reversed(ranks)),
        text_layout=tuple((n - 1 - rank, file, cell) for (rank, file), cell in cell_at.items()),
        build_shape=partial(_build_square_shape, cells=cells),
    )


def _build_square_shape(board: Board, cells: Sequence[Square]) -> BoardShape:
    """Return unit squares, the board centred on the origin, files to the right and ranks upward."""
    half_side = board.size[0] / 2
    outlines = [[(file, rank), (file + 1, rank), (file + 1, rank + 1), (file, rank + 1)] for rank, file in cells]
    vertices, cell_vertices = merge_vertices(outlines, lambda corner: corner)
    centres = np.array([(file + 0.5, rank + 0.5) for rank, file in cells])
    return planar_shape(centres - half_side, vertices - half_side, cell_vertices)
