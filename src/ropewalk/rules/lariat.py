"""Lariat, by Mark Steere (2008): connect the centre of a cylinder to its edge, or encircle it from there.

A group wins if it contains an edge cell and either contains the centre or has a loop around it. Everything else is shared
with Cube Lariat: see `lariat_common`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..jit.kernel import implements, kernel
from . import lariat_common, virtual_wins
from .boundary import BoundaryTables, find_shortest_path, make_boundary_tables
from .placement import Cells

CENTRE_CELL = 0
CENTRE_MARK, EDGE_MARK = 1, 2  # bits of `marks`


class LariatRules(NamedTuple):
    """Board and options of a game of Lariat."""

    neighbours: NDArray[np.int16]  # [cells, 6]
    degrees: Cells  # [cells]
    cut_parity_masks: NDArray[np.int16]  # [cells, 6]: 1 where the step to a neighbour crosses the cut from centre to edge
    marks: Cells  # [cells]: CENTRE_MARK and EDGE_MARK
    boundary: BoundaryTables
    num_cells: int
    edge_mark: int  # the mark of cells at the edge of the board: EDGE_MARK
    pie: int  # 1 if seat 1 may swap colours after the first stone


lariat_common.register(LariatRules)
virtual_wins.register(LariatRules)


@implements(lariat_common.is_winning_group, LariatRules)
@kernel
def connects_or_encircles_centre(rules: LariatRules, held_marks: int, separated_pairs: int) -> bool:
    """Return whether a group contains an edge cell and contains or encircles the centre."""
    return held_marks & EDGE_MARK != 0 and (held_marks & CENTRE_MARK != 0 or separated_pairs != 0)


def make_lariat_rules(board: Board, pie: bool) -> LariatRules:
    """Return the rules for a cylinder board."""
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
