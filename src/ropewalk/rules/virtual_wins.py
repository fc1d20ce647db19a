"""Virtual wins of Lariat and Cube Lariat: a group that wins by its bridges, although the opponent moves next.

A *bridge* is a pair of adjacent empty cells that both touch two stones of a player, or a stone and the edge of the board:
if the opponent takes one cell, the player takes the other. Bridges that share no cell hold together, so their groups can
be united as if they were connected. A loop that passes through a bridge counts if it crosses the same cuts (see
`lariat_common`) through either cell.
"""

from __future__ import annotations

from typing import Any

from ..jit.intrinsics import clear_lowest_bit, lowest_bit
from ..jit.kernel import implements, kernel
from . import interface
from .interface import ONGOING
from .lariat_common import MARK_BITS, find_with_parity, group_wins
from .placement import EMPTY, FIRST, Cells, PlacementState, can_swap, opponent

IN_BRIDGE = 4  # in `stones`, during the search: an empty cell that belongs to a bridge
NO_ROOT = -1


@kernel
def find_virtual_winner(rules: Any, state: PlacementState) -> int:
    """Implement `interface.virtual_winner`: unite the groups of the last mover by bridges until one of them wins."""
    if can_swap(rules, state):
        return ONGOING
    colour = opponent(state.to_play)
    for cell in range(rules.num_cells):
        if state.stones[cell] == EMPTY:
            partners = find_partners(rules, state.stones, cell, colour)
            while partners != 0 and state.stones[cell] == EMPTY:
                root = build_bridge(rules, state, cell, lowest_bit(partners))
                if root != NO_ROOT and group_wins(rules, state, root):
                    return (colour - FIRST) ^ state.swapped
                partners = clear_lowest_bit(partners)
    return ONGOING


@kernel
def find_partners(rules: Any, stones: Cells, cell: int, colour: int) -> int:
    """Return the slots of the higher empty neighbours with which an empty cell is a bridge, as bits.

    The neighbours before and after such a slot are stones of `colour`, or one of them is the edge of the board.
    """
    num_slots = rules.degrees[cell]
    own_slots, empty_slots = 0, 0
    for slot in range(num_slots):
        neighbour = rules.neighbours[cell, slot]
        stone = stones[neighbour]
        own_slots |= (1 if stone == colour else 0) << slot
        empty_slots |= (1 if stone == EMPTY and neighbour > cell else 0) << slot
    if own_slots == 0:
        return 0
    if rules.marks[cell] & rules.edge_mark != 0:
        own_slots |= 1 << num_slots
        num_slots += 1
    return empty_slots & (own_slots << 1 | own_slots >> (num_slots - 1)) & (own_slots >> 1 | own_slots << (num_slots - 1))


@kernel
def build_bridge(rules: Any, state: PlacementState, cell: int, slot: int) -> int:
    """Use an empty cell and its neighbour in `slot` as a bridge if that changes a group; return its root, or NO_ROOT."""
    num_slots = rules.degrees[cell]
    partner = rules.neighbours[cell, slot]
    is_edge = rules.marks[cell] & rules.edge_mark != 0
    before = slot - 1 if slot > 0 else num_slots - 1
    after = slot + 1 if slot + 1 < num_slots else 0
    if is_edge and slot == 0:
        root = connect_to_edge(rules, state, rules.neighbours[cell, after])
    elif is_edge and slot + 1 == num_slots:
        root = connect_to_edge(rules, state, rules.neighbours[cell, before])
    else:
        root = unite_over_bridge(rules, state, cell, partner, before, after)
    if root != NO_ROOT:
        state.stones[cell] = state.stones[partner] = IN_BRIDGE
    return root


@kernel
def unite_over_bridge(rules: Any, state: PlacementState, cell: int, partner: int, first_slot: int, second_slot: int) -> int:
    """Unite the groups of two stones as a stone on `cell` would; NO_ROOT if that is of no use, or `partner` would not do.

    The slots are those of the two stones among the neighbours of `cell`.
    """
    first, second = rules.neighbours[cell, first_slot], rules.neighbours[cell, second_slot]
    parity = rules.cut_parity_masks[cell, first_slot] ^ rules.cut_parity_masks[cell, second_slot]
    if parity != step_parity(rules, partner, first) ^ step_parity(rules, partner, second):
        return NO_ROOT
    first_root, first_parity = find_with_parity(state, first)
    second_root, second_parity = find_with_parity(state, second)
    parity ^= first_parity ^ second_parity
    if first_root == second_root:
        separated_pairs = parity << MARK_BITS
        if separated_pairs & ~state.labels[first_root] == 0:
            return NO_ROOT
        state.labels[first_root] |= separated_pairs
    else:
        state.parent[first_root] = second_root
        state.labels[second_root] |= state.labels[first_root]
        state.labels[first_root] = parity
    return second_root


@kernel
def step_parity(rules: Any, cell: int, neighbour: int) -> int:
    """Return the cuts that the step from a cell to a neighbour crosses, 0 for cells that do not touch."""
    parity = 0
    for slot in range(rules.degrees[cell]):
        if rules.neighbours[cell, slot] == neighbour:
            parity = rules.cut_parity_masks[cell, slot]
    return parity


@kernel
def connect_to_edge(rules: Any, state: PlacementState, cell: int) -> int:
    """Mark the group of a stone as one that reaches the edge; return its root, or NO_ROOT if it does already."""
    root, _ = find_with_parity(state, cell)
    if state.labels[root] & rules.edge_mark != 0:
        return NO_ROOT
    state.labels[root] |= rules.edge_mark
    return root


def register(rules_type: type) -> None:
    """Register the kernel for one type of rules."""
    implements(interface.virtual_winner, rules_type)(find_virtual_winner)
