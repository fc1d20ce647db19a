"""Tether, by Mark Steere (2009): surround more than half of a rhombus with stones connected to your sides.

Groups are a disjoint-set forest (union-find). The root of a group stores its *area*: its stones and all cells that they
surround. Both sides of a player are one more stone, number `num_cells + colour`, which is always the root of its group;
that group is tethered, and its area is the player's territory. A cell once surrounded stays surrounded: who captures
the surrounding stones surrounds their cells too. So only a stone that closes a loop needs a flood fill.

A row of int16 is the colour to play, three arrays [cells + 3] and two scratch arrays [cells]. Move ids are cells. A
*slot* is a column of `neighbours`; a set of slots is a mask of six bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board
from ..jit.intrinsics import clear_lowest_bit, lowest_bit
from ..jit.kernel import implements, kernel, to_int64
from ..jit.prng import Rng, rand_below, random_set_bit
from . import interface
from .generic import Moves, list_empty_cells, random_move_by_rejection
from .interface import ONGOING, outcome_value

EMPTY, RED, BLUE, CLOSED = range(4)  # CLOSED: empty and surrounded; no stone may be placed there
STONE_MASK = 3  # the bits of stones[cell] that hold EMPTY, RED, BLUE or CLOSED
VISITED_BIT, OPEN_BIT = 4, 8  # added during a flood fill: visited, and in a region that touches a side of the opponent
NUM_SLOTS = 6
ALL_SLOTS_MASK = 0b111111
Cells: TypeAlias = NDArray[np.int16]


class TetherRules(NamedTuple):
    """The board as the kernels read it."""

    neighbours: NDArray[np.int16]  # [cells, 6]; `num_cells + colour` off the board, the side of that colour
    num_cells: int


class TetherState(NamedTuple):
    """A position. The stones `num_cells + RED` and `num_cells + BLUE` are the players' sides."""

    stones: Cells  # [cells + 3]: EMPTY, RED, BLUE or CLOSED; VISITED_BIT and OPEN_BIT only during a flood fill
    parent: Cells  # [cells + 3]: parent in the disjoint-set forest; a root is its own parent
    area: Cells  # [cells + 3]: at a root the number of stones and surrounded cells of the group
    region: Cells  # [cells], scratch: cells visited by a flood fill
    stack: Cells  # [cells], scratch: those of them still to be expanded
    to_play: int  # RED or BLUE


@implements(interface.load_state, TetherRules)
@kernel
def load_tether_state(rules: TetherRules, row: Cells) -> TetherState:
    """Implement `interface.load_state`."""
    num_cells = rules.num_cells
    num_nodes = num_cells + 3
    scratch = row[1 + 3 * num_nodes :]
    return TetherState(
        stones=row[1 : 1 + num_nodes],
        parent=row[1 + num_nodes : 1 + 2 * num_nodes],
        area=row[1 + 2 * num_nodes : 1 + 3 * num_nodes],
        region=scratch[:num_cells],
        stack=scratch[num_cells:],
        to_play=to_int64(row[0]),
    )


@implements(interface.store_state, TetherRules)
@kernel
def store_tether_state(rules: TetherRules, state: TetherState, row: Cells) -> None:
    """Implement `interface.store_state`."""
    row[0] = state.to_play


@implements(interface.legal_moves, TetherRules)
@implements(interface.sorted_legal_moves, TetherRules)
@kernel
def list_placements(rules: TetherRules, state: TetherState, moves: Moves) -> int:
    """Write all empty cells that neither player surrounds; return their number."""
    return list_empty_cells(state.stones, rules.num_cells, moves)


@implements(interface.write_action_mask, TetherRules)
@kernel
def mask_placements(rules: TetherRules, state: TetherState, mask: Any, moves: Moves) -> None:
    """Implement `interface.write_action_mask`: the empty cells that neither player surrounds."""
    for cell in range(rules.num_cells):
        mask[cell] = state.stones[cell] == EMPTY


@implements(interface.is_legal, TetherRules)
@kernel
def is_legal_placement(rules: TetherRules, state: TetherState, cell: int) -> bool:
    """Return whether `cell` (any integer) is an empty cell that neither player surrounds."""
    return 0 <= cell < rules.num_cells and state.stones[cell] == EMPTY


@implements(interface.random_move, TetherRules)
@kernel
def random_placement(rules: TetherRules, state: TetherState, moves: Moves, rng: Rng) -> int:
    """Return a random legal cell by rejection sampling."""
    return random_move_by_rejection(rules, state, rules.num_cells, moves, rng)


