"""Kernels that step, list and encode many positions of one game; each call works on a range of them.

Ranges do not overlap, so that several threads can work on one batch at the same time. Every position has a random stream
of its own: what a call computes does not depend on how the batch is divided.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.intrinsics import prefetch_row
from ..jit.kernel import kernel
from .generic import I64, Moves, Row, Rows, copy_row
from .interface import (
    DRAW,
    ONGOING,
    apply_move,
    encode_planes,
    has_history_capacity,
    is_legal,
    legal_moves,
    load_state,
    outcome,
    random_move,
    seat_to_move,
    sorted_legal_moves,
    store_state,
)

Mask: TypeAlias = NDArray[np.bool_]


class PositionBatch(NamedTuple):
    """Positions of one game, the results of their last step, and the position that finished ones are replaced by."""

    rows: Rows  # [positions, words]
    outcomes: I64  # [positions]
    seats: I64  # [positions]
    rewards: NDArray[np.float32]  # [positions, 2]: of both seats in the last step, 1, -1 or 0
    finished: Mask  # [positions]: whether the last step ended the game
    rngs: I64  # [positions, 2]: generators of `jit.prng`
    start_row: Row
    start_seat: int


@kernel
def play_in_batch(rules: Any, batch: PositionBatch, index: int, state: Any, move: int, restart: bool) -> bool:
    """Apply a legal move to the ongoing position `index`, whose state is given; return whether its history is full now."""
    state = apply_move(rules, state, move)
    result = outcome(rules, state)
    if result == ONGOING:
        store_state(rules, state, batch.rows[index])
        batch.seats[index] = seat_to_move(rules, state)
        return not has_history_capacity(rules, state)
    batch.finished[index] = True
    if result != DRAW:
        batch.rewards[index, result] = 1
        batch.rewards[index, 1 - result] = -1
    if restart:
        reset_position(batch, index)
        return False
    store_state(rules, state, batch.rows[index])
    batch.outcomes[index], batch.seats[index] = result, seat_to_move(rules, state)
    return False


@kernel
def reset_position(batch: PositionBatch, index: int) -> None:
    """Replace position `index` by the start position."""
    copy_row(batch.start_row, batch.rows[index])
    batch.outcomes[index], batch.seats[index] = ONGOING, batch.start_seat


@kernel
def clear_step_results(batch: PositionBatch, index: int) -> None:
    """Clear the rewards and the flag of the last step of position `index`."""
    batch.rewards[index, 0] = batch.rewards[index, 1] = 0
    batch.finished[index] = False


@kernel
def step_batch(rules: Any, batch: PositionBatch, moves: Moves, begin: int, end: int, restart: bool) -> bool:
    """Apply the legal moves[index] to every ongoing position from `begin` to `end`; return whether any history is full.

    With `restart`, a position whose game ends is replaced by the start position.
    """
    any_full = False
    for index in range(begin, end):
        prefetch_row(batch.rows, index)
        clear_step_results(batch, index)
        if batch.outcomes[index] == ONGOING:
            state = load_state(rules, batch.rows[index])
            any_full |= play_in_batch(rules, batch, index, state, moves[index], restart)
    return any_full


@kernel
def random_step_batch(
    rules: Any, batch: PositionBatch, moves: Moves, scratch: Moves, begin: int, end: int, restart: bool
) -> bool:
    """Choose as `random_moves_batch` and play as `step_batch`, in one pass; moves[index] is the move made, 0 for none."""
    any_full = False
    for index in range(begin, end):
        prefetch_row(batch.rows, index)
        clear_step_results(batch, index)
        moves[index] = 0
        if batch.outcomes[index] == ONGOING:
            state = load_state(rules, batch.rows[index])
            move = random_move(rules, state, scratch, batch.rngs[index])
            moves[index] = move
            any_full |= play_in_batch(rules, batch, index, state, move, restart)
    return any_full


@kernel
def random_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, scratch: Moves, begin: int, end: int) -> None:
    """Write a uniformly random legal move for each position to moves[index], 0 after the end of its game."""
    for index in range(begin, end):
        prefetch_row(batch.rows, index)
        moves[index] = 0
        if batch.outcomes[index] == ONGOING:
            moves[index] = random_move(rules, load_state(rules, batch.rows[index]), scratch, batch.rngs[index])


@kernel
def find_first_illegal(rules: Any, batch: PositionBatch, moves: Moves, begin: int, end: int) -> int:
    """Return the first index from `begin` of an ongoing position in which moves[index] is not legal; `end` if all are."""
    for index in range(begin, end):
        if batch.outcomes[index] == ONGOING and not is_legal(rules, load_state(rules, batch.rows[index]), moves[index]):
            return index
    return end


@kernel
def reset_finished(batch: PositionBatch, begin: int, end: int) -> int:
    """Replace every finished position by the start position; return their number."""
    count = 0
    for index in range(begin, end):
        if batch.outcomes[index] != ONGOING:
            reset_position(batch, index)
            count += 1
    return count


@kernel
def legal_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, counts: I64, begin: int, end: int) -> None:
    """Write the legal moves of each position to moves[index], ascending, and their number to counts[index], 0 for none."""
    for index in range(begin, end):
        counts[index] = 0
        if batch.outcomes[index] == ONGOING:
            counts[index] = sorted_legal_moves(rules, load_state(rules, batch.rows[index]), moves[index])


@kernel
def write_masks_batch(rules: Any, batch: PositionBatch, masks: Mask, scratch: Moves, begin: int, end: int) -> None:
    """Write masks[index, move], whether the move is legal; all are False after the end of the game."""
    for index in range(begin, end):
        prefetch_row(batch.rows, index)
        mask = masks[index]
        for move in range(len(mask)):
            mask[move] = False
        if batch.outcomes[index] == ONGOING:
            for slot in range(legal_moves(rules, load_state(rules, batch.rows[index]), scratch)):
                mask[scratch[slot]] = True


@kernel
def write_planes_batch(rules: Any, batch: PositionBatch, planes: NDArray[np.int8], begin: int, end: int) -> None:
    """Write the planes of each position to planes[index], int8 [num_cells, num_planes]."""
    for index in range(begin, end):
        prefetch_row(batch.rows, index)
        encode_planes(rules, load_state(rules, batch.rows[index]), planes[index])
