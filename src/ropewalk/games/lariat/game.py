"""Lariat on a cylinder closed at the top: board and rules."""

from __future__ import annotations

from ...boards import make_cylinder_board
from ...rules.lariat import make_lariat_rules
from .. import lariat_common
from ..spec_parser import format_spec
from . import SPEC
from .text import LariatText


class Lariat(lariat_common.LariatFamilyGame):
    """Lariat on a cylinder closed at the top, with cap radius r and wall height h."""

    definition = SPEC
    text_class = LariatText
    preserved_marks = ("centre", "edge")

    def __init__(self, cap: int, wall: int, *, pie: bool = False) -> None:
        self.board = make_cylinder_board(cap, wall)
        self.options = {"cap": cap, "wall": wall, "pie": pie}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_lariat_rules(self.board, pie)
