"""Carrier rules of Lariat and Cube Lariat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .carrier_rules import CarrierRules, board_neighbour_masks

if TYPE_CHECKING:
    from .lariat_common import LariatFamilyGame


class CentreGoal(NamedTuple):
    """Lariat: a group with an edge cell that contains the centre, or separates it from all edge cells."""

    centre: int
    edge: int


class NuclearGoal(NamedTuple):
    """Cube Lariat: a group that separates all nuclear cells that it does not contain from each other."""

    first: int  # the nuclear cells, a mask each
    second: int
    third: int


class LariatCarrierRules(CarrierRules):
    """Winning groups of Lariat."""

    goal: CentreGoal

    def is_winning_group(self, group: int) -> bool:
        """Return whether a group has an edge cell and contains the centre, or separates it from the edge."""
        rest = (1 << len(self.neighbour_masks)) - 1 & ~group
        is_separated = not self.flood(self.goal.centre, rest) & self.edge
        return bool(group & self.edge) and (bool(group & self.goal.centre) or is_separated)


class CubeLariatCarrierRules(CarrierRules):
    """Winning groups of Cube Lariat."""

    goal: NuclearGoal

    def is_winning_group(self, group: int) -> bool:
        """Return whether no piece of the rest contains two nuclear cells."""
        rest = (1 << len(self.neighbour_masks)) - 1 & ~group
        nuclear = sum(self.goal)
        remaining = nuclear & rest
        while remaining:
            component = self.flood(remaining & -remaining, rest)
            if (component & nuclear).bit_count() > 1:
                return False
            remaining &= ~component
        return True


def lariat_carrier_rules(game: LariatFamilyGame) -> CarrierRules:
    """Return the carrier rules of a game of Lariat."""
    centre, edge = marked_mask(game, "centre"), marked_mask(game, "edge")
    neighbours, claimable = board_neighbour_masks(game), claimable_mask(game)
    return LariatCarrierRules(CentreGoal(centre, edge), neighbours, claimable, marks=(centre, edge), edge=edge)


def cube_lariat_carrier_rules(game: LariatFamilyGame) -> CarrierRules:
    """Return the carrier rules of a game of Cube Lariat."""
    goal = NuclearGoal(*(1 << cell for cell in game.board.marked_cells["nuclear"]))
    return CubeLariatCarrierRules(goal, board_neighbour_masks(game), claimable_mask(game), marks=(sum(goal),))


def marked_mask(game: LariatFamilyGame, mark: str) -> int:
    """Return the mask of the cells with a mark."""
    return sum(1 << cell for cell in game.board.marked_cells[mark])


def claimable_mask(game: LariatFamilyGame) -> int:
    """Return the mask of the cells that can be claimed."""
    return (1 << len(game.board)) - 1 & ~sum(1 << cell for cell in game.blocked_cells())
