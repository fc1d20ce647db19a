"""Kernels for any game, built on `interface`: single steps, uniform playouts and rollouts, perft; `batch` has batch steps.

Kernels that take a row load the state, and store it back if they change it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import implements, kernel
from ..jit.prng import Rng, rand_below
from .interface import (
    HISTORY_FULL,
    ILLEGAL_MOVE,
    ONGOING,
    apply_move,
    encode_planes,
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
    sorted_legal_moves,
    store_state,
    win_probability,
    write_action_mask,
)

Moves: TypeAlias = NDArray[Any]  # int16 or int64 [max_legal_moves]
Row: TypeAlias = NDArray[Any]  # integers [words], of the dtype that the game chooses
Rows: TypeAlias = NDArray[Any]  # [positions, words]
I64: TypeAlias = NDArray[np.int64]

MAX_REJECTIONS = 32  # random ids to try before the legal moves are listed


@kernel
def copy_row(source: Row, target: Row) -> None:
    """Copy `source` to `target`, which has at least its length."""
    for index in range(len(source)):
        target[index] = source[index]


@kernel
def list_empty_cells(stones: Any, num_cells: int, moves: Moves) -> int:
    """Write the cells with stones[cell] == 0 to `moves` and return their number.

    Without branches, which would be mispredicted; so `moves` needs num_cells elements.
    """
    count = 0
    for cell in range(num_cells):
        moves[count] = cell
        count += 1 if stones[cell] == 0 else 0
    return count


@implements(sorted_legal_moves, object)
@kernel
def sort_legal_moves(rules: Any, state: Any, moves: Moves) -> int:
    """Implement `interface.sorted_legal_moves` for games that list moves in any order."""
    count: int = legal_moves(rules, state, moves)
    sort_moves(moves, count)
    return count


@implements(write_action_mask, object)
@kernel
def mask_listed_moves(rules: Any, state: Any, mask: Any, moves: Moves) -> None:
    """Implement `interface.write_action_mask` by the list of the legal moves."""
    clear_mask(mask)
    for index in range(legal_moves(rules, state, moves)):
        mask[moves[index]] = True


@kernel
def clear_mask(mask: Any) -> None:
    """Write False for all moves."""
    for move in range(len(mask)):
        mask[move] = False


@kernel
def sort_moves(moves: Moves, count: int) -> None:
    """Sort moves[:count] in ascending order by insertion: the lists are short."""
    for index in range(1, count):
        move = moves[index]
        slot = index
        while slot > 0 and moves[slot - 1] > move:
            moves[slot] = moves[slot - 1]
            slot -= 1
        moves[slot] = move


@kernel
def inspect_row(rules: Any, row: Row, moves: Moves) -> tuple[int, int, int]:
    """Write the legal moves to `moves`, in ascending order; return their number, the outcome and the seat to move.

    The number is 0 after the end of the game.
    """
    state = load_state(rules, row)
    result = outcome(rules, state)
    count = 0 if result != ONGOING else sorted_legal_moves(rules, state, moves)
    return count, result, seat_to_move(rules, state)


@kernel
def write_row_planes(rules: Any, row: Row, planes: NDArray[np.int8]) -> None:
    """Write the planes of a row, int8 [num_cells, num_planes]; see `interface.encode_planes`."""
    encode_planes(rules, load_state(rules, row), planes)


@kernel
def count_row_moves(rules: Any, row: Row, moves: Moves) -> int:
    """Write the legal moves to `moves` in the order of `legal_moves`; return their number, 0 after the end."""
    state = load_state(rules, row)
    return 0 if outcome(rules, state) != ONGOING else legal_moves(rules, state, moves)


@kernel
def write_position_codes(rules: Any, row: Row, codes: I64) -> None:
    """Write the position codes of a row to codes[:num_cells + 1]."""
    position_codes(rules, load_state(rules, row), codes)


@kernel
def step(rules: Any, row: Row, move: int, moves: Moves) -> tuple[int, int, int]:
    """Apply `move` (any integer) to the row if it is legal; then return the same as `inspect_row`.

    Otherwise the first value is ILLEGAL_MOVE (also after the end of the game) or HISTORY_FULL, and the row is unchanged.
    """
    state = load_state(rules, row)
    if outcome(rules, state) != ONGOING or not is_legal(rules, state, move):
        return ILLEGAL_MOVE, ONGOING, 0
    if not has_history_capacity(rules, state):
        return HISTORY_FULL, ONGOING, 0
    store_state(rules, apply_move(rules, state, move), row)
    return inspect_row(rules, row, moves)


@kernel
def random_move_by_rejection(rules: Any, state: Any, num_ids: int, moves: Moves, rng: Rng) -> int:
    """Return a uniformly random legal move by rejection sampling of ids below `num_ids`: fast if many of them are legal."""
    for _ in range(MAX_REJECTIONS):
        move = rand_below(rng, num_ids)
        if is_legal(rules, state, move):
            return move
    return random_listed_move(rules, state, moves, rng)


@kernel
def random_listed_move(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """Return a uniformly random legal move from the list of all legal moves."""
    return moves[rand_below(rng, legal_moves(rules, state, moves))]


@kernel
def uniform_playout(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """Implement `interface.playout` by `random_move` and `apply_move`, for games without a faster playout."""
    while outcome(rules, state) == ONGOING:
        state = apply_move(rules, state, random_move(rules, state, moves, rng))
    return outcome(rules, state)


@kernel
def uniform_rollout(rules: Any, state: Any, moves: Moves, rng: Rng, amaf_moves: Any, heavy: int) -> float:
    """Implement `interface.rollout` with uniformly random moves; if heavy > 0, evaluate after `heavy` moves."""
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
    """Run `num_games` playouts from one position and count outcomes: outcome_counts[0, 1, DRAW] are incremented."""
    for _ in range(num_games):
        copy_row(start_row, scratch_row)
        outcome_counts[playout(rules, load_state(rules, scratch_row), moves, rng)] += 1


@kernel
def count_sequences(rules: Any, rows: Rows, moves: Any, counts: I64, next_move: I64) -> int:
    """Return the number of legal move sequences of length len(rows) from rows[0] (perft). Finished positions have none.

    The first dimension of all arrays is the ply. All of them are scratch, except rows[0].
    """
    depth = len(rows)
    total = 0
    next_move[0] = 0
    ply = 0
    counts[0] = count_row_moves(rules, rows[0], moves[0])
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
            counts[ply] = count_row_moves(rules, row, moves[ply])
    return total