@implements(interface.apply_move, TetherRules)
@kernel
def place_stone(rules: TetherRules, state: TetherState, cell: int) -> TetherState:
    """Place a stone of the colour to play; capture and close what its loops enclose. Writes into the arrays of `state`."""
    colour = state.to_play
    state.stones[cell] = colour
    state.parent[cell] = cell
    state.area[cell] = 1
    own_slots = slots_with_colour(rules, state, cell, colour)
    if union_with_neighbours(rules, state, cell, run_starts(own_slots)):
        close_loops(rules, state, cell, colour, run_starts(~own_slots & ALL_SLOTS_MASK))
    return TetherState(
        stones=state.stones,
        parent=state.parent,
        area=state.area,
        region=state.region,
        stack=state.stack,
        to_play=3 - colour,
    )


@kernel
def slots_with_colour(rules: TetherRules, state: TetherState, cell: int, colour: int) -> int:
    """Return the slots of a cell that hold `colour` (a stone or side, or EMPTY)."""
    slots = 0
    for slot in range(NUM_SLOTS):
        slots |= (1 if state.stones[rules.neighbours[cell, slot]] == colour else 0) << slot
    return slots


@kernel
def run_starts(slots: int) -> int:
    """Return the first slot of each cyclic run of slots; cells in consecutive slots touch, so a run is connected."""
    return slots & ~(slots << 1 | slots >> (NUM_SLOTS - 1))


@kernel
def find(parent: Cells, cell: int) -> int:
    """Return the root of a stone's group. Halves the path to it."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@kernel
def union_with_neighbours(rules: TetherRules, state: TetherState, cell: int, runs: int) -> bool:
    """Unite a new stone with the groups at `runs`; return whether it closes a loop: one group is in two runs of slots."""
    closes_loop = False
    own_root = cell
    while runs != 0:
        neighbour_root = find(state.parent, rules.neighbours[cell, lowest_bit(runs)])
        runs = clear_lowest_bit(runs)
        if neighbour_root == own_root:
            closes_loop = True
        else:
            own_root = union(state, own_root, neighbour_root)
    return closes_loop


@kernel
def union(state: TetherState, first_root: int, second_root: int) -> int:
    """Unite two groups and return the new root: the larger root, so that sides stay roots. Areas are added."""
    root = max(first_root, second_root)
    state.parent[min(first_root, second_root)] = root
    state.area[root] = state.area[first_root] + state.area[second_root]
    return root


@kernel
def close_loops(rules: TetherRules, state: TetherState, cell: int, colour: int, gaps: int) -> None:
    """Flood each gap between the group's runs of slots round a stone that closed a loop; capture the enclosed regions."""
    root = find(state.parent, cell)
    begin = 0
    while gaps != 0:
        start = rules.neighbours[cell, lowest_bit(gaps)]
        gaps = clear_lowest_bit(gaps)
        if start < rules.num_cells and not state.stones[start] & VISITED_BIT:
            end, is_open = flood_region(rules, state, root, start, begin, colour)
            if not is_open:
                capture_region(state, begin, end, colour)
                state.area[root] += end - begin
            begin = end
    clear_search_bits(state, begin)


@kernel
def capture_region(state: TetherState, begin: int, end: int, colour: int) -> None:
    """Capture the opposing stones of a closed region, state.region[begin:end], and mark its empty cells CLOSED."""
    for index in range(begin, end):
        cell = state.region[index]
        if state.stones[cell] & STONE_MASK != colour:
            state.stones[cell] = CLOSED | VISITED_BIT


@kernel
def flood_region(rules: TetherRules, state: TetherState, root: int, start: int, begin: int, colour: int) -> tuple[int, bool]:
    """Flood the region of `start` bounded by the group of `root`, until it is known to touch a side of the opponent.

    Writes its cells to state.region[begin:end]; returns `end` and whether the region is open.
    """
    end = push_region_cell(state, start, begin)
    state.stack[0] = start
    stack_size = 1
    is_open = False
    # The slot pushed last is expanded first: it leads straight towards an opposing side.
    first_slot = 1 if colour == RED else 0
    while stack_size > 0 and not is_open:
        stack_size -= 1
        cell = state.stack[stack_size]
        for offset in range(NUM_SLOTS):
            slot = (offset + first_slot) % NUM_SLOTS
            neighbour = rules.neighbours[cell, slot]
            if neighbour >= rules.num_cells:
                is_open |= neighbour != rules.num_cells + colour
            elif state.stones[neighbour] & VISITED_BIT:
                is_open |= state.stones[neighbour] & OPEN_BIT != 0
            elif state.stones[neighbour] != colour or find(state.parent, neighbour) != root:
                end = push_region_cell(state, neighbour, end)
                state.stack[stack_size] = neighbour
                stack_size += 1
    if is_open:
        for index in range(begin, end):
            state.stones[state.region[index]] |= OPEN_BIT
    return end, is_open


