"""Cube Lariat, by Mark Steere (2024): with a single group, part three cells of a cube's surface from each other."""

from __future__ import annotations

from collections.abc import Sequence

from ...boards import make_cube_board
from ...rules.cube_lariat import make_cube_lariat_rules
from ...text import join_list, plural
from .. import lariat_common, notation
from ..claims import RuleClaim
from ..spec_parser import SpecReader, require_in_range

OBJECT_CLAUSE = "The object of the game"


class CubeLariat(lariat_common.LariatFamilyGame):
    """Cube Lariat with n x n octagons a face."""

    name = "Cube Lariat"
    year = "2024"
    preserved_marks = ("nuclear",)

    def __init__(self, size: int, *, corners: bool = True, pie: bool = True) -> None:
        self.board = make_cube_board(size)
        self.options = {"size": size, "corners": corners, "pie": pie}
        self.spec = f"cube-lariat-{size}{'' if corners else '-nocorners'}{'' if pie else '-nopie'}"
        self.rules = make_cube_lariat_rules(self.board, pie)

    def claims(self) -> Sequence[RuleClaim]:
        """Full boards, and the corners."""
        from .. import lariat_claims

        return [*super().claims(), *([lariat_claims.make_corner_claim(self)] if self.options["corners"] else [])]

    def uppercase_cells(self) -> Sequence[int]:
        """The nuclear cells."""
        return self.board.marked_cells["nuclear"]

    def empty_symbol(self, cell: int) -> str:
        """Nuclear cells are starred, octagons have a dot, the small cells an apostrophe, barred corners a cross."""
        if self.rules.marks[cell]:
            return "*"
        if cell in self.blocked_cells():
            return "#"
        return "." if self.board.degrees[cell] == 8 else "'"

    def legend(self) -> str:
        """The net and its cells."""
        return (
            "b black, w white, * a nuclear cell (B or W with a stone on it), . an octagon, ' a square or corner, # a barred "
            "corner. The net shows U on top, L F R B in the middle, D below; cells on a cut edge are drawn at both borders."
        )

    def line_labels(self) -> Sequence[str]:
        """The faces that each line of the net shows."""
        lines_per_face = 2 * self.options["size"]
        labels = [""] * len(notation.group_layout_lines(self.board))
        for band, faces in enumerate(("U", "LFRB", "D")):
            labels[lines_per_face * band + lines_per_face // 2] = faces
        return labels

    def blocked_cells(self) -> Sequence[int]:
        """Corners can be barred."""
        return () if self.options["corners"] else self.board.marked_cells["corners"]

    def describe_victory(self, group: set[int]) -> tuple[str, str, str]:
        """Which nuclear cells the group holds, and which it parts."""
        nuclear = set(self.board.marked_cells["nuclear"])
        held_names, separated_names = self.cell_names(nuclear & group), self.cell_names(nuclear - group)
        size = plural(len(group), "stone")
        description = f"isolates the nuclear cells with a group of {size}"
        if held_names:
            description += f" that holds {join_list(held_names)}"
        if len(separated_names) > 1:
            description += f" {'and' if held_names else 'that'} parts {join_list(separated_names)}"
        return "isolates-nuclear-cells", OBJECT_CLAUSE, description


def from_spec(reader: SpecReader) -> CubeLariat:
    """cube-lariat-N, with -nocorners and -nopie."""
    size = int(reader.next_word(r"\d+", "an even size 2 to 8"))
    require_in_range(reader, size, 2, 8, "size")
    if size % 2:
        raise reader.error(f"size {size} is odd; a nuclear cell needs the middle of an edge, so sizes are 2, 4, 6 or 8")
    reader.require_known_flags(["nocorners", "nopie"])
    return CubeLariat(size, corners=not reader.has_flag("nocorners"), pie=not reader.has_flag("nopie"))
