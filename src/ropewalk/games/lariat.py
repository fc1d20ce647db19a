"""Lariat, by Mark Steere (2008): tie the centre of a cylinder to its edge, or rope it off from there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..boards import make_cylinder_board
from ..rules.lariat import CENTRE_CELL, make_lariat_rules
from . import claiming
from .specs import Spec, in_range
from .words import counted

OBJECT = "The object of the game"


class Lariat(claiming.ClaimingGame):
    """Lariat on a cylinder closed at the top, with cap radius r and wall height h."""

    name = "Lariat"
    year = "2008"
    kept_marks = ("centre", "edge")

    def __init__(self, cap: int, wall: int, *, pie: bool = False) -> None:
        self.board = make_cylinder_board(cap, wall)
        self.options = {"cap": cap, "wall": wall, "pie": pie}
        self.spec = f"lariat-{cap}x{wall}{'-pie' if pie else ''}"
        self.rules = make_lariat_rules(self.board, pie)

    def marked_cells(self) -> Sequence[int]:
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

    def victory(self, group: set[int]) -> tuple[str, str, str]:
        """Whether the group holds the centre or ropes it off, and where it meets the edge."""
        edge = self.named(group & set(self.board.marked_cells["edge"]))
        ends = f"the edge at {edge[0]}" if len(edge) == 1 else f"the edge at {len(edge)} cells such as {edge[0]}"
        size = counted(len(group), "stone")
        if CENTRE_CELL in group:
            return "holds-centre", OBJECT, f"ties the centre a1 to {ends} with a group of {size}"
        return "ropes-off-centre", OBJECT, f"ropes off the centre a1 with a group of {size} that reaches {ends}"


def from_spec(spec: Spec) -> Lariat:
    """lariat-RxH, with -pie."""
    size = spec.word(r"\d+x\d+", "a size RxH such as 2x10 (cap radius 1 to 6, wall height 1 to 24)")
    cap, wall = map(int, re.findall(r"\d+", size))
    in_range(spec, cap, 1, 6, "cap radius")
    in_range(spec, wall, 1, 24, "wall height")
    spec.ends(["pie"])
    return Lariat(cap, wall, pie=spec.flag("pie"))
