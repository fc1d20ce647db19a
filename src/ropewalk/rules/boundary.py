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

from ..boards import NO_CELL, Board
from ..jit.intrinsics import bit
from ..jit.kernel import kernel

HALF_EDGES_PER_CELL = 8
NO_HALF_EDGE = -1  # the border ends at the edge

HalfEdges: TypeAlias = NDArray[np.int16]


class BoundaryTables(NamedTuple):
    """The tables of a board."""

    right_cell: HalfEdges  # [walks]: the cell on the right
    apex_cell: HalfEdges  # [walks]: the third cell at the corner point ahead
    next_half_edge: NDArray[np.int16]  # [walks, 2]: the next walk when that cell has the right colour, or the left one
    crossed_paths: HalfEdges  # [walks]: the paths that the walk crosses, a bit each
    path_step: HalfEdges  # [walks]: where on the first path that is
    path_half_edges: HalfEdges  # the steps of the first path as walks, from the origin on
    separating_mask: int  # the paths that a border must cross oddly to part the origin from all others


@kernel
def full_board_winner(tables: BoundaryTables, stones: Any) -> int:
    """The colour at the origin, exchanged for each closed border that parts it from the other marked places."""
    colour_flips = 0
    traced_steps = 0  # steps of the path whose border is known, a bit each
    for step in range(len(tables.path_half_edges)):
        start = tables.path_half_edges[step]
        left_colour = stones[start >> 3]
        if left_colour == stones[tables.right_cell[start]] or traced_steps >> step & 1:
            continue
        crossed_parity = 0
        half_edge = start
        while half_edge != NO_HALF_EDGE:
            if tables.crossed_paths[half_edge] != 0:
                crossed_parity ^= tables.crossed_paths[half_edge]
                if tables.crossed_paths[half_edge] & 1:
                    traced_steps |= bit(tables.path_step[half_edge])
            half_edge = tables.next_half_edge[half_edge, 1 if stones[tables.apex_cell[half_edge]] == left_colour else 0]
            if half_edge == start:
                colour_flips += 1 if crossed_parity == tables.separating_mask else 0
                break
    origin_colour = stones[tables.path_half_edges[0] >> 3]
    return origin_colour if colour_flips & 1 == 0 else 3 - origin_colour


def make_boundary_tables(board: Board, paths: Sequence[Sequence[int]]) -> BoundaryTables:
    """The tables for paths of cells that all begin at the origin."""
    num_half_edges = len(board) * HALF_EDGES_PER_CELL
    right_cell, apex_cell = np.zeros(num_half_edges, np.int16), np.zeros(num_half_edges, np.int16)
    next_half_edge = np.full((num_half_edges, 2), NO_HALF_EDGE, np.int16)
    slot_by_pair = {(cell, int(other)): slot for (cell, slot), other in np.ndenumerate(board.neighbours) if other != NO_CELL}
    for (left, other), slot in slot_by_pair.items():
        half_edge = left * HALF_EDGES_PER_CELL + slot
        right_cell[half_edge] = other
        apex = int(board.neighbours[left, (slot + 1) % board.degrees[left]])
        if board.adjacent(apex, other):  # else the board's edge lies ahead
            apex_cell[half_edge] = apex
            next_half_edge[half_edge] = (
                left * HALF_EDGES_PER_CELL + slot_by_pair[left, apex],
                apex * HALF_EDGES_PER_CELL + slot_by_pair[apex, other],
            )
    crossed_paths, path_step = np.zeros(num_half_edges, np.int16), np.zeros(num_half_edges, np.int16)
    for path_index, path in enumerate(paths):
        for step, (cell, other) in enumerate(pairwise(path)):
            for pair in ((cell, other), (other, cell)):
                half_edge = pair[0] * HALF_EDGES_PER_CELL + slot_by_pair[pair]
                crossed_paths[half_edge] |= 1 << path_index
                path_step[half_edge] = step if path_index == 0 else path_step[half_edge]
    first_path_half_edges = [cell * HALF_EDGES_PER_CELL + slot_by_pair[cell, other] for cell, other in pairwise(paths[0])]
    return BoundaryTables(
        right_cell=right_cell,
        apex_cell=apex_cell,
        next_half_edge=next_half_edge,
        crossed_paths=crossed_paths,
        path_step=path_step,
        path_half_edges=np.array(first_path_half_edges, np.int16),
        separating_mask=(1 << len(paths)) - 1,
    )


def find_shortest_path(board: Board, start: int, targets: set[int]) -> list[int]:
    """The cells of a shortest path, the first one found in the order of slots."""
    predecessors = {start: NO_CELL}
    queue = [start]
    for cell in queue:
        if cell in targets:
            path = [cell]
            while (previous := predecessors[path[-1]]) != NO_CELL:
                path.append(previous)
            return path[::-1]
        for neighbour in map(int, board.neighbours[cell]):
            if neighbour != NO_CELL and neighbour not in predecessors:
                predecessors[neighbour] = cell
                queue.append(neighbour)
    raise AssertionError("the board is connected")