@kernel
def push_region_cell(state: TetherState, cell: int, end: int) -> int:
    """Append a cell to state.region and mark it visited; return the new end."""
    state.region[end] = cell
    state.stones[cell] |= VISITED_BIT
    return end + 1


@kernel
def clear_search_bits(state: TetherState, count: int) -> None:
    """Clear VISITED_BIT and OPEN_BIT of state.region[:count]."""
    for index in range(count):
        state.stones[state.region[index]] &= STONE_MASK


@kernel
def recompute_groups(rules: TetherRules, state: TetherState) -> int:
    """Compute groups, areas and closed cells from the stones alone, by the definitions.

    Expects every stone to be a root. Returns a surrounded stone that should have been captured, or NO_CELL.
    """
    for colour in range(RED, BLUE + 1):
        for cell in range(rules.num_cells):
            if state.stones[cell] == colour:
                for slot in range(NUM_SLOTS):
                    neighbour = rules.neighbours[cell, slot]
                    if state.stones[neighbour] == colour:
                        union(state, find(state.parent, cell), find(state.parent, neighbour))
        for root in range(rules.num_cells + 3):
            if state.stones[root] == colour and state.parent[root] == root:
                num_outside = flood_outside(rules, state, colour, root)
                clear_search_bits(state, num_outside)
                state.area[root] = rules.num_cells - num_outside
    for colour in range(RED, BLUE + 1):
        num_outside = flood_outside(rules, state, colour, NO_CELL)
        for cell in range(rules.num_cells):
            if not state.stones[cell] & VISITED_BIT and state.stones[cell] != colour:
                if state.stones[cell] == 3 - colour:
                    return cell
                state.stones[cell] = CLOSED
        clear_search_bits(state, num_outside)
    return NO_CELL


@kernel
def flood_outside(rules: TetherRules, state: TetherState, colour: int, root: int) -> int:
    """Flood from the opponent's sides, bounded by the group of `root` or, for NO_CELL, by all stones of `colour`.

    Writes the cells to state.region and returns their number.
    """
    count = 0
    for cell in range(rules.num_cells):
        for slot in range(NUM_SLOTS):
            on_side = rules.neighbours[cell, slot] == rules.num_cells + 3 - colour
            if on_side and not state.stones[cell] & VISITED_BIT and not is_wall(state, cell, colour, root):
                count = push_region_cell(state, cell, count)
    index = 0
    while index < count:
        for slot in range(NUM_SLOTS):
            neighbour = rules.neighbours[state.region[index], slot]
            if (
                neighbour < rules.num_cells
                and not state.stones[neighbour] & VISITED_BIT
                and not is_wall(state, neighbour, colour, root)
            ):
                count = push_region_cell(state, neighbour, count)
        index += 1
    return count


@kernel
def is_wall(state: TetherState, cell: int, colour: int, root: int) -> bool:
    """Return whether a cell has a stone of `colour` that belongs to the group of `root`; any group for NO_CELL."""
    return state.stones[cell] == colour and (root == NO_CELL or find(state.parent, cell) == root)


@kernel
def territory_size(rules: TetherRules, state: TetherState, colour: int) -> int:
    """Return the number of cells that a player's tethered stones occupy and surround."""
    return state.area[rules.num_cells + colour]


@implements(interface.outcome, TetherRules)
@kernel
def majority_winner(rules: TetherRules, state: TetherState) -> int:
    """Return the seat whose territory is more than half of the board, or ONGOING."""
    if 2 * territory_size(rules, state, RED) > rules.num_cells:
        return 0
    if 2 * territory_size(rules, state, BLUE) > rules.num_cells:
        return 1
    return ONGOING


@implements(interface.seat_to_move, TetherRules)
@kernel
def get_tether_seat_to_move(rules: TetherRules, state: TetherState) -> int:
    """Implement `interface.seat_to_move`: red is seat 0."""
    return state.to_play - RED


@implements(interface.position_codes, TetherRules)
@kernel
def write_tether_codes(rules: TetherRules, state: TetherState, codes: Moves) -> None:
    """Write the stones, which determine groups and areas, and the colour to play, as position codes."""
    for cell in range(rules.num_cells):
        codes[cell] = state.stones[cell]
    codes[rules.num_cells] = state.to_play


