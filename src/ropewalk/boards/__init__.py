"""Boards: cells with names, neighbours, outlines, flat maps, text layouts and symmetries. Boards know no rules."""

from .board import NO_CELL, Board
from .cube import make_cube_board
from .cylinder import make_cylinder_board
from .geometry import BoardShape
from .rhombus import make_rhombus_board
from .squares import make_dark_square_board, make_square_board

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
