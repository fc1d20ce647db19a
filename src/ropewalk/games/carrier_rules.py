"""A game as carrier proofs see it: cells as bits of masks, and which groups win.

Such proofs exist for games in which two colours claim cells in turn until a group wins, an extra stone of one's own never
hurts, and every full board has exactly one winner. A game declares its rules as `GameSpec.carrier_rules`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..boards import NO_CELL
from ..errors import PositionError
from .definition import import_attribute

if TYPE_CHECKING:
    from .game import Game
    from .position import Position


class CarrierRules(ABC):
    """Masks of a board, and the winning condition. Bit n of a mask is cell n.

    Beyond the cells of the board there may be *sides*: cells that belong to a colour from the start, such as the sides of
    the board that a colour has to connect.
    """

    def __init__(
        self,
        goal: Any,
        neighbour_masks: Iterable[int],
        claimable: int,
        *,
        marks: Iterable[int] = (),
        edge: int = 0,
        sides: tuple[int, int] = (0, 0),
    ) -> None:
        self.goal = goal  # a NamedTuple whose type selects the solver's kernel for full boards
        self.neighbour_masks = tuple(neighbour_masks)  # of every cell, sides included
        self.claimable = claimable  # the cells that can be claimed
        self.marks = tuple(marks)  # masks that symmetries preserve: cells that matter for winning
        self.edge = edge  # cells of which a group needs one
        self.sides = sides  # of each colour
        self._has_winner: dict[int, bool] = {}  # by stones

    @abstractmethod
    def is_winning_group(self, group: int) -> bool:
        """Return whether a group of one colour wins."""

    def has_winner(self, stones: int) -> bool:
        """Return whether one group of these stones wins. Results are cached."""
        if stones not in self._has_winner:
            remaining, has_won = stones, False
            while remaining and not has_won:
                group = self.flood(remaining & -remaining, remaining)
                remaining &= ~group
                has_won = self.is_winning_group(group)
            self._has_winner[stones] = has_won
        return self._has_winner[stones]

    @property
    def is_colour_blind(self) -> bool:
        """Whether the same groups win for both colours."""
        return self.sides == (0, 0)

    def flood(self, start: int, within: int) -> int:
        """Return everything connected with `start` inside `within`; cells outside `within` are ignored."""
        reached = frontier = start & within
        while frontier:
            adjacent = 0
            while frontier:
                adjacent |= self.neighbour_masks[(frontier & -frontier).bit_length() - 1]
                frontier &= frontier - 1
            frontier = adjacent & within & ~reached
            reached |= frontier
        return reached


def carrier_rules_of(game: Game) -> CarrierRules:
    """Return the carrier rules that a game declares; raise PositionError if it declares none."""
    if not game.definition.carrier_rules:
        raise PositionError(f"{game.spec}: {game.name} has no carrier proofs")
    rules: CarrierRules = import_attribute(game.definition.carrier_rules)(game)
    return rules


def stone_masks(position: Position, rules: CarrierRules) -> tuple[int, int]:
    """Return the masks of the stones of both colours, sides included."""
    pieces, colours = position.game.definition.tokens.pieces, position.game.colours
    masks = list(rules.sides)
    for name, token in position.contents.items():
        masks[colours.index(pieces[token].colour)] |= 1 << position.game.board.cell(name)
    return masks[0], masks[1]


def board_neighbour_masks(game: Game) -> list[int]:
    """Return for each cell of a game's board the mask of its neighbours."""
    rows = game.board.neighbours.tolist()
    return [sum(1 << cell for cell in row if cell != NO_CELL) for row in rows]
