"""Hex: red connects the first and last row of a rhombus with its stones, blue the first and last column.

`ropewalk.rules.placement` has the kernels that all games of placing stones share; here are those that make it Hex. The
label of a group's root says which of its colour's two sides the group touches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropewalk.boards import Board
from ropewalk.jit.kernel import implements, kernel
from ropewalk.rules import interface, placement
from ropewalk.rules.placement import FIRST, SECOND, Cells, PlacementState

RED, BLUE = FIRST, SECOND
BOTH_SIDES = 3
VISITED = 4  # a label during the search of `full_board_winner`


class HexRules(NamedTuple):
    """The board as the kernels read it."""

    neighbours: Cells  # [cells, 6]: the first `degrees` are neighbours
    degrees: Cells  # [cells]
    sides: Cells  # [3, cells]: the sides of a colour that a cell lies on, a bit each
    num_cells: int
    pie: int  # 1 with the swap rule


placement.register(HexRules)


def make_rules(board: Board, swap: bool) -> HexRules:
    """Build the rules of a rhombus: row 0 and column 0 are side 1 of their colours, the opposite ones side 2."""
    size = board.size[0]
    row, column = np.divmod(np.arange(len(board)), size)
    sides = [0 * row, (row == 0) + 2 * (row == size - 1), (column == 0) + 2 * (column == size - 1)]
    neighbours = -np.sort(-board.neighbours, axis=1)  # NO_CELL, -1, comes last
    return HexRules(neighbours, board.degrees, np.array(sides, np.int16), len(board), int(swap))


@kernel
def find_root(parent: Cells, cell: int) -> int:
    """Return the root of a stone's group, with path halving."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@implements(placement.place_stone, HexRules)
@kernel
def place_stone(rules: HexRules, state: PlacementState, cell: int, colour: int) -> bool:
    """Make the stone the root of the groups that it joins; return whether they touch both sides."""
    state.stones[cell] = colour
    state.parent[cell] = cell
    touched = rules.sides[colour, cell]
    for slot in range(rules.degrees[cell]):
        neighbour = rules.neighbours[cell, slot]
        if state.stones[neighbour] == colour:
            root = find_root(state.parent, neighbour)
            touched |= state.labels[root]
            state.parent[root] = cell
    state.labels[cell] = touched
    return touched == BOTH_SIDES


@implements(placement.full_board_winner, HexRules)
@kernel
def full_board_winner(rules: HexRules, state: PlacementState, stack: Any) -> int:
    """Return red if its stones connect the first and last row, by depth-first search, else blue."""
    size = 0
    for cell in range(rules.num_cells):
        if rules.sides[RED, cell] & 1 and state.stones[cell] == RED:
            state.labels[cell], stack[size] = VISITED, cell
            size += 1
    while size > 0:
        size -= 1
        cell = stack[size]
        if rules.sides[RED, cell] & 2:
            return RED
        for slot in range(rules.degrees[cell]):
            neighbour = rules.neighbours[cell, slot]
            if state.stones[neighbour] == RED and state.labels[neighbour] != VISITED:
                state.labels[neighbour], stack[size] = VISITED, neighbour
                size += 1
    return BLUE


@implements(interface.encode_planes, HexRules)
@kernel
def encode_planes(rules: HexRules, state: PlacementState, planes: NDArray[np.int8]) -> None:
    """Write the planes that `Hex.observation_planes` names, from the point of view of the seat to move."""
    mine, theirs = state.to_play, 3 - state.to_play
    own_sides, other_sides = rules.sides[mine], rules.sides[theirs]
    swap_is_legal = 1 if placement.can_swap(rules, state) else 0
    for cell in range(rules.num_cells):
        stone = state.stones[cell]
        planes[cell, 0] = 1
        planes[cell, 1] = 1 if stone == mine else 0
        planes[cell, 2] = 1 if stone == theirs else 0
        planes[cell, 3] = own_sides[cell]
        planes[cell, 4] = other_sides[cell]
        planes[cell, 5] = swap_is_legal
