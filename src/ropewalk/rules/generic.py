"""Generic kernels over all games: one step, many steps at once, random games, counts by depth."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.intrinsics import prefetch_row
from ..jit.kernel import kernel
from ..jit.prng import Rng, rand_below
from .interface import (
    HISTORY_FULL,
    ILLEGAL_MOVE,
    ONGOING,
    apply_move,
    evaluate,
    has_history_capacity,
    is_legal,
    legal_moves,
    load_state,
    outcome,
    outcome_value,
    playout,
    position_codes,
    random_move,
    seat_to_move,
    store_state,
    win_probability,
)

Moves: TypeAlias = NDArray[Any]  # int16 or int64
Row: TypeAlias = NDArray[Any]  # int8, int16 or int64 [words], as the game chooses
Rows: TypeAlias = NDArray[Any]  # [positions, words]
I64: TypeAlias = NDArray[np.int64]

MAX_REJECTIONS = 32  # random ids to look at before listing the legal moves


class PositionBatch(NamedTuple):
    """Many positions of one game."""

    rows: Rows
    outcomes: I64
    seats: I64


@kernel
def copy_row(source: Row, target: Row) -> None:
    """Copy a position's row onto another of the same length."""
    for index in range(len(source)):
        target[index] = source[index]


@kernel
def list_empty_cells(stones: Any, num_cells: int, moves: Moves) -> int:
    """List the cells where nothing (0) stands and return how many; without branches, which cost more here."""
    count = 0
    for cell in range(num_cells):
        moves[count] = cell
        count += 1 if stones[cell] == 0 else 0
    return count


@kernel
def inspect_row(rules: Any, row: Row, moves: Moves) -> tuple[int, int, int]:
    """Count and list the legal moves; also the outcome and the seat to move."""
    state = load_state(rules, row)
    result = outcome(rules, state)
    count = 0 if result != ONGOING else legal_moves(rules, state, moves)
    return count, result, seat_to_move(rules, state)


@kernel
def write_position_codes(rules: Any, row: Row, codes: I64) -> None:
    """Write what a position consists of, in numbers."""
    position_codes(rules, load_state(rules, row), codes)


@kernel
def step(rules: Any, row: Row, move: int, moves: Moves) -> tuple[int, int, int]:
    """Play a move if it is legal, then look; else NOT_LEGAL or NO_ROOM, and nothing changes."""
    state = load_state(rules, row)
    if outcome(rules, state) != ONGOING or not is_legal(rules, state, move):
        return ILLEGAL_MOVE, ONGOING, 0
    if not has_history_capacity(rules, state):
        return HISTORY_FULL, ONGOING, 0
    store_state(rules, apply_move(rules, state, move), row)
    return inspect_row(rules, row, moves)


@kernel
def find_first_illegal(rules: Any, batch: PositionBatch, moves: Moves) -> int:
    """The index of the first position that is not over and whose chosen move is not legal, or -1."""
    for index in range(len(moves)):
        if batch.outcomes[index] == ONGOING and not is_legal(rules, load_state(rules, batch.rows[index]), moves[index]):
            return index
    return -1


@kernel
def step_batch(rules: Any, batch: PositionBatch, moves: Moves) -> bool:
    """Play a legal move in every position that is not over; whether some row is full now."""
    any_full = False
    for index in range(len(moves)):
        prefetch_row(batch.rows, index)
        if batch.outcomes[index] == ONGOING:
            row = batch.rows[index]
            state = apply_move(rules, load_state(rules, row), moves[index])
            store_state(rules, state, row)
            any_full |= not has_history_capacity(rules, state)
            batch.outcomes[index] = outcome(rules, state)
            batch.seats[index] = seat_to_move(rules, state)
    return any_full


@kernel
def reset_finished(batch: PositionBatch, start_row: Row, start_seat: int) -> int:
    """Put the start position in the place of every finished one; how many there were."""
    count = 0
    for index in range(len(batch.outcomes)):
        if batch.outcomes[index] != ONGOING:
            copy_row(start_row, batch.rows[index])
            batch.outcomes[index], batch.seats[index] = ONGOING, start_seat
            count += 1
    return count


@kernel
def legal_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, counts: I64) -> None:
    """List and count the legal moves of every position, none where the game is over; a line of `moves` each."""
    for index in range(len(counts)):
        ongoing = batch.outcomes[index] == ONGOING
        counts[index] = legal_moves(rules, load_state(rules, batch.rows[index]), moves[index]) if ongoing else 0


@kernel
def random_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, scratch: Moves, rng: Rng) -> None:
    """A random legal move for every position, 0 where the game is over."""
    for index in range(len(moves)):
        prefetch_row(batch.rows, index)
        moves[index] = 0
        if batch.outcomes[index] == ONGOING:
            moves[index] = random_move(rules, load_state(rules, batch.rows[index]), scratch, rng)


@kernel
def random_move_by_rejection(rules: Any, state: Any, num_ids: int, moves: Moves, rng: Rng) -> int:
    """A random legal move by trying ids: the quickest way while many of them are legal."""
    for _ in range(MAX_REJECTIONS):
        move = rand_below(rng, num_ids)
        if is_legal(rules, state, move):
            return move
    return random_listed_move(rules, state, moves, rng)


@kernel
def random_listed_move(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """A random legal move from the list of them all."""
    return moves[rand_below(rng, legal_moves(rules, state, moves))]


@kernel
def uniform_playout(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """Play uniformly at random to the end: the playout of a game that has no faster one."""
    while outcome(rules, state) == ONGOING:
        state = apply_move(rules, state, random_move(rules, state, moves, rng))
    return outcome(rules, state)


@kernel
def uniform_rollout(rules: Any, state: Any, moves: Moves, rng: Rng, amaf_moves: Any, heavy: int) -> float:
    """A random game that notes who made which move; a sensible one is evaluated after so many steps."""
    steps = 0
    while outcome(rules, state) == ONGOING:
        if steps == heavy and heavy > 0:
            return win_probability(evaluate(rules, state))
        move = random_move(rules, state, moves, rng)
        amaf_moves[seat_to_move(rules, state), move] = 1
        state = apply_move(rules, state, move)
        steps += 1
    return outcome_value(outcome(rules, state))


@kernel
def run_playouts(
    rules: Any, start_row: Row, scratch_row: Row, moves: Moves, rng: Rng, num_games: int, outcome_counts: I64
) -> None:
    """Play many random games from one position; add up how many seat 0 won, seat 1 won, were drawn."""
    for _ in range(num_games):
        copy_row(start_row, scratch_row)
        outcome_counts[playout(rules, load_state(rules, scratch_row), moves, rng)] += 1


@kernel
def count_sequences(rules: Any, rows: Rows, moves: Any, counts: I64, next_move: I64) -> int:
    """How many sequences of as many steps as there are rows lead on from rows[0]; finished positions stop.

    All arrays have a line a step and are scratch, but for rows[0].
    """
    depth = len(rows)
    total = 0
    next_move[0] = 0
    ply = 0
    counts[0] = inspect_row(rules, rows[0], moves[0])[0]
    while ply >= 0:
        if ply == depth - 1:
            total += counts[ply]
            ply -= 1
        elif next_move[ply] == counts[ply]:
            ply -= 1
        else:
            row = rows[ply + 1]
            copy_row(rows[ply], row)
            store_state(rules, apply_move(rules, load_state(rules, row), moves[ply, next_move[ply]]), row)
            next_move[ply] += 1
            ply += 1
            next_move[ply] = 0
            counts[ply] = inspect_row(rules, row, moves[ply])[0]
    return total
