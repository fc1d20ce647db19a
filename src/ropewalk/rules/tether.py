"""Tether, by Mark Steere (2009): surround more than half of a rhombus with stones tied to your sides.

A group is a tree of stones (union-find) whose root knows the group's *area*: its stones and all cells that
they surround. A player's sides are one more stone, always the root of its group; that group is all that is
tethered, and its area is the player's territory. Cells once surrounded stay so for ever: whoever captures the
surrounding stones surrounds their cells too. So only a stone that closes a loop needs a look beyond its neighbours.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import lowest_bit, without_lowest
from ..boards import NO_CELL, Board
from ..chance import Rng, below, random_bit
from ..kernels import answers, kernel, whole
from . import questions
from .questions import ONGOING, worth
from .stepping import Moves, list_empty, try_ids

EMPTY, RED, BLUE, CLOSED = range(4)  # CLOSED: empty and surrounded, so that nobody may place there any more
STONE = 3  # the bits of a cell that say what stands there
SEEN, OPEN = 4, 8  # bits that a search adds: the cell is found, and its piece touches a side of the opponent
SLOTS = 6
ALL_SLOTS = 0b111111
Cells: TypeAlias = NDArray[np.int16]


class TetherRules(NamedTuple):
    """What the kernels know of a rhombus."""

    neighbours: NDArray[np.int16]  # [cells, 6]; off the board `cells + colour`, the side of that colour
    cells: int


class TetherState(NamedTuple):
    """A position. The stones `cells + RED` and `cells + BLUE` stand for the players' sides."""

    stones: Cells  # [cells + 3] EMPTY, RED, BLUE or CLOSED; a search marks the cells that it finds
    parent: Cells  # [cells + 3] towards the root of the group
    area: Cells  # [cells + 3] at a root: stones and surrounded cells of the group
    found: Cells  # [cells] scratch: cells reached from a stone's neighbours
    waiting: Cells  # [cells] scratch: those of them still to be looked at
    to_play: int


@answers(questions.load, TetherRules)
@kernel
def load_tether(rules: TetherRules, row: Cells) -> TetherState:
    """The state in a row: the colour to play, three arrays with the sides, two without."""
    cells = rules.cells
    more = cells + 3
    rest = row[1 + 3 * more :]
    return TetherState(
        stones=row[1 : 1 + more],
        parent=row[1 + more : 1 + 2 * more],
        area=row[1 + 2 * more : 1 + 3 * more],
        found=rest[:cells],
        waiting=rest[cells:],
        to_play=whole(row[0]),
    )


@answers(questions.save, TetherRules)
@kernel
def save_tether(rules: TetherRules, state: TetherState, row: Cells) -> None:
    """Store the colour to play before the arrays."""
    row[0] = state.to_play


@answers(questions.legal_moves, TetherRules)
@kernel
def placements(rules: TetherRules, state: TetherState, moves: Moves) -> int:
    """Every empty cell that neither player surrounds."""
    return list_empty(state.stones, rules.cells, moves)


@answers(questions.is_legal, TetherRules)
@kernel
def may_place(rules: TetherRules, state: TetherState, cell: int) -> bool:
    """An empty cell that neither player surrounds."""
    return 0 <= cell < rules.cells and state.stones[cell] == EMPTY


@answers(questions.random_move, TetherRules)
@kernel
def random_placement(rules: TetherRules, state: TetherState, moves: Moves, rng: Rng) -> int:
    """A cell by trying: most cells are open most of the time."""
    return try_ids(rules, state, rules.cells, moves, rng)


@answers(questions.play, TetherRules)
@kernel
def place(rules: TetherRules, state: TetherState, cell: int) -> TetherState:
    """Put a stone on the board; capture and surround what its loops enclose."""
    colour = state.to_play
    state.stones[cell] = colour
    state.parent[cell] = cell
    state.area[cell] = 1
    ours = slots_of(rules, state, cell, colour)
    if tie(rules, state, cell, starts_of_runs(ours)):
        enclose(rules, state, cell, colour, starts_of_runs(~ours & ALL_SLOTS))
    return TetherState(
        stones=state.stones,
        parent=state.parent,
        area=state.area,
        found=state.found,
        waiting=state.waiting,
        to_play=3 - colour,
    )


