"""The checkerboard of Liger: only its dark squares, each touching up to four others at a corner."""

from functools import cache

from ropewalk.boards.board import Board
from ropewalk.boards.slots import check_size
from ropewalk.boards.squares import COMPASS, board_of_squares

SIZES = range(4, 11, 2)

DIAGONALS = {name: COMPASS[name] for name in ("NE", "SE", "SW", "NW")}


def dark_squares(n: int) -> Board:
    """The dark squares of an n x n board, a1 (dark) first, rank by rank.

    The slots are the diagonals NE SE SW NW. The first and the last rank are marked 'bottom' and 'top'.
    """
    check_size("the side of the checkerboard", n, SIZES)
    return _dark_squares(n)


@cache
def _dark_squares(n: int) -> Board:
    dark = [(rank, file) for rank in range(n) for file in range(n) if (rank + file) % 2 == 0]
    bottom, top = (tuple(cell for cell, (rank, _) in enumerate(dark) if rank == marked) for marked in (0, n - 1))
    return board_of_squares("dark squares", n, dark, DIAGONALS, marks={"bottom": bottom, "top": top})
