"""The winner of a full board of Lariat or Cube Lariat, by tracing the boundaries between the two colours.

On a full board the groups form a tree whose edges are closed boundaries. One marked cell is the origin; the others (in
Lariat: the open edge of the board) are the targets. The winning group is where the paths in the tree from the origin to
the targets diverge (Cube Lariat), or the last one before the edge (Lariat). So the winner is the colour at the origin,
flipped once for every closed boundary that separates the origin from all targets. Such a boundary crosses a fixed path of
cells from the origin to each target an odd number of times. Only boundaries that cross the first path are traced, and
they are few and short.

A *half-edge* is a directed pair of neighbours, a cell on the left and one on the right of the boundary between them. Its
number is 8 * left + slot, where neighbours[left, slot] is the right cell.
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
NO_HALF_EDGE = -1  # the boundary ends at the board's edge

HalfEdges: TypeAlias = NDArray[np.int16]  # [half-edges]


class BoundaryTables(NamedTuple):
    """Half-edges of a board, and the paths from the origin to the targets."""

    right_cell: HalfEdges  # [half-edges]: the cell on the right
    apex_cell: HalfEdges  # [half-edges]: the third cell at the vertex ahead
    next_half_edge: NDArray[np.int16]  # [half-edges, 2]: the next one, if the apex has the right colour, or the left
    crossed_paths: HalfEdges  # [half-edges]: the paths that step across it, one bit each
    path_step: HalfEdges  # [half-edges]: the step of the first path that crosses it
    path_half_edges: HalfEdges  # [steps]: the steps of the first path as half-edges, from the origin
    separating_mask: int  # all paths: a boundary that crosses each an odd number of times separates


@kernel
def full_board_winner(tables: BoundaryTables, stones: Any) -> int:
    """Return the winning colour (1 or 2) of a board whose cells all hold 1 or 2, or another value if blocked."""
    colour_flips = 0
    traced_steps = 0  # steps of the first path whose boundary is traced, one bit each
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
    """Return the tables for paths of cells, each from the origin to one target; the first has at most 64 steps."""
    num_half_edges = len(board) * HALF_EDGES_PER_CELL
    right_cell, apex_cell = np.zeros(num_half_edges, np.int16), np.zeros(num_half_edges, np.int16)
    next_half_edge = np.full((num_half_edges, 2), NO_HALF_EDGE, np.int16)
    slot_by_pair = {(cell, int(other)): slot for (cell, slot), other in np.ndenumerate(board.neighbours) if other != NO_CELL}
    for (left, other), slot in slot_by_pair.items():
        half_edge = left * HALF_EDGES_PER_CELL + slot
        right_cell[half_edge] = other
        apex = int(board.neighbours[left, (slot + 1) % board.degrees[left]])
        if board.adjacent(apex, other):  # else the board's edge is ahead
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
    """Return the cells of a shortest path from `start` to any target, by breadth-first search in neighbour order."""
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
