"""Cube Lariat, by Mark Steere (2024): with a single group, part three cells of a cube's surface from each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..kernels import answers, kernel
from . import ropes
from .borders import Borders, borders_of, shortest_path
from .ropes import Cells, pairs_held

PAIRS = ((0, 1), (0, 2), (1, 2))  # of nuclear cells, in the order of the cuts


class CubeLariatRules(NamedTuple):
    """What the kernels know of a cube."""

    neighbours: NDArray[np.int16]  # [cells, 8]
    degrees: Cells
    crossings: NDArray[np.int16]  # [cells, 8]: the cuts between nuclear cells that a step crosses
    marks: Cells  # a bit for each nuclear cell
    borders: Borders
    cells: int
    edge: int  # 0: this board has none
    pie: int  # 1 when seat 1 may swap


ropes.register(CubeLariatRules)


@answers(ropes.has_won, CubeLariatRules)
@kernel
def isolates_nuclear_cells(rules: CubeLariatRules, holds: int, parts: int) -> bool:
    """A group wins when it parts every pair of nuclear cells of which it holds neither."""
    return parts | pairs_held(holds) == 0b111


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
        edge=0,
        pie=int(pie),
    )
