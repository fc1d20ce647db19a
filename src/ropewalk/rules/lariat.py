"""Lariat, by Mark Steere (2008): tie the centre of a cylinder to its edge, or rope it off from there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..kernels import answers, kernel
from . import ropes
from .borders import Borders, borders_of, shortest_path
from .ropes import Cells

CENTRE_CELL = 0
CENTRE, EDGE = 1, 2  # marks


class LariatRules(NamedTuple):
    """What the kernels know of a Lariat board."""

    neighbours: NDArray[np.int16]  # [cells, 6]
    degrees: Cells
    crossings: NDArray[np.int16]  # [cells, 6]: whether the step crosses the cut from the centre to the edge
    marks: Cells  # CENTRE and EDGE
    borders: Borders
    cells: int
    edge: int  # the mark of cells at the edge of the board
    pie: int  # 1 when seat 1 may swap


ropes.register(LariatRules)


@answers(ropes.has_won, LariatRules)
@kernel
def holds_lariat(rules: LariatRules, holds: int, parts: int) -> bool:
    """A group at the edge wins when it holds the centre, or has a loop around it."""
    return holds & EDGE != 0 and (holds & CENTRE != 0 or parts != 0)


def rules_for(board: Board, pie: bool) -> LariatRules:
    """The board as the kernels read it."""
    marks = np.zeros(len(board), np.int16)
    marks[CENTRE_CELL] |= CENTRE
    edge = set(board.marks["edge"])
    marks[list(edge)] |= EDGE
    cut = ropes.cut_between(board, {CENTRE_CELL}, edge, leaves_board=True)
    return LariatRules(
        neighbours=board.neighbours,
        degrees=board.degrees,
        crossings=ropes.crossings(board, [cut]),
        marks=marks,
        borders=borders_of(board, [shortest_path(board, CENTRE_CELL, edge)]),
        cells=len(board),
        edge=EDGE,
        pie=int(pie),
    )
