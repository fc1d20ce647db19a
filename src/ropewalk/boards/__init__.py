"""Boards: cells with names, neighbours, outlines, maps, drawings and symmetries. They know no rules."""

from ropewalk.boards.board import NO_CELL, Board
from ropewalk.boards.cube import make_cube_board
from ropewalk.boards.cylinder import make_cylinder_board
from ropewalk.boards.geometry import BoardShape
from ropewalk.boards.rhombus import make_rhombus_board
from ropewalk.boards.squares import make_dark_square_board, make_square_board

__all__ = [
    "NO_CELL",
    "Board",
    "BoardShape",
    "make_cube_board",
    "make_cylinder_board",
    "make_dark_square_board",
    "make_rhombus_board",
    "make_square_board",
]
