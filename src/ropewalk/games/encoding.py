"""`GameEncoding`: how nets see a game: input planes, policy indices, the neighbour index and symmetry tables.

A policy has one logit for every move id of the game with all its options: `move_kinds` for each cell, then the moves that
belong to no cell. A move id is kind * cells + cell; global moves come last.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL

if TYPE_CHECKING:
    from .game import Game


class ObservationPlane(NamedTuple):
    """One plane of an observation. "Own" is the seat to move, "other" its opponent."""

    name: str
    meaning: str  # the value at a cell


BOARD_PLANE = ObservationPlane("board", "1")


class GameEncoding:
    """The encoding of one game on one board."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def planes(self) -> tuple[str, ...]:
        """The names of the input planes, in the order in which `encode_planes` writes them."""
        return tuple(plane.name for plane in self.game.observation_planes)

    @property
    def num_planes(self) -> int:
        """The number of input planes."""
        return len(self.game.observation_planes)

    @cached_property
    def move_kinds(self) -> int:
        """The number of kinds of moves of each cell."""
        return self.game.num_actions // len(self.game.board)

    @property
    def global_moves(self) -> int:
        """The number of moves that belong to no cell, those included that the options exclude."""
        return self.game.global_moves

    @cached_property
    def policy_size(self) -> int:
        """The number of policy logits: move kinds * cells, and global moves."""
        return self.move_kinds * len(self.game.board) + self.global_moves

    @cached_property
    def neighbour_index(self) -> NDArray[np.int64]:
        """[cells, 1 + columns]: each cell, then its neighbours in order, padded with the number of cells."""
        neighbours = self.game.board.neighbours.astype(np.int64)
        num_cells = len(self.game.board)
        own_index = np.arange(num_cells, dtype=np.int64)[:, np.newaxis]
        return np.concatenate([own_index, np.where(neighbours == NO_CELL, num_cells, neighbours)], axis=1)

    @cached_property
    def symmetry_cell_table(self) -> NDArray[np.int64]:
        """[symmetries, cells]: the image of each cell under each symmetry."""
        return np.stack([symmetry.cells for symmetry in self.game.symmetries]).astype(np.int64)

    @cached_property
    def symmetry_move_table(self) -> NDArray[np.int64]:
        """[symmetries, policy size + 1]: the image of each move under each symmetry.

        The last column is -1, so that the padding of move lists (-1, the last index) maps to itself.
        """
        table = np.full((len(self.game.symmetries), self.policy_size + 1), -1, np.int64)
        for row, symmetry in zip(table, self.game.symmetries, strict=True):
            row[: self.game.num_actions] = symmetry.moves
        return table
