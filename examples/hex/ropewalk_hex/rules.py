"""Hex: red connects the first and last row of a rhombus with its stones, blue the first and last column.

Groups are a union-find forest; a root stores which of its colour's two sides the group touches. With the swap rule the
second player may take over the first stone instead of placing one: the seats exchange colours, the board stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropewalk.boards import NO_CELL, Board
from ropewalk.jit.kernel import implements, kernel, to_int64
from ropewalk.jit.prng import rand_below
from ropewalk.rules import interface
from ropewalk.rules.generic import list_empty_cells, random_move_by_rejection
from ropewalk.rules.interface import ONGOING, outcome_value

EMPTY, RED, BLUE = range(3)
BOTH_SIDES = 3
TO_PLAY, WINNER, NUM_STONES, SWAPPED = range(4)  # scalars; SWAPPED is 1 once seat 0 plays blue
PLANES = ("board", "own stone", "other stone", "own sides", "other sides", "swap is legal")
Cells = NDArray[np.int16]


class HexRules(NamedTuple):
    """The board as the kernels read it."""

    neighbours: Cells  # [cells, 6]; `num_cells` where there is none
    sides: Cells  # [3, cells]: the sides of a colour that a cell lies on, a bit each
    num_cells: int
    swap: int  # 1 with the swap rule


class HexState(NamedTuple):
    """A position: views of a row."""

    scalars: Cells  # [4]
    stones: Cells  # [cells + 1] EMPTY, RED or BLUE; the last is always EMPTY and stands for cells off the board
    parent: Cells  # [cells] towards the root of the group
    touched: Cells  # [cells] at a root: the sides that the group touches, a bit each


def make_rules(board: Board, swap: bool) -> HexRules:
    """Build the rules of a rhombus: row 0 and column 0 are side 1 of their colours, the opposite ones side 2."""
    cells, size = len(board), board.size[0]
    row, column = np.divmod(np.arange(cells), size)
    sides = [0 * row, (row == 0) + 2 * (row == size - 1), (column == 0) + 2 * (column == size - 1)]
    neighbours = np.where(board.neighbours == NO_CELL, cells, board.neighbours)
    return HexRules(neighbours.astype(np.int16), np.array(sides, np.int16), cells, int(swap))


@implements(interface.load_state, HexRules)
@kernel
def load_state(rules: HexRules, row: Cells) -> HexState:
    """Return the views of a row."""
    end = 5 + rules.num_cells
    return HexState(row[:4], row[4:end], row[end : end + rules.num_cells], row[end + rules.num_cells :])


@implements(interface.store_state, HexRules)
@kernel
def store_state(rules: HexRules, state: HexState, row: Cells) -> None:
    """Do nothing: the whole state lies in the row."""


@kernel
def can_swap(rules: HexRules, state: HexState) -> bool:
    """Return whether the seat to move may take over the first stone."""
    return rules.swap == 1 and state.scalars[NUM_STONES] == 1 and state.scalars[SWAPPED] == 0


@implements(interface.legal_moves, HexRules)
@kernel
def list_moves(rules: HexRules, state: HexState, moves: Any) -> int:
    """List the empty cells in ascending order, then the swap (id `num_cells`) where it is legal."""
    count = list_empty_cells(state.stones, rules.num_cells, moves)
    if can_swap(rules, state):
        moves[count] = rules.num_cells
        count += 1
    return count


@implements(interface.is_legal, HexRules)
@kernel
def is_legal(rules: HexRules, state: HexState, move: int) -> bool:
    """Return whether `move` is an empty cell or a legal swap."""
    if move == rules.num_cells:
        return can_swap(rules, state)
    return 0 <= move < rules.num_cells and state.stones[move] == EMPTY


@implements(interface.random_move, HexRules)
@kernel
def random_move(rules: HexRules, state: HexState, moves: Any, rng: Any) -> int:
    """Draw a uniformly random legal move."""
    return random_move_by_rejection(rules, state, rules.num_cells + rules.swap, moves, rng)


@implements(interface.apply_move, HexRules)
@kernel
def apply_move(rules: HexRules, state: HexState, move: int) -> HexState:
    """Place a stone and join it to the groups around it, or swap the colours of the seats."""
    colour = state.scalars[TO_PLAY]
    if move == rules.num_cells:
        state.scalars[SWAPPED] = 1
        return state
    if place_stone(rules, state, move, colour) == BOTH_SIDES:
        state.scalars[WINNER] = colour
    state.scalars[NUM_STONES] += 1
    state.scalars[TO_PLAY] = 3 - colour
    return state


@kernel
def place_stone(rules: HexRules, state: HexState, cell: int, colour: int) -> int:
    """Write a stone into the arrays; return the sides that its group touches."""
    state.stones[cell] = colour
    state.parent[cell] = cell
    touched = rules.sides[colour, cell]
    for slot in range(6):
        neighbour = rules.neighbours[cell, slot]
        if state.stones[neighbour] == colour:
            root = find_root(state.parent, neighbour)
            touched |= state.touched[root]
            state.parent[root] = cell
    state.touched[cell] = touched
    return touched


@kernel
def find_root(parent: Cells, cell: int) -> int:
    """Return the root of a stone's group, with path halving."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@implements(interface.outcome, HexRules)
