"""The square board of laoCoon: n x n squares, each touching up to eight others."""
# MERGED DOCSTRING: """The checkerboard of Liger: only its dark squares, each touching up to four others at a corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np

from .board import Board
from .geometry import NO_CELL, BoardShape, check_size, column_letters, merge_vertices, pad_neighbours, planar_shape

SQUARE_BOARD_SIZES = range(4, 11)

Square = tuple[int, int]  # rank, file

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


def make_square_board(n: int = 8) -> Board:
    """All squares of an n x n board from a1, rank by rank; the slots are the compass, clockwise from N."""
    check_size("the side of the board", n, SQUARE_BOARD_SIZES)
    return _build_square_board(n)


@cache
def _build_square_board(n: int) -> Board:
    all_squares = [(rank, file) for rank in range(n) for file in range(n)]
    return square_subset_board("squares", n, all_squares, COMPASS_STEPS, marked_cells={})


def square_subset_board(
    kind: str,
    n: int,
    cells: Sequence[Square],
    directions: Mapping[str, Square],
    marked_cells: Mapping[str, tuple[int, ...]],
) -> Board:
    """A board of some squares of an n x n board, named as in chess, with one slot for each of `steps`."""
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
    """Unit squares about the origin, files to the right and ranks upward."""
    half_side = board.size[0] / 2
    outlines = [[(file, rank), (file + 1, rank), (file + 1, rank + 1), (file, rank + 1)] for rank, file in cells]
    vertices, cell_vertices = merge_vertices(outlines, lambda corner: corner)
    centres = np.array([(file + 0.5, rank + 0.5) for rank, file in cells])
    return planar_shape(centres - half_side, vertices - half_side, cell_vertices)


DARK_SQUARE_BOARD_SIZES = range(4, 11, 2)

DIAGONAL_STEPS = {name: COMPASS_STEPS[name] for name in ("NE", "SE", "SW", "NW")}


def make_dark_square_board(n: int) -> Board:
    """The dark squares of an n x n board, a1 (dark) first, rank by rank.

    The slots are the diagonals NE SE SW NW. The first and the last rank are marked 'bottom' and 'top'.
    """
    check_size("the side of the checkerboard", n, DARK_SQUARE_BOARD_SIZES)
    return _build_dark_square_board(n)


@cache
def _build_dark_square_board(n: int) -> Board:
    dark = [(rank, file) for rank in range(n) for file in range(n) if (rank + file) % 2 == 0]
    bottom, top = (tuple(cell for cell, (rank, _) in enumerate(dark) if rank == marked) for marked in (0, n - 1))
    return square_subset_board("dark squares", n, dark, DIAGONAL_STEPS, marked_cells={"bottom": bottom, "top": top})
