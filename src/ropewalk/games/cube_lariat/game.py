"""Cube Lariat on the surface of a cube of octagons and squares: board and rules."""

from __future__ import annotations

from collections.abc import Sequence

from ...boards import make_cube_board
from ...rules.cube_lariat import make_cube_lariat_rules
from .. import lariat_common
from ..spec_parser import format_spec
from . import SPEC
from .text import CubeLariatText


class CubeLariat(lariat_common.LariatFamilyGame):
    """Cube Lariat with n x n octagons on each face."""

    definition = SPEC
    text_class = CubeLariatText
    preserved_marks = ("nuclear",)

    def __init__(self, size: int, *, corners: bool = True, pie: bool = True) -> None:
        self.board = make_cube_board(size)
        self.options = {"size": size, "corners": corners, "pie": pie}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_cube_lariat_rules(self.board, pie)

    def blocked_cells(self) -> Sequence[int]:
        """Return the corner cells if they may not be claimed."""
        return () if self.options["corners"] else self.board.marked_cells["corners"]
