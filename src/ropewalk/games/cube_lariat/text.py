"""Texts of Cube Lariat: drawn board and winning groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...text import join_list, plural
from .. import notation
from ..lariat_text import LariatFamilyText
from ..position import Position

if TYPE_CHECKING:
    from .game import CubeLariat

OBJECT_CLAUSE = "The object of the game"
MIN_BRIDGED_CELLS = 2  # nuclear cells that a bridge holds


class CubeLariatText(LariatFamilyText):
    """The drawn cube and the victories of Cube Lariat in words."""

    game: CubeLariat

    def uppercase_cells(self) -> Sequence[int]:
        """Return the nuclear cells."""
        return self.board.marked_cells["nuclear"]

    def empty_symbol(self, cell: int) -> str:
        """Return * for nuclear cells, # for blocked corners, . for octagons and ' for small cells."""
        if self.game.rules.marks[cell]:
            return "*"
        if cell in self.game.blocked_cells():
            return "#"
        return "." if self.board.degrees[cell] == 8 else "'"

    def legend(self) -> str:
        """Return how to read the net and its cells."""
        return (
            "b black, w white, * a nuclear cell (B or W with a stone on it), . an octagon, ' a square or corner, "
            "# a blocked "
            "corner. The net shows U on top, L F R B in the middle, D below; cells on a cut edge are drawn at both borders."
        )

    def line_labels(self) -> Sequence[str]:
        """Return the faces of each band of the net, beside its middle line."""
        lines_per_face = 2 * self.game.options["size"]
        labels = [""] * len(notation.group_layout_lines(self.board))
        for band, faces in enumerate(("U", "LFRB", "D")):
            labels[lines_per_face * band + lines_per_face // 2] = faces
        return labels

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return bridge for a group that holds two nuclear cells or more, rope for one that parts them around itself."""
        num_held = len(self.find_winning_group(line[-1])[1] & set(self.board.marked_cells["nuclear"]))
        return "bridge" if num_held >= MIN_BRIDGED_CELLS else "rope"

    def describe_victory(self, group: set[int]) -> tuple[str, str, str]:
        """Return which nuclear cells the group holds and which it separates."""
        nuclear = set(self.board.marked_cells["nuclear"])
        held_names, separated_names = self.cell_names(nuclear & group), self.cell_names(nuclear - group)
        size = plural(len(group), "stone")
        description = f"isolates the nuclear cells with a group of {size}"
        if held_names:
            description += f" that holds {join_list(held_names)}"
        if len(separated_names) > 1:
            description += f" {'and' if held_names else 'that'} separates {join_list(separated_names)}"
        return "isolates-nuclear-cells", OBJECT_CLAUSE, description
