"""The square board of laoCoon: n x n squares, each touching up to eight others."""

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np

from ropewalk.boards.board import Board
from ropewalk.boards.shape import Shape, flat_shape, weld
from ropewalk.boards.slots import NO_CELL, check_size, in_slots, letter

SIZES = range(4, 11)

Square = tuple[int, int]  # rank, file

COMPASS: Mapping[str, Square] = {
    "N": (1, 0),
    "NE": (1, 1),
    "E": (0, 1),
    "SE": (-1, 1),
    "S": (-1, 0),
    "SW": (-1, -1),
    "W": (0, -1),
    "NW": (1, -1),
}


def squares(n: int = 8) -> Board:
    """All squares of an n x n board from a1, rank by rank; the slots are the compass, clockwise from N."""
    check_size("the side of the board", n, SIZES)
    return _squares(n)


@cache
def _squares(n: int) -> Board:
    every = [(rank, file) for rank in range(n) for file in range(n)]
    return board_of_squares("squares", n, every, COMPASS, marks={})


def board_of_squares(
    kind: str,
    n: int,
    cells: Sequence[Square],
    steps: Mapping[str, Square],
    marks: Mapping[str, tuple[int, ...]],
) -> Board:
    """A board of some squares of an n x n board, named as in chess, with one slot for each of `steps`."""
    at = {square: cell for cell, square in enumerate(cells)}
    ranks = [tuple(at[rank, file] for file in range(n) if (rank, file) in at) for rank in range(n)]
    return Board(
        kind=kind,
        size=(n,),
        names=tuple(f"{letter(file)}{rank + 1}" for rank, file in cells),
        neighbours=in_slots(
            [[at.get((rank + up, file + right), NO_CELL) for up, right in steps.values()] for rank, file in cells]
        ),
        contact="corner",
        directions=tuple(steps),
        marks=marks,
        rows=tuple(reversed(ranks)),
        drawing=tuple((n - 1 - rank, file, cell) for (rank, file), cell in at.items()),
        shaped=partial(_shape, cells=cells),
    )


def _shape(board: Board, cells: Sequence[Square]) -> Shape:
    """Unit squares about the origin, files to the right and ranks upward."""
    middle = board.size[0] / 2
    outlines = [[(file, rank), (file + 1, rank), (file + 1, rank + 1), (file, rank + 1)] for rank, file in cells]
    points, corners = weld(outlines, lambda corner: corner)
    centres = np.array([(file + 0.5, rank + 0.5) for rank, file in cells])
    return flat_shape(centres - middle, points - middle, corners)