@kernel
def slots_of(rules: TetherRules, state: TetherState, cell: int, colour: int) -> int:
    """The slots around a cell with stones or a side of a colour, a bit each."""
    slots = 0
    for slot in range(SLOTS):
        slots |= (1 if state.stones[rules.neighbours[cell, slot]] == colour else 0) << slot
    return slots


@kernel
def starts_of_runs(slots: int) -> int:
    """The first slot of each run of slots; cells in neighbouring slots touch, so the first speaks for its run."""
    return slots & ~(slots << 1 | slots >> (SLOTS - 1))


@kernel
def root_of(parent: Cells, cell: int) -> int:
    """The root of a stone's group; halves the way for the next time."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@kernel
def tie(rules: TetherRules, state: TetherState, cell: int, runs: int) -> bool:
    """Tie a stone to the groups around it; it closes a loop when it meets one group in two runs of slots."""
    closes_loop = False
    mine = cell
    while runs != 0:
        root = root_of(state.parent, rules.neighbours[cell, lowest_bit(runs)])
        runs = without_lowest(runs)
        if root == mine:
            closes_loop = True
        else:
            mine = join(state, mine, root)
    return closes_loop


@kernel
def join(state: TetherState, one: int, other: int) -> int:
    """Make one group of two, given by their roots; the greater number becomes its root, so sides stay roots."""
    root = max(one, other)
    state.parent[min(one, other)] = root
    state.area[root] = state.area[one] + state.area[other]
    return root


@kernel
def enclose(rules: TetherRules, state: TetherState, cell: int, colour: int, gaps: int) -> None:
    """Look from a stone that closed a loop into each gap between its neighbours in the group."""
    group = root_of(state.parent, cell)
    count = 0
    while gaps != 0:
        start = rules.neighbours[cell, lowest_bit(gaps)]
        gaps = without_lowest(gaps)
        if start < rules.cells and not state.stones[start] & SEEN:
            last, is_open = explore(rules, state, group, start, count, colour)
            if not is_open:
                surround(state, count, last, colour)
                state.area[group] += last - count
            count = last
    unmark(state, count)


@kernel
def surround(state: TetherState, first: int, last: int, colour: int) -> None:
    """Capture the opposing stones of a closed piece, found[first:last], and bar its cells to both players."""
    for index in range(first, last):
        cell = state.found[index]
        if state.stones[cell] & STONE != colour:
            state.stones[cell] = CLOSED | SEEN


@kernel
def explore(rules: TetherRules, state: TetherState, group: int, start: int, first: int, colour: int) -> tuple[int, bool]:
    """List the piece of the board without the group that holds `start`, until it proves open to the other side.

    The cells are found[first:last]; returns `last`, and whether the piece touches a side of the opponent.
    """
    last = note(state, start, first)
    state.waiting[0] = start
    depth = 1
    is_open = False
    turn = 1 if colour == RED else 0  # so that the last slot, tried next, leads straight to an opposing side
    while depth > 0 and not is_open:
        depth -= 1
        cell = state.waiting[depth]
        for step in range(SLOTS):
            slot = (step + turn) % SLOTS
            neighbour = rules.neighbours[cell, slot]
            if neighbour >= rules.cells:
                is_open |= neighbour != rules.cells + colour
            elif state.stones[neighbour] & SEEN:
                is_open |= state.stones[neighbour] & OPEN != 0
            elif state.stones[neighbour] != colour or root_of(state.parent, neighbour) != group:
                last = note(state, neighbour, last)
                state.waiting[depth] = neighbour
                depth += 1
    if is_open:
        for index in range(first, last):
            state.stones[state.found[index]] |= OPEN
    return last, is_open


@kernel
def note(state: TetherState, cell: int, last: int) -> int:
    """Put a cell at the end of the list of found ones; the new end."""
    state.found[last] = cell
    state.stones[cell] |= SEEN
    return last + 1


@kernel
def unmark(state: TetherState, count: int) -> None:
    """End a search that found so many cells."""
    for index in range(count):
        state.stones[state.found[index]] &= STONE


@kernel
def settle(rules: TetherRules, state: TetherState) -> int:
    """Work out groups, areas and closed cells from the stones alone, by the definitions.

    Returns a stone that stands surrounded and should have been captured, or NO_CELL.
    """
    for colour in range(RED, BLUE + 1):
        for cell in range(rules.cells):
            if state.stones[cell] == colour:
                for slot in range(SLOTS):
                    neighbour = rules.neighbours[cell, slot]
                    if state.stones[neighbour] == colour:
                        join(state, root_of(state.parent, cell), root_of(state.parent, neighbour))
        for group in range(rules.cells + 3):
            if state.stones[group] == colour and state.parent[group] == group:
                outside = reach_outside(rules, state, colour, group)
                unmark(state, outside)
                state.area[group] = rules.cells - outside
    for colour in range(RED, BLUE + 1):
        outside = reach_outside(rules, state, colour, NO_CELL)
        for cell in range(rules.cells):
            if not state.stones[cell] & SEEN and state.stones[cell] != colour:
                if state.stones[cell] == 3 - colour:
                    return cell
                state.stones[cell] = CLOSED
        unmark(state, outside)
    return NO_CELL


@kernel
def reach_outside(rules: TetherRules, state: TetherState, colour: int, group: int) -> int:
    """Find all cells that an opposing side reaches past a group, or past all stones of a colour; how many there are."""
    count = 0
    for cell in range(rules.cells):
        for slot in range(SLOTS):
            on_side = rules.neighbours[cell, slot] == rules.cells + 3 - colour
            if on_side and not state.stones[cell] & SEEN and not is_wall(state, cell, colour, group):
                count = note(state, cell, count)
    index = 0
    while index < count:
        for slot in range(SLOTS):
            neighbour = rules.neighbours[state.found[index], slot]
            if (
                neighbour < rules.cells
                and not state.stones[neighbour] & SEEN
                and not is_wall(state, neighbour, colour, group)
            ):
                count = note(state, neighbour, count)
        index += 1
    return count


@kernel
def is_wall(state: TetherState, cell: int, colour: int, group: int) -> bool:
    """Whether a cell has a stone of a colour, and of this group unless that is NO_CELL."""
    return state.stones[cell] == colour and (group == NO_CELL or root_of(state.parent, cell) == group)


@kernel
def territory(rules: TetherRules, state: TetherState, colour: int) -> int:
    """How many cells a player's tethered stones hold and surround."""
    return state.area[rules.cells + colour]


