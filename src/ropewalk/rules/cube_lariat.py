"""Cube Lariat, by Mark Steere (2024): with a single group, part three cells of a cube's surface from each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..jit.kernel import implements, kernel
from . import lariat_common
from .boundary import BoundaryTables, find_shortest_path, make_boundary_tables
from .lariat_common import Cells, pairs_with_held_mark

NUCLEAR_PAIRS = ((0, 1), (0, 2), (1, 2))  # of nuclear cells, in the order of the cuts


class CubeLariatRules(NamedTuple):
    """What the kernels know of a cube."""

    neighbours: NDArray[np.int16]  # [cells, 8]
    degrees: Cells
    cut_parity_masks: NDArray[np.int16]  # [cells, 8]: the cuts between nuclear cells that a step crosses
    marks: Cells  # a bit for each nuclear cell
    boundary: BoundaryTables
    num_cells: int
    edge_mark: int  # 0: this board has none
    pie: int  # 1 when seat 1 may swap


lariat_common.register(CubeLariatRules)


@implements(lariat_common.is_winning_group, CubeLariatRules)
@kernel
def isolates_nuclear_cells(rules: CubeLariatRules, held_marks: int, separated_pairs: int) -> bool:
    """A group wins when it parts every pair of nuclear cells of which it holds neither."""
    return separated_pairs | pairs_with_held_mark(held_marks) == 0b111


def make_cube_lariat_rules(board: Board, pie: bool) -> CubeLariatRules:
    """The board as the kernels read it."""
    nuclear = board.marked_cells["nuclear"]
    marks = np.zeros(len(board), np.int16)
    marks[list(nuclear)] = [1, 2, 4]
    cuts = [lariat_common.dual_path(board, {nuclear[one]}, {nuclear[other]}) for one, other in NUCLEAR_PAIRS]
    return CubeLariatRules(
        neighbours=board.neighbours,
        degrees=board.degrees,
        cut_parity_masks=lariat_common.cut_parity_masks(board, cuts),
        marks=marks,
        boundary=make_boundary_tables(board, [find_shortest_path(board, nuclear[0], {other}) for other in nuclear[1:]]),
        num_cells=len(board),
        edge_mark=0,
        pie=int(pie),
    )
