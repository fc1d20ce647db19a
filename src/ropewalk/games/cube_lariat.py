"""Cube Lariat, by Mark Steere (2024): with a single group, part three cells of a cube's surface from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board, cube
from ..kernels import answers, kernel
from . import claiming, notation, ropes
from .borders import Borders, borders_of, shortest_path
from .claims import Claim
from .ropes import Cells
from .specs import Spec, in_range

PAIRS = ((0, 1), (0, 2), (1, 2))  # of nuclear cells, in the order of the cuts
OBJECT = "The object of the game"


class CubeLariatRules(NamedTuple):
    """What the kernels know of a cube."""

    neighbours: NDArray[np.int16]  # [cells, 8]
    degrees: Cells
    crossings: NDArray[np.int16]  # [cells, 8]: the cuts between nuclear cells that a step crosses
    marks: Cells  # a bit for each nuclear cell
    borders: Borders
    cells: int
    pie: int  # 1 when seat 1 may swap


claiming.register(CubeLariatRules)


@answers(ropes.has_won, CubeLariatRules)
@kernel
def isolates_nuclear_cells(rules: CubeLariatRules, holds: int, parts: int) -> bool:
    """A group wins when it parts every pair of nuclear cells of which it holds neither."""
    if holds & 1:
        parts |= 0b011
    if holds & 2:
        parts |= 0b101
    if holds & 4:
        parts |= 0b110
    return parts == 0b111


class CubeLariat(claiming.ClaimingGame):
    """Cube Lariat with n x n octagons a face."""

    name = "Cube Lariat"
    year = "2024"
    any_mark_alike = True

    def __init__(self, size: int, *, corners: bool = True, pie: bool = True) -> None:
        self.board = cube(size)
        self.options = {"size": size, "corners": corners, "pie": pie}
        self.spec = f"cube-lariat-{size}{'' if corners else '-nocorners'}{'' if pie else '-nopie'}"
        self.rules = rules_for(self.board, pie)

    def claims(self) -> Sequence[Claim]:
        """Full boards, and the corners."""
        from . import rope_claims

        return [*super().claims(), *([rope_claims.corner_claim(self)] if self.options["corners"] else [])]

    def marked_cells(self) -> Sequence[int]:
        """The nuclear cells."""
        return self.board.marks["nuclear"]

    def empty_symbol(self, cell: int) -> str:
        """Nuclear cells are starred, octagons have a dot, the small cells an apostrophe, barred corners a cross."""
        if self.rules.marks[cell]:
            return "*"
        if cell in self.barred():
            return "#"
        return "." if self.board.degrees[cell] == 8 else "'"

    def line_labels(self) -> Sequence[str]:
        """The faces that each line of the net shows."""
        side = 2 * self.options["size"]
        labels = [""] * len(notation.drawing_lines(self.board))
        for third, faces in enumerate(("U", "LFRB", "D")):
            labels[side * third + side // 2] = faces
        return labels

    def barred(self) -> Sequence[int]:
        """Corners can be barred."""
        return () if self.options["corners"] else self.board.marks["corners"]

    def victory(self, group: set[int]) -> tuple[str, str, str]:
        """Which nuclear cells the group holds, and which it parts."""
        nuclear = set(self.board.marks["nuclear"])
        held, parted = self.named(nuclear & group), self.named(nuclear - group)
        size = claiming.counted(len(group), "stone")
        words = f"isolates the nuclear cells with a group of {size}"
        if held:
            words += f" that holds {claiming.listed(held)}"
        if len(parted) > 1:
            words += f" {'and' if held else 'that'} parts {claiming.listed(parted)}"
        return "isolates-nuclear-cells", OBJECT, words


def rules_for(board: Board, pie: bool) -> CubeLariatRules:
    """The board as the kernels read it."""
    nuclear = board.marks["nuclear"]
    marks = np.zeros(len(board), np.int16)
    marks[list(nuclear)] = [1, 2, 4]
    cuts = [ropes.cut_between(board, {nuclear[one]}, {nuclear[other]}) for one, other in PAIRS]
    return CubeLariatRules(
        neighbours=board.neighbours,
        degrees=board.degrees,
        crossings=ropes.crossings(board, cuts),
        marks=marks,
        borders=borders_of(board, [shortest_path(board, nuclear[0], {other}) for other in nuclear[1:]]),
        cells=len(board),
        pie=int(pie),
    )


def from_spec(spec: Spec) -> CubeLariat:
    """cube-lariat-N, with -nocorners and -nopie."""
    size = int(spec.word(r"\d+", "an even size 2 to 8"))
    in_range(spec, size, 2, 8, "size")
    if size % 2:
        raise spec.error(f"size {size} is odd; a nuclear cell needs the middle of an edge, so sizes are 2, 4, 6 or 8")
    spec.ends(["nocorners", "nopie"])
    return CubeLariat(size, corners=not spec.flag("nocorners"), pie=not spec.flag("nopie"))