@answers(questions.outcome, TetherRules)
@kernel
def majority(rules: TetherRules, state: TetherState) -> int:
    """The seat whose territory is more than half of the board."""
    if 2 * territory(rules, state, RED) > rules.cells:
        return 0
    if 2 * territory(rules, state, BLUE) > rules.cells:
        return 1
    return ONGOING


@answers(questions.seat_to_move, TetherRules)
@kernel
def seat_of_mover(rules: TetherRules, state: TetherState) -> int:
    """Red is seat 0."""
    return state.to_play - RED


@answers(questions.contents, TetherRules)
@kernel
def stones_and_mover(rules: TetherRules, state: TetherState, codes: Moves) -> None:
    """The stones, which settle all else, and the colour to play."""
    for cell in range(rules.cells):
        codes[cell] = state.stones[cell]
    codes[rules.cells] = state.to_play


@answers(questions.features, TetherRules)
@kernel
def tether_planes(rules: TetherRules, state: TetherState, planes: NDArray[np.int8]) -> None:
    """Stones, open and closed cells, sides, what is tethered, and how much of a majority each player has."""
    mine, theirs = state.to_play, 3 - state.to_play
    my_eighths, their_eighths = majority_eighths(rules, state, mine), majority_eighths(rules, state, theirs)
    for cell in range(rules.cells):
        stone = state.stones[cell]
        root = root_of(state.parent, cell)
        planes[cell, 0] = 1
        planes[cell, 1] = 1 if stone == mine else 0
        planes[cell, 2] = 1 if stone == theirs else 0
        planes[cell, 3] = 1 if stone == EMPTY else 0
        planes[cell, 4] = 1 if stone == CLOSED else 0
        planes[cell, 5] = 0
        planes[cell, 6] = 0
        for slot in range(SLOTS):
            beyond = rules.neighbours[cell, slot]
            planes[cell, 5] |= 1 if beyond == rules.cells + mine else 0
            planes[cell, 6] |= 1 if beyond == rules.cells + theirs else 0
        planes[cell, 7] = 1 if stone == mine and root == rules.cells + mine else 0
        planes[cell, 8] = 1 if stone == theirs and root == rules.cells + theirs else 0
        planes[cell, 9] = my_eighths
        planes[cell, 10] = their_eighths


