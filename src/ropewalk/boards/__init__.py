"""Boards: cells with names, neighbours, outlines, maps, drawings and symmetries. They know no rules."""

from ropewalk.boards.board import NO_CELL, Board
from ropewalk.boards.cube import cube
from ropewalk.boards.cylinder import cylinder
from ropewalk.boards.dark_squares import dark_squares
from ropewalk.boards.rhombus import rhombus
from ropewalk.boards.shape import Shape
from ropewalk.boards.squares import squares

__all__ = ["NO_CELL", "Board", "Shape", "cube", "cylinder", "dark_squares", "rhombus", "squares"]
