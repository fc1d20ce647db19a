"""Wins at a glance: by pairs of cells, and by mirroring.

Pairs: the opponent can take only one cell of a pair before it is answered with the other. So a player who wins however
the pairs are shared out wins even when the opponent moves, inside the carrier of these pairs.

Mirroring: a full board has exactly one winner. Take a symmetry that is its own inverse, and a player who has all cells
that it leaves in place, and of every other pair of mirror cells either has one or finds both empty. That player answers
each move with its mirror image; had the opponent a winning group in the end, its image would win for the player too.
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
    """Room for the groups of a player and the pairs between them."""

    liberties: Masks  # of each group; grows together when groups are tied
    first_cell: Masks  # a cell of each pair
    second_cell: Masks
    optional: Masks  # 0 for a pair without which there is no win


def allocate_pairing_scratch() -> PairingScratch:
    """Room for as many groups and pairs as there may be."""
    return PairingScratch(np.zeros(64, np.int64), *(np.zeros(MAX_PAIRS, np.int64) for _ in range(3)))


@kernel
def pairing_win(bitboard: BitBoard, pairing: PairingScratch, mine: int, empty: int) -> int:
    """The carrier with which I win though the opponent moves, FAILS where pairs do not show it."""
    if not is_won(bitboard, mine | (dilate(bitboard, mine) & empty)):  # not even with all cells beside my stones
        return NO_CARRIER
    num_pairs = find_pairs(bitboard, pairing, mine, empty)
    if not order_required_first(bitboard, pairing, mine, num_pairs):
        return NO_CARRIER
    return verify_pairing(bitboard, pairing, mine, num_pairs)


@kernel
def find_pairs(bitboard: BitBoard, pairing: PairingScratch, mine: int, empty: int) -> int:
    """Pair off empty cells between my groups, and between a group and the edge; how many pairs."""
    num_groups = list_group_liberties(bitboard, pairing, mine, empty)
    num_pairs, used = 0, 0
    for allow_choice in range(2):  # first where there is no choice
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
    """The empty cells beside each of my groups; how many groups."""
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
    """Make a pair of the first two of these cells; the pair."""
    first = cells & -cells
    second = (cells ^ first) & -(cells ^ first)
    pairing.first_cell[index], pairing.second_cell[index] = first, second
    return first | second


@kernel
def order_required_first(bitboard: BitBoard, pairing: PairingScratch, mine: int, num_pairs: int) -> bool:
    """Put the pairs without which there is no win before the others; whether all pairs together win at all."""
    full = mine
    for pair in range(num_pairs):
        full |= pairing.first_cell[pair] | pairing.second_cell[pair]
    for pair in range(-1, num_pairs):
        removed = 0 if pair < 0 else pairing.first_cell[pair] | pairing.second_cell[pair]
        won = is_won(bitboard, full & ~removed)
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
    """The cells of the pairs needed to win with one cell of each, whichever it is; FAILS when that is not enough."""
    depth, assignment, carrier = 0, 0, 0  # a bit of `taken` for each pair: 1 when the other cell is mine
    while True:
        stones = mine
        for pair in range(depth):
            stones |= pairing.second_cell[pair] if (assignment >> pair) & 1 else pairing.first_cell[pair]
        if is_won(bitboard, stones):
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
    """The cells that I lack to win by mirroring; FAILS when the opponent has one of them."""
    fixed = bitboard.fixed_cells[mirror] & bitboard.claimable
    missing = (lookup_union(bitboard.reflection_tables[mirror], theirs) | fixed) & ~mine
    return NO_CARRIER if missing & theirs != 0 else missing


@kernel
def reflection_carrier(bitboard: BitBoard, mirror: int, mine: int) -> int:
    """The cells that are empty with their images, when I win by mirroring."""
    return bitboard.claimable & ~(mine | lookup_union(bitboard.reflection_tables[mirror], mine))
