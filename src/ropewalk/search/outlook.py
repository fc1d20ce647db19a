"""What playouts say of the leaves that wait for a net: a second opinion, where a net's own is poor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel
from ..rules.generic import Row, copy_row
from ..rules.interface import load_state, rollout, seat_to_move
from .forest import PHASE, WAITING_FOR_EVAL, GumbelTreeBatch


class LeafRolloutParams(NamedTuple):
    """How leaves are played out."""

    rollouts_per_leaf: int  # leaf; 0: none
    heavy_rollout: int  # as a `uct.Tuning` has it
    rollout_weight: float  # how much they count beside the net, 0 to 1


class RolloutValues(NamedTuple):
    """An entry a tree."""

    values: NDArray[np.float32]  # what playouts say the seat to move at the leaf can expect, -1 to 1


class RolloutScratch(NamedTuple):
    """What a thread plays out on."""

    row: Row
    moves: NDArray[np.int16]  # [most moves]
    amaf_moves: NDArray[np.float32]  # [2, moves of the game]


def allocate_rollout_scratch(game: Game) -> RolloutScratch:
    """What one thread needs."""
    return RolloutScratch(
        game.start_row(), np.zeros(game.max_legal_moves, np.int16), np.zeros((2, game.move_count), np.float32)
    )


@kernel
def rollout_leaves(
    rules: Any,
    trees: GumbelTreeBatch,
    rollout_values: RolloutValues,
    scratch: RolloutScratch,
    params: LeafRolloutParams,
    first: int,
    last: int,
) -> None:
    """Play out the leaves of the trees first to last - 1 that wait for the net."""
    for index in range(first, last):
        if trees.counters[index, PHASE] == WAITING_FOR_EVAL:
            total = 0.0
            seat = 0
            for _ in range(params.rollouts_per_leaf):
                copy_row(trees.leaf_row[index], scratch.row)
                state = load_state(rules, scratch.row)
                seat = seat_to_move(rules, state)
                total += rollout(rules, state, scratch.moves, trees.rng[index], scratch.amaf_moves, params.heavy_rollout)
            seat0_value = 2.0 * total / params.rollouts_per_leaf - 1.0
            rollout_values.values[index] = seat0_value if seat == 0 else -seat0_value
