"""Texts of Lariat: drawn board and winning groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...rules.lariat import CENTRE_CELL
from ...text import plural
from ..lariat_text import LariatFamilyText
from ..position import Position

if TYPE_CHECKING:
    from .game import Lariat

OBJECT_CLAUSE = "The object of the game"


class LariatText(LariatFamilyText):
    """The drawn cylinder and the victories of Lariat in words."""

    game: Lariat

    def uppercase_cells(self) -> Sequence[int]:
        """Return the centre cell."""
        return self.board.marked_cells["centre"]

    def empty_symbol(self, cell: int) -> str:
        """Return a star for the centre, a dot for other cells."""
        return "*" if cell == CENTRE_CELL else "."

    def legend(self) -> str:
        """Return how to read rings and stones."""
        return (
            "b black, w white, * the centre (B or W with a stone on it). A line is a ring from the centre down to the edge, "
            "its cells numbered from 1; it closes on itself, and each cell of the wall touches the two above it."
        )

    def line_labels(self) -> Sequence[str]:
        """Return the letter of each ring."""
        return [self.board.names[ring[0]].rstrip("0123456789") for ring in self.board.rows]

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return centre for a group that holds the centre, rope for one that ropes it off."""
        return "centre" if CENTRE_CELL in self.find_winning_group(line[-1])[1] else "rope"

    def describe_victory(self, group: set[int]) -> tuple[str, str, str]:
        """Return whether the group holds the centre or ropes it off, and where it meets the edge."""
        edge_names = self.cell_names(group & set(self.board.marked_cells["edge"]))
        edge_text = (
            f"the edge at {edge_names[0]}"
            if len(edge_names) == 1
            else f"the edge at {len(edge_names)} cells such as {edge_names[0]}"
        )
        size = plural(len(group), "stone")
        if CENTRE_CELL in group:
            return "holds-centre", OBJECT_CLAUSE, f"connects the centre a1 to {edge_text} with a group of {size}"
        return "ropes-off-centre", OBJECT_CLAUSE, f"ropes off the centre a1 with a group of {size} that reaches {edge_text}"