@kernel
def majority_eighths(rules: TetherRules, state: TetherState, colour: int) -> int:
    """How many eighths of more than half the board a player's territory is."""
    return min(8, 16 * territory(rules, state, colour) // (rules.cells + 1))


@answers(questions.has_room, TetherRules)
@kernel
def always_room(rules: TetherRules, state: TetherState) -> bool:
    """The board is all that counts."""
    return True


@answers(questions.playout, TetherRules)
@kernel
def place_at_random(rules: TetherRules, state: TetherState, moves: Moves, rng: Rng) -> int:
    """A random game: deal the open cells in random order, passing over those surrounded meanwhile."""
    count = placements(rules, state, moves)
    result = majority(rules, state)
    while result == ONGOING:
        pick = below(rng, count)
        cell = moves[pick]
        count -= 1
        moves[pick] = moves[count]
        if state.stones[cell] == EMPTY:
            state = place(rules, state, cell)
            result = majority(rules, state)
    return result


@answers(questions.rollout, TetherRules)
@kernel
def rollout_tether(
    rules: TetherRules, state: TetherState, moves: Moves, rng: Rng, played: NDArray[np.float32], sensible: int
) -> float:
    """A random game whose placements are noted; in a sensible one a broken bridge is tied again."""
    count = placements(rules, state, moves)
    result = majority(rules, state)
    reply = NO_CELL
    while result == ONGOING:
        cell = reply
        if cell == NO_CELL:
            pick = below(rng, count)
            cell = moves[pick]
            count -= 1
            moves[pick] = moves[count]
        reply = NO_CELL
        if state.stones[cell] == EMPTY:
            played[state.to_play - RED, cell] = 1
            state = place(rules, state, cell)
            result = majority(rules, state)
            if sensible != 0:
                reply = broken_bridge(rules, state, cell, rng)
    return worth(result)


@kernel
def broken_bridge(rules: TetherRules, state: TetherState, cell: int, rng: Rng) -> int:
    """The cell with which the player to move ties two stones again that the last stone came between, or NO_CELL."""
    mine = slots_of(rules, state, cell, state.to_play)
    empty = slots_of(rules, state, cell, EMPTY)
    ties = empty & (mine << 1 | mine >> (SLOTS - 1)) & (mine >> 1 | mine << (SLOTS - 1))
    if ties == 0:
        return NO_CELL
    return rules.neighbours[cell, random_bit(rng, ties)]


def rules_for(board: Board) -> TetherRules:
    """The board as the kernels read it: rows end at red sides, columns at blue ones."""
    size = board.size[0]
    neighbours = board.neighbours.copy()
    for cell, slot in zip(*np.nonzero(neighbours == NO_CELL), strict=True):
        row = cell // size + (0, -1, -1, 0, 1, 1)[slot]
        neighbours[cell, slot] = len(board) + (RED if row in (-1, size) else BLUE)
    return TetherRules(neighbours=neighbours, cells=len(board))
