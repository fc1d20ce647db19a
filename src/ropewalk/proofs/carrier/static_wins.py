"""Wins that need no search: pairing strategies and reflection strategies.

Pairing: the player answers an opponent's stone on one cell of a pair with the other cell. So a player who wins with one cell
of each pair, whichever it is, wins although the opponent moves. The carrier is the union of the pairs.

Reflection: a full board has exactly one winner. Take an involutive symmetry of the board, and a player who has all its fixed
cells and, of every other pair of image cells, has one or finds both empty. That player answers each stone with its image:
if the opponent had a winning group on the full board, its image would be a winning group of the player too. The carrier is
the set of empty pairs. All sets of cells are 64-bit masks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.intrinsics import bit, bit_count
from ...jit.kernel import kernel
from .bitboard import BitBoard, Masks, dilate, flood, is_won, lookup_union

MAX_PAIRS = 8
NO_CARRIER = -1


class PairingScratch(NamedTuple):
    """Scratch arrays for the groups of a player and the pairs between them."""

    liberties: Masks  # [64]: of each group; united when a pair connects two groups
    first_cell: Masks  # [MAX_PAIRS]: one cell of each pair
    second_cell: Masks  # [MAX_PAIRS]: the other cell
    optional: Masks  # [MAX_PAIRS]: 0 for a pair without which the others do not win


def allocate_pairing_scratch() -> PairingScratch:
    """Return scratch for 64 groups and MAX_PAIRS pairs."""
    return PairingScratch(np.zeros(64, np.int64), *(np.zeros(MAX_PAIRS, np.int64) for _ in range(3)))


@kernel
def pairing_win(bitboard: BitBoard, pairing: PairingScratch, mine: int, empty: int) -> int:
    """Return the carrier with which `mine` wins by pairs, opponent to move, or NO_CARRIER if none is found."""
    if not is_won(bitboard.goal, bitboard, mine | (dilate(bitboard, mine) & empty)):  # not even with all liberties
        return NO_CARRIER
    num_pairs = find_pairs(bitboard, pairing, mine, empty)
    if not order_required_first(bitboard, pairing, mine, num_pairs):
        return NO_CARRIER
    return verify_pairing(bitboard, pairing, mine, num_pairs)


@kernel
def find_pairs(bitboard: BitBoard, pairing: PairingScratch, mine: int, empty: int) -> int:
    """Pair empty cells between groups, and between groups and the edge; return the number of pairs."""
    num_groups = list_group_liberties(bitboard, pairing, mine, empty)
    num_pairs, used = 0, 0
    for allow_choice in range(2):  # first the groups with exactly two common liberties
        has_merged = True
        while has_merged:
            has_merged = False
            for first in range(num_groups):
                for second in range(first):
                    common = pairing.liberties[first] & pairing.liberties[second] & ~used
                    size = bit_count(common)
                    if num_pairs < MAX_PAIRS and (size == 2 or (size > 2 and allow_choice == 1)):
                        used |= add_pair(pairing, num_pairs, common)
                        num_pairs += 1
                        pairing.liberties[second] |= pairing.liberties[first]
                        pairing.liberties[first] = 0
                        has_merged = True
    for group in range(num_groups):
        edge_liberties = pairing.liberties[group] & bitboard.edge & ~used
        if num_pairs < MAX_PAIRS and bit_count(edge_liberties) >= 2:
            used |= add_pair(pairing, num_pairs, edge_liberties)
            num_pairs += 1
    return num_pairs


@kernel
def list_group_liberties(bitboard: BitBoard, pairing: PairingScratch, mine: int, empty: int) -> int:
    """Write the empty neighbours of each group into `pairing.liberties`; return the number of groups."""
    num_groups = 0
    remaining = mine
    while remaining != 0:
        group = flood(bitboard, remaining & -remaining, remaining)
        remaining &= ~group
        pairing.liberties[num_groups] = dilate(bitboard, group) & empty
        num_groups += 1
    return num_groups


@kernel
def add_pair(pairing: PairingScratch, index: int, cells: int) -> int:
    """Write the two lowest of `cells` as a pair; return their mask."""
    first = cells & -cells
    second = (cells ^ first) & -(cells ^ first)
    pairing.first_cell[index], pairing.second_cell[index] = first, second
    return first | second


@kernel
def order_required_first(bitboard: BitBoard, pairing: PairingScratch, mine: int, num_pairs: int) -> bool:
    """Order the pairs so that those without which the rest do not win come first.

    Returns False if even all cells of all pairs do not win.
    """
    full = mine
    for pair in range(num_pairs):
        full |= pairing.first_cell[pair] | pairing.second_cell[pair]
    for pair in range(-1, num_pairs):
        removed = 0 if pair < 0 else pairing.first_cell[pair] | pairing.second_cell[pair]
        won = is_won(bitboard.goal, bitboard, full & ~removed)
        if pair < 0 and not won:
            return False
        if pair >= 0:
            pairing.optional[pair] = 1 if won else 0
    front = 0
    for pair in range(num_pairs):
        if pairing.optional[pair] == 0:
            first, second = pairing.first_cell[pair], pairing.second_cell[pair]
            pairing.first_cell[pair], pairing.second_cell[pair], pairing.optional[pair] = (
                pairing.first_cell[front],
                pairing.second_cell[front],
                1,
            )
            pairing.first_cell[front], pairing.second_cell[front], pairing.optional[front] = first, second, 0
            front += 1
    return True


@kernel
def verify_pairing(bitboard: BitBoard, pairing: PairingScratch, mine: int, num_pairs: int) -> int:
    """Return the pairs' cells needed to win with any one cell of each, or NO_CARRIER.

    Searches the binary tree of assignments depth first, adding a pair only while the stones do not win yet.
    """
    depth, assignment, carrier = 0, 0, 0  # bit n of `assignment`: whether `mine` has the second cell of pair n
    while True:
        stones = mine
        for pair in range(depth):
            stones |= pairing.second_cell[pair] if (assignment >> pair) & 1 else pairing.first_cell[pair]
        if is_won(bitboard.goal, bitboard, stones):
            while depth > 0 and (assignment >> (depth - 1)) & 1:
                depth -= 1
                assignment ^= bit(depth)
            if depth == 0:
                return carrier
            assignment |= bit(depth - 1)
        elif depth == num_pairs:
            return NO_CARRIER
        else:
            carrier |= pairing.first_cell[depth] | pairing.second_cell[depth]
            depth += 1


@kernel
def missing_for_reflection(bitboard: BitBoard, mirror: int, mine: int, theirs: int) -> int:
    """Return the cells that `mine` lacks for a reflection win, or NO_CARRIER if `theirs` has one."""
    fixed = bitboard.fixed_cells[mirror] & bitboard.claimable
    missing = (lookup_union(bitboard.reflection_tables[mirror], theirs) | fixed) & ~mine
    return NO_CARRIER if missing & theirs != 0 else missing


@kernel
def reflection_carrier(bitboard: BitBoard, mirror: int, mine: int) -> int:
    """Return the cells that are empty together with their images, given a reflection win of `mine`."""
    return bitboard.claimable & ~(mine | lookup_union(bitboard.reflection_tables[mirror], mine))
