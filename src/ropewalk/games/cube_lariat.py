"""Cube Lariat, by Mark Steere (2024): with a single group, part three cells of a cube's surface from each other."""

from __future__ import annotations

from collections.abc import Sequence

from ..boards import make_cube_board
from ..rules.cube_lariat import make_cube_lariat_rules
from . import claiming, notation
from .claims import Claim
from .specs import Spec, in_range
from .words import counted, listed

OBJECT = "The object of the game"


class CubeLariat(claiming.ClaimingGame):
    """Cube Lariat with n x n octagons a face."""

    name = "Cube Lariat"
    year = "2024"
    kept_marks = ("nuclear",)

    def __init__(self, size: int, *, corners: bool = True, pie: bool = True) -> None:
        self.board = make_cube_board(size)
        self.options = {"size": size, "corners": corners, "pie": pie}
        self.spec = f"cube-lariat-{size}{'' if corners else '-nocorners'}{'' if pie else '-nopie'}"
        self.rules = make_cube_lariat_rules(self.board, pie)

    def claims(self) -> Sequence[Claim]:
        """Full boards, and the corners."""
        from . import rope_claims

        return [*super().claims(), *([rope_claims.corner_claim(self)] if self.options["corners"] else [])]

    def marked_cells(self) -> Sequence[int]:
        """The nuclear cells."""
        return self.board.marked_cells["nuclear"]

    def empty_symbol(self, cell: int) -> str:
        """Nuclear cells are starred, octagons have a dot, the small cells an apostrophe, barred corners a cross."""
        if self.rules.marks[cell]:
            return "*"
        if cell in self.barred():
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
        side = 2 * self.options["size"]
        labels = [""] * len(notation.drawing_lines(self.board))
        for third, faces in enumerate(("U", "LFRB", "D")):
            labels[side * third + side // 2] = faces
        return labels

    def barred(self) -> Sequence[int]:
        """Corners can be barred."""
        return () if self.options["corners"] else self.board.marked_cells["corners"]

    def victory(self, group: set[int]) -> tuple[str, str, str]:
        """Which nuclear cells the group holds, and which it parts."""
        nuclear = set(self.board.marked_cells["nuclear"])
        held, parted = self.named(nuclear & group), self.named(nuclear - group)
        size = counted(len(group), "stone")
        words = f"isolates the nuclear cells with a group of {size}"
        if held:
            words += f" that holds {listed(held)}"
        if len(parted) > 1:
            words += f" {'and' if held else 'that'} parts {listed(parted)}"
        return "isolates-nuclear-cells", OBJECT, words


def from_spec(spec: Spec) -> CubeLariat:
    """cube-lariat-N, with -nocorners and -nopie."""
    size = int(spec.word(r"\d+", "an even size 2 to 8"))
    in_range(spec, size, 2, 8, "size")
    if size % 2:
        raise spec.error(f"size {size} is odd; a nuclear cell needs the middle of an edge, so sizes are 2, 4, 6 or 8")
    spec.ends(["nocorners", "nopie"])
    return CubeLariat(size, corners=not spec.flag("nocorners"), pie=not spec.flag("nopie"))
