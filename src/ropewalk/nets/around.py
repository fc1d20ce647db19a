"""What a net must know of a board: for each cell, itself and its neighbours in order."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL
from ..games.game import Game


@dataclass(frozen=True)
class Design:
    """The shape of a net: what a game asks for, and how large it is."""

    planes: int
    slots: int  # a cell and its neighbours
    kinds: int  # of moves to a cell
    global_moves: int
    blocks: int = 6
    channels: int = 64

    def as_json(self) -> dict[str, Any]:
        """For cards and checkpoints."""
        return asdict(self)


def design_for(game: Game, blocks: int, channels: int) -> Design:
    """The design that a game needs, the same for all its sizes."""
    return Design(
        planes=len(game.planes),
        slots=1 + game.board.neighbours.shape[1],
        kinds=game.move_kinds,
        global_moves=game.global_moves,
        blocks=blocks,
        channels=channels,
    )


def around(game: Game) -> NDArray[np.int64]:
    """[cells, slots]: each cell, then its neighbours; where there is none the number of cells, which stands for nothing."""
    neighbours = game.board.neighbours.astype(np.int64)
    cells = len(game.board)
    own = np.arange(cells, dtype=np.int64)[:, np.newaxis]
    return np.concatenate([own, np.where(neighbours == NO_CELL, cells, neighbours)], axis=1)
