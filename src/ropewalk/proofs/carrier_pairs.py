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

from ..bits import bit, bit_count
from ..kernels import kernel
from .carrier_field import Field, Masks, grown, is_won, looked_up, reach

MOST_PAIRS = 8
FAILS = -1


class Pairs(NamedTuple):
    """Room for the groups of a player and the pairs between them."""

    liberties: Masks  # of each group; grows together when groups are tied
    one: Masks  # a cell of each pair
    other: Masks
    optional: Masks  # 0 for a pair without which there is no win


def pairs_room() -> Pairs:
    """Room for as many groups and pairs as there may be."""
    return Pairs(np.zeros(64, np.int64), *(np.zeros(MOST_PAIRS, np.int64) for _ in range(3)))


@kernel
def wins_by_pairs(field: Field, pairs: Pairs, mine: int, empty: int) -> int:
    """The carrier with which I win though the opponent moves, FAILS where pairs do not show it."""
    if not is_won(field, mine | (grown(field, mine) & empty)):  # not even with all cells beside my stones
        return FAILS
    count = find_pairs(field, pairs, mine, empty)
    if not needed_first(field, pairs, mine, count):
        return FAILS
    return shared_out(field, pairs, mine, count)


@kernel
def find_pairs(field: Field, pairs: Pairs, mine: int, empty: int) -> int:
    """Pair off empty cells between my groups, and between a group and the edge; how many pairs."""
    groups = list_groups(field, pairs, mine, empty)
    count, used = 0, 0
    for choice in range(2):  # first where there is no choice
        tied = True
        while tied:
            tied = False
            for first in range(groups):
                for second in range(first):
                    common = pairs.liberties[first] & pairs.liberties[second] & ~used
                    size = bit_count(common)
                    if count < MOST_PAIRS and (size == 2 or (size > 2 and choice == 1)):
                        used |= add_pair(pairs, count, common)
                        count += 1
                        pairs.liberties[second] |= pairs.liberties[first]
                        pairs.liberties[first] = 0
                        tied = True
    for group in range(groups):
        at_edge = pairs.liberties[group] & field.edge & ~used
        if count < MOST_PAIRS and bit_count(at_edge) >= 2:
            used |= add_pair(pairs, count, at_edge)
            count += 1
    return count


@kernel
def list_groups(field: Field, pairs: Pairs, mine: int, empty: int) -> int:
    """The empty cells beside each of my groups; how many groups."""
    groups = 0
    left = mine
    while left != 0:
        group = reach(field, left & -left, left)
        left &= ~group
        pairs.liberties[groups] = grown(field, group) & empty
        groups += 1
    return groups


@kernel
def add_pair(pairs: Pairs, count: int, cells: int) -> int:
    """Make a pair of the first two of these cells; the pair."""
    one = cells & -cells
    other = (cells ^ one) & -(cells ^ one)
    pairs.one[count], pairs.other[count] = one, other
    return one | other


@kernel
def needed_first(field: Field, pairs: Pairs, mine: int, count: int) -> bool:
    """Put the pairs without which there is no win before the others; whether all pairs together win at all."""
    full = mine
    for pair in range(count):
        full |= pairs.one[pair] | pairs.other[pair]
    for pair in range(-1, count):
        without = 0 if pair < 0 else pairs.one[pair] | pairs.other[pair]
        won = is_won(field, full & ~without)
        if pair < 0 and not won:
            return False
        if pair >= 0:
            pairs.optional[pair] = 1 if won else 0
    front = 0
    for pair in range(count):
        if pairs.optional[pair] == 0:
            one, other = pairs.one[pair], pairs.other[pair]
            pairs.one[pair], pairs.other[pair], pairs.optional[pair] = pairs.one[front], pairs.other[front], 1
            pairs.one[front], pairs.other[front], pairs.optional[front] = one, other, 0
            front += 1
    return True


@kernel
def shared_out(field: Field, pairs: Pairs, mine: int, count: int) -> int:
    """The cells of the pairs needed to win with one cell of each, whichever it is; FAILS when that is not enough."""
    depth, taken, needed = 0, 0, 0  # a bit of `taken` for each pair: 1 when the other cell is mine
    while True:
        current = mine
        for pair in range(depth):
            current |= pairs.other[pair] if (taken >> pair) & 1 else pairs.one[pair]
        if is_won(field, current):
            while depth > 0 and (taken >> (depth - 1)) & 1:
                depth -= 1
                taken ^= bit(depth)
            if depth == 0:
                return needed
            taken |= bit(depth - 1)
        elif depth == count:
            return FAILS
        else:
            needed |= pairs.one[depth] | pairs.other[depth]
            depth += 1


@kernel
def lacking(field: Field, mirror: int, mine: int, theirs: int) -> int:
    """The cells that I lack to win by mirroring; FAILS when the opponent has one of them."""
    fixed = field.fixed[mirror] & field.board
    lack = (looked_up(field.turned[mirror], theirs) | fixed) & ~mine
    return FAILS if lack & theirs != 0 else lack


@kernel
def mirror_carrier(field: Field, mirror: int, mine: int) -> int:
    """The cells that are empty with their images, when I win by mirroring."""
    return field.board & ~(mine | looked_up(field.turned[mirror], mine))
