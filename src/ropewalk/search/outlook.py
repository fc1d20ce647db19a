"""What playouts say of the leaves that wait for a net: a second opinion, where a net's own is poor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..kernels import kernel
from ..rules.questions import load_state, rollout, seat_to_move
from ..rules.stepping import Row, copy_row
from .forest import AWAITS, STAGE, Forest


class Playouts(NamedTuple):
    """How leaves are played out."""

    from_each: int  # leaf; 0: none
    sensible: int  # as a `uct.Tuning` has it
    trust: float  # how much they count beside the net, 0 to 1


class Outlook(NamedTuple):
    """An entry a tree."""

    values: NDArray[np.float32]  # what playouts say the seat to move at the leaf can expect, -1 to 1


class Ground(NamedTuple):
    """What a thread plays out on."""

    row: Row
    moves: NDArray[np.int16]  # [most moves]
    played: NDArray[np.float32]  # [2, moves of the game]


def ground_of(game: Game) -> Ground:
    """What one thread needs."""
    return Ground(game.start_row(), np.zeros(game.max_legal_moves, np.int16), np.zeros((2, game.move_count), np.float32))


@kernel
def look_out(
    rules: Any, forest: Forest, outlook: Outlook, ground: Ground, playouts: Playouts, first: int, last: int
) -> None:
    """Play out the leaves of the trees first to last - 1 that wait for the net."""
    for index in range(first, last):
        if forest.numbers[index, STAGE] == AWAITS:
            total = 0.0
            seat = 0
            for _ in range(playouts.from_each):
                copy_row(forest.leaf[index], ground.row)
                state = load_state(rules, ground.row)
                seat = seat_to_move(rules, state)
                total += rollout(rules, state, ground.moves, forest.rng[index], ground.played, playouts.sensible)
            expected = 2.0 * total / playouts.from_each - 1.0
            outlook.values[index] = expected if seat == 0 else -expected
