"""Lariat, by Mark Steere (2008): tie the centre of a cylinder to its edge, or rope it off from there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...boards import make_cylinder_board
from ...rules.lariat import CENTRE_CELL, make_lariat_rules
from ...text import plural
from .. import lariat_common
from ..spec_parser import SpecReader, require_in_range

OBJECT_CLAUSE = "The object of the game"


class Lariat(lariat_common.LariatFamilyGame):
    """Lariat on a cylinder closed at the top, with cap radius r and wall height h."""

    name = "Lariat"
    year = "2008"
    preserved_marks = ("centre", "edge")

    def __init__(self, cap: int, wall: int, *, pie: bool = False) -> None:
        self.board = make_cylinder_board(cap, wall)
        self.options = {"cap": cap, "wall": wall, "pie": pie}
        self.spec = f"lariat-{cap}x{wall}{'-pie' if pie else ''}"
        self.rules = make_lariat_rules(self.board, pie)

    def uppercase_cells(self) -> Sequence[int]:
        """The centre cell."""
        return self.board.marked_cells["centre"]

    def empty_symbol(self, cell: int) -> str:
        """The centre is marked."""
        return "*" if cell == CENTRE_CELL else "."

    def legend(self) -> str:
        """Rings and stones."""
        return (
            "b black, w white, * the centre (B or W with a stone on it). A line is a ring from the centre down to the edge, "
            "its cells numbered from 1; it closes on itself, and each cell of the wall touches the two above it."
        )

    def line_labels(self) -> Sequence[str]:
        """The letter of each ring."""
        return [self.board.names[ring[0]].rstrip("0123456789") for ring in self.board.rows]

    def describe_victory(self, group: set[int]) -> tuple[str, str, str]:
        """Whether the group holds the centre or ropes it off, and where it meets the edge."""
        edge_names = self.cell_names(group & set(self.board.marked_cells["edge"]))
        edge_text = (
            f"the edge at {edge_names[0]}"
            if len(edge_names) == 1
            else f"the edge at {len(edge_names)} cells such as {edge_names[0]}"
        )
        size = plural(len(group), "stone")
        if CENTRE_CELL in group:
            return "holds-centre", OBJECT_CLAUSE, f"ties the centre a1 to {edge_text} with a group of {size}"
        return "ropes-off-centre", OBJECT_CLAUSE, f"ropes off the centre a1 with a group of {size} that reaches {edge_text}"


def from_spec(reader: SpecReader) -> Lariat:
    """lariat-RxH, with -pie."""
    size = reader.next_word(r"\d+x\d+", "a size RxH such as 2x10 (cap radius 1 to 6, wall height 1 to 24)")
    cap, wall = map(int, re.findall(r"\d+", size))
    require_in_range(reader, cap, 1, 6, "cap radius")
    require_in_range(reader, wall, 1, 24, "wall height")
    reader.require_known_flags(["pie"])
    return Lariat(cap, wall, pie=reader.has_flag("pie"))
