"""Lariat, by Mark Steere (2008): tie the centre of a cylinder to its edge, or rope it off from there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..jit.kernel import implements, kernel
from . import lariat_common
from .boundary import BoundaryTables, find_shortest_path, make_boundary_tables
from .lariat_common import Cells

CENTRE_CELL = 0
CENTRE_MARK, EDGE_MARK = 1, 2  # marks


class LariatRules(NamedTuple):
    """What the kernels know of a Lariat board."""

    neighbours: NDArray[np.int16]  # [cells, 6]
    degrees: Cells
    cut_parity_masks: NDArray[np.int16]  # [cells, 6]: whether the step crosses the cut from the centre to the edge
    marks: Cells  # CENTRE and EDGE
    boundary: BoundaryTables
    num_cells: int
    edge_mark: int  # the mark of cells at the edge of the board
    pie: int  # 1 when seat 1 may swap


lariat_common.register(LariatRules)


@implements(lariat_common.is_winning_group, LariatRules)
@kernel
def connects_or_encircles_centre(rules: LariatRules, held_marks: int, separated_pairs: int) -> bool:
    """A group at the edge wins when it holds the centre, or has a loop around it."""
    return held_marks & EDGE_MARK != 0 and (held_marks & CENTRE_MARK != 0 or separated_pairs != 0)


def make_lariat_rules(board: Board, pie: bool) -> LariatRules:
    """The board as the kernels read it."""
    marks = np.zeros(len(board), np.int16)
    marks[CENTRE_CELL] |= CENTRE_MARK
    edge_cells = set(board.marked_cells["edge"])
    marks[list(edge_cells)] |= EDGE_MARK
    cut = lariat_common.dual_path(board, {CENTRE_CELL}, edge_cells, leaves_board=True)
    return LariatRules(
        neighbours=board.neighbours,
        degrees=board.degrees,
        cut_parity_masks=lariat_common.cut_parity_masks(board, [cut]),
        marks=marks,
        boundary=make_boundary_tables(board, [find_shortest_path(board, CENTRE_CELL, edge_cells)]),
        num_cells=len(board),
        edge_mark=EDGE_MARK,
        pie=int(pie),
    )