@implements(interface.encode_planes, TetherRules)
@kernel
def encode_tether_planes(rules: TetherRules, state: TetherState, planes: NDArray[np.int8]) -> None:
    """Write planes: stones, open and closed cells, sides, tethered stones, territories in eighths of a majority."""
    own_colour, opponent_colour = state.to_play, 3 - state.to_play
    own_eighths, opponent_eighths = (
        majority_eighths(rules, state, own_colour),
        majority_eighths(rules, state, opponent_colour),
    )
    for cell in range(rules.num_cells):
        stone = state.stones[cell]
        root = find(state.parent, cell)
        planes[cell, 0] = 1
        planes[cell, 1] = 1 if stone == own_colour else 0
        planes[cell, 2] = 1 if stone == opponent_colour else 0
        planes[cell, 3] = 1 if stone == EMPTY else 0
        planes[cell, 4] = 1 if stone == CLOSED else 0
        planes[cell, 5] = 0
        planes[cell, 6] = 0
        for slot in range(NUM_SLOTS):
            neighbour = rules.neighbours[cell, slot]
            planes[cell, 5] |= 1 if neighbour == rules.num_cells + own_colour else 0
            planes[cell, 6] |= 1 if neighbour == rules.num_cells + opponent_colour else 0
        planes[cell, 7] = 1 if stone == own_colour and root == rules.num_cells + own_colour else 0
        planes[cell, 8] = 1 if stone == opponent_colour and root == rules.num_cells + opponent_colour else 0
        planes[cell, 9] = own_eighths
        planes[cell, 10] = opponent_eighths


@kernel
def majority_eighths(rules: TetherRules, state: TetherState, colour: int) -> int:
    """Return a player's territory in eighths of a majority, 0 to 8."""
    return min(8, 16 * territory_size(rules, state, colour) // (rules.num_cells + 1))


@implements(interface.playout, TetherRules)
@kernel
def random_playout(rules: TetherRules, state: TetherState, moves: Moves, rng: Rng) -> int:
    """Implement `interface.playout`: place on the open cells in random order, skipping those closed meanwhile."""
    count = list_placements(rules, state, moves)
    result = majority_winner(rules, state)
    while result == ONGOING:
        index = rand_below(rng, count)
        cell = moves[index]
        count -= 1
        moves[index] = moves[count]
        if state.stones[cell] == EMPTY:
            state = place_stone(rules, state, cell)
            result = majority_winner(rules, state)
    return result


@implements(interface.rollout, TetherRules)
@kernel
def rollout_with_bridge_replies(
    rules: TetherRules, state: TetherState, moves: Moves, rng: Rng, amaf_moves: NDArray[np.float32], heavy: int
) -> float:
    """Implement `interface.rollout`: as `random_playout`; if `heavy`, reply to a stone that intrudes into a bridge."""
    count = list_placements(rules, state, moves)
    result = majority_winner(rules, state)
    reply = NO_CELL
    while result == ONGOING:
        cell = reply
        if cell == NO_CELL:
            index = rand_below(rng, count)
            cell = moves[index]
            count -= 1
            moves[index] = moves[count]
        reply = NO_CELL
        if state.stones[cell] == EMPTY:
            amaf_moves[state.to_play - RED, cell] = 1
            state = place_stone(rules, state, cell)
            result = majority_winner(rules, state)
            if heavy != 0:
                reply = bridge_reply(rules, state, cell, rng)
    return outcome_value(result)


@kernel
def bridge_reply(rules: TetherRules, state: TetherState, cell: int, rng: Rng) -> int:
    """Return a random cell that restores a bridge of the player to move into which `cell` intruded, or NO_CELL."""
    own_slots = slots_with_colour(rules, state, cell, state.to_play)
    empty_slots = slots_with_colour(rules, state, cell, EMPTY)
    reply_slots = (
        empty_slots & (own_slots << 1 | own_slots >> (NUM_SLOTS - 1)) & (own_slots >> 1 | own_slots << (NUM_SLOTS - 1))
    )
    if reply_slots == 0:
        return NO_CELL
    return rules.neighbours[cell, random_set_bit(rng, reply_slots)]


def make_tether_rules(board: Board) -> TetherRules:
    """Return the rules for a rhombus: cells off the board are the red side above and below, else the blue side."""
    size = board.size[0]
    neighbours = board.neighbours.copy()
    for cell, slot in zip(*np.nonzero(neighbours == NO_CELL), strict=True):
        row = cell // size + (0, -1, -1, 0, 1, 1)[slot]
        neighbours[cell, slot] = len(board) + (RED if row in (-1, size) else BLUE)
    return TetherRules(neighbours=neighbours, num_cells=len(board))