@kernel
def outcome(rules: HexRules, state: HexState) -> int:
    """Return the winning seat or ONGOING; Hex has no draws."""
    winner = state.scalars[WINNER]
    return ONGOING if winner == EMPTY else to_int64(winner - RED) ^ state.scalars[SWAPPED]


@implements(interface.seat_to_move, HexRules)
@kernel
def seat_to_move(rules: HexRules, state: HexState) -> int:
    """Return the seat that plays the colour to move."""
    return to_int64(state.scalars[TO_PLAY] - RED) ^ state.scalars[SWAPPED]


@implements(interface.position_codes, HexRules)
@kernel
def write_codes(rules: HexRules, state: HexState, codes: Any) -> None:
    """Write the stones, then one code for the colour to move and a swap."""
    for cell in range(rules.num_cells):
        codes[cell] = state.stones[cell]
    codes[rules.num_cells] = 2 * state.scalars[TO_PLAY] + state.scalars[SWAPPED]


@implements(interface.encode_planes, HexRules)
@kernel
def encode_planes(rules: HexRules, state: HexState, planes: NDArray[np.int8]) -> None:
    """Write `PLANES` from the point of view of the seat to move."""
    mine, theirs = state.scalars[TO_PLAY], 3 - state.scalars[TO_PLAY]
    for cell in range(rules.num_cells):
        planes[cell, 0] = 1
        planes[cell, 1] = state.stones[cell] == mine
        planes[cell, 2] = state.stones[cell] == theirs
        planes[cell, 3] = rules.sides[mine, cell]
        planes[cell, 4] = rules.sides[theirs, cell]
        planes[cell, 5] = can_swap(rules, state)


@kernel
def fill_at_random(rules: HexRules, state: HexState, moves: Any, rng: Any) -> int:
    """Place stones at random until the board is full, which changes no winner; return the winning seat.

    Leaves the cells that were empty in `moves`.
    """
    colour, winner = state.scalars[TO_PLAY], state.scalars[WINNER]
    for last in range(list_empty_cells(state.stones, rules.num_cells, moves) - 1, -1, -1):
        index = rand_below(rng, last + 1)
        moves[index], moves[last] = moves[last], moves[index]
        if place_stone(rules, state, moves[last], colour) == BOTH_SIDES:
            winner = colour
        colour = 3 - colour
    return to_int64(winner - RED) ^ state.scalars[SWAPPED]


@implements(interface.playout, HexRules)
@kernel
def playout(rules: HexRules, state: HexState, moves: Any, rng: Any) -> int:
    """Play at random to the end, without swaps."""
    return fill_at_random(rules, state, moves, rng)


@implements(interface.rollout, HexRules)
@kernel
def rollout(rules: HexRules, state: HexState, moves: Any, rng: Any, amaf_moves: Any, heavy: int) -> float:
    """Play as `playout` does and mark the cells of each seat in `amaf_moves`."""
    count = rules.num_cells - state.scalars[NUM_STONES]
    winner = fill_at_random(rules, state, moves, rng)
    for index in range(count):
        cell = moves[index]
        amaf_moves[(state.stones[cell] - RED) ^ state.scalars[SWAPPED], cell] = 1
    return outcome_value(winner)
