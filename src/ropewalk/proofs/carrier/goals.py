"""Who wins a full board of Lariat or Cube Lariat.

On a full board the adjacency graph of the groups is a tree. In Lariat the winner owns the first group on the path from the
centre that reaches the edge; in Cube Lariat the group at the median of the three nuclear cells. Colours alternate along a
path, so the parity of its colour changes tells the winner.
"""

from __future__ import annotations

from ...games.lariat_carriers import CentreGoal, NuclearGoal
from ...jit.kernel import implements, kernel
from .bitboard import BitBoard, dilate, flood, is_won


@implements(is_won, CentreGoal)
@kernel
def first_edge_group_wins(goal: CentreGoal, bitboard: BitBoard, mine: int) -> bool:
    """Expand from the centre group by group until a group reaches the edge."""
    theirs = bitboard.claimable & ~mine
    is_mine = mine & goal.centre != 0
    reached = flood(bitboard, goal.centre, mine if is_mine else theirs)
    while reached & goal.edge == 0:
        is_mine = not is_mine
        reached = flood(bitboard, dilate(bitboard, reached), mine if is_mine else theirs)
    return is_mine


@implements(is_won, NuclearGoal)
@kernel
def median_group_wins(goal: NuclearGoal, bitboard: BitBoard, mine: int) -> bool:
    """Return whether the group at the median of the nuclear cells is mine.

    With d the colour changes between nuclear cells, the median is (d01 + d02 - d12) / 2 changes away from the first.
    """
    changes = count_colour_changes(bitboard, mine, goal.first, goal.second, goal.third)
    changes -= count_colour_changes(bitboard, mine, goal.second, goal.third, goal.third) >> 1
    return (mine & goal.first != 0) == ((changes >> 1) & 1 == 0)


@kernel
def count_colour_changes(bitboard: BitBoard, mine: int, start: int, first: int, second: int) -> int:
    """Return the sum of the colour changes on the paths from `start` to `first` and to `second`."""
    theirs = bitboard.claimable & ~mine
    is_mine = mine & start != 0
    reached = flood(bitboard, start, mine if is_mine else theirs)
    changes = 0
    while reached & first == 0 or reached & second == 0:
        changes += (1 if reached & first == 0 else 0) + (1 if reached & second == 0 else 0)
        is_mine = not is_mine
        reached = flood(bitboard, dilate(bitboard, reached), mine if is_mine else theirs)
    return changes
