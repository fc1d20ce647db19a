"""Cube Lariat, by Mark Steere (2024): separate the three nuclear cells of a cube from each other with a single group.

A group wins if it separates every pair of nuclear cells of which it contains neither. Everything else is shared with
Lariat: see `lariat_common`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..jit.kernel import implements, kernel
from . import lariat_common, virtual_wins
from .boundary import BoundaryTables, find_shortest_path, make_boundary_tables
from .lariat_common import pairs_with_held_mark
from .placement import Cells

NUCLEAR_PAIRS = ((0, 1), (0, 2), (1, 2))  # of nuclear cells, in the order of cuts and of bits of `separated_pairs`


class CubeLariatRules(NamedTuple):
    """Board and options of a game of Cube Lariat."""

    neighbours: NDArray[np.int16]  # [cells, 8]
    degrees: Cells  # [cells]
    cut_parity_masks: NDArray[np.int16]  # [cells, 8]: the cuts that the step to a neighbour crosses, one bit each
    marks: Cells  # [cells]: one bit per nuclear cell
    boundary: BoundaryTables
    num_cells: int
    edge_mark: int  # 0: this board has no edge
    pie: int  # 1 if seat 1 may swap colours after the first stone


lariat_common.register(CubeLariatRules)
virtual_wins.register(CubeLariatRules)


@implements(lariat_common.is_winning_group, CubeLariatRules)
@kernel
def isolates_nuclear_cells(rules: CubeLariatRules, held_marks: int, separated_pairs: int) -> bool:
    """Return whether a group separates every pair of nuclear cells of which it contains neither."""
    return separated_pairs | pairs_with_held_mark(held_marks) == 0b111


def make_cube_lariat_rules(board: Board, pie: bool) -> CubeLariatRules:
    """Return the rules for a cube board."""
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
