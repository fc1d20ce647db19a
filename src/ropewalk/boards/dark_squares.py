"""The checkerboard of Liger: only its dark squares, each touching up to four others at a corner."""

from functools import cache

from ropewalk.boards.board import Board
from ropewalk.boards.slots import check_size
from ropewalk.boards.squares import COMPASS_STEPS, square_subset_board

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
