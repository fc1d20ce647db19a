"""Judging a full board of Lariat or Cube Lariat by walking along the borders between the two colours.

On a full board the groups form a tree whose links are closed borders. The winning group is where the ways
from one marked place, the origin, to the others part (in Cube Lariat), or the last one before the edge (in
Lariat). So the winner is the colour at the origin, exchanged once for every closed border that parts the
origin from all the others. Such a border must cross a path from the origin to one of them an odd number of
times; only borders that cross the path are walked, and they are few and short.

A *walk* is a directed pair of neighbours, a cell on the left and one on the right: number 8 * left + slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import bit
from ..boards import NO_CELL, Board
from ..kernels import kernel

SLOTS = 8
OFF_BOARD = -1  # the border ends at the edge

Walks: TypeAlias = NDArray[np.int16]


class Borders(NamedTuple):
    """The tables of a board."""

    right: Walks  # [walks]: the cell on the right
    ahead: Walks  # [walks]: the third cell at the corner point ahead
    turns: NDArray[np.int16]  # [walks, 2]: the next walk when that cell has the right colour, or the left one
    crossing: Walks  # [walks]: the paths that the walk crosses, a bit each
    along: Walks  # [walks]: where on the first path that is
    path: Walks  # the steps of the first path as walks, from the origin on
    parting: int  # the paths that a border must cross oddly to part the origin from all others


@kernel
def winner_of_full_board(borders: Borders, stones: Any) -> int:
    """The colour at the origin, exchanged for each closed border that parts it from the other marked places."""
    exchanges = 0
    walked = 0  # steps of the path whose border is known, a bit each
    for step in range(len(borders.path)):
        start = borders.path[step]
        left = stones[start >> 3]
        if left == stones[borders.right[start]] or walked >> step & 1:
            continue
        crossed = 0
        walk = start
        while walk != OFF_BOARD:
            if borders.crossing[walk] != 0:
                crossed ^= borders.crossing[walk]
                if borders.crossing[walk] & 1:
                    walked |= bit(borders.along[walk])
            walk = borders.turns[walk, 1 if stones[borders.ahead[walk]] == left else 0]
            if walk == start:
                exchanges += 1 if crossed == borders.parting else 0
                break
    origin = stones[borders.path[0] >> 3]
    return origin if exchanges & 1 == 0 else 3 - origin


def borders_of(board: Board, paths: Sequence[Sequence[int]]) -> Borders:
    """The tables for paths of cells that all begin at the origin."""
    walks = len(board) * SLOTS
    right, ahead = np.zeros(walks, np.int16), np.zeros(walks, np.int16)
    turns = np.full((walks, 2), OFF_BOARD, np.int16)
    slot_of = {(cell, int(other)): slot for (cell, slot), other in np.ndenumerate(board.neighbours) if other != NO_CELL}
    for (left, other), slot in slot_of.items():
        walk = left * SLOTS + slot
        right[walk] = other
        third = int(board.neighbours[left, (slot + 1) % board.degrees[left]])
        if board.adjacent(third, other):  # else the board's edge lies ahead
            ahead[walk] = third
            turns[walk] = left * SLOTS + slot_of[left, third], third * SLOTS + slot_of[third, other]
    crossing, along = np.zeros(walks, np.int16), np.zeros(walks, np.int16)
    for number, path in enumerate(paths):
        for step, (cell, other) in enumerate(pairwise(path)):
            for pair in ((cell, other), (other, cell)):
                walk = pair[0] * SLOTS + slot_of[pair]
                crossing[walk] |= 1 << number
                along[walk] = step if number == 0 else along[walk]
    first = [cell * SLOTS + slot_of[cell, other] for cell, other in pairwise(paths[0])]
    return Borders(
        right=right,
        ahead=ahead,
        turns=turns,
        crossing=crossing,
        along=along,
        path=np.array(first, np.int16),
        parting=(1 << len(paths)) - 1,
    )


def shortest_path(board: Board, start: int, ends: set[int]) -> list[int]:
    """The cells of a shortest path, the first one found in the order of slots."""
    came_from = {start: NO_CELL}
    queue = [start]
    for cell in queue:
        if cell in ends:
            path = [cell]
            while (before := came_from[path[-1]]) != NO_CELL:
                path.append(before)
            return path[::-1]
        for neighbour in map(int, board.neighbours[cell]):
            if neighbour != NO_CELL and neighbour not in came_from:
                came_from[neighbour] = cell
                queue.append(neighbour)
    raise AssertionError("the board is connected")
