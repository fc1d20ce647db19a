"""Training samples: buffers of games in progress, and replaying a finished game into arrays of positions to learn from.

[T]: an entry per tree, that is, per game; [M]: max legal moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...jit.kernel import kernel, to_int64
from ...rules.generic import Row, copy_row
from ...rules.interface import DRAW, apply_move, encode_planes, legal_moves, load_state, seat_to_move
from ...search.gumbel_tree import I16, I32


class GameBuffers(NamedTuple):
    """The games in progress, one per tree."""

    moves: I16  # [T, max moves]
    policy_targets: NDArray[np.uint16]  # [T, max moves, M]: improved policy by legal move, in units of 1 / POLICY_SCALE
    search_values: I16  # [T, max moves]: mixed value of the root for the seat to move, in units of 1 / VALUE_SCALE
    num_moves: I32  # [T]: moves so far; -n before the first game: it starts with n random moves, so that games end apart
    num_opening_moves: I32  # [T]: random moves before the first search
    outcome: NDArray[np.int8]  # [T]: of a finished game


def allocate_game_buffers(game: Game, num_trees: int, max_moves: int) -> GameBuffers:
    """Allocate buffers for games of at most `max_moves` moves; a longer game counts as a draw."""
    return GameBuffers(
        moves=np.zeros((num_trees, max_moves), np.int16),
        policy_targets=np.zeros((num_trees, max_moves, game.max_legal_moves), np.uint16),
        search_values=np.zeros((num_trees, max_moves), np.int16),
        num_moves=-(np.arange(num_trees) * min(max_moves // 2, len(game.board) // 2) // num_trees).astype(np.int32),
        num_opening_moves=np.zeros(num_trees, np.int32),
        outcome=np.zeros(num_trees, np.int8),
    )


class SampleBatch(NamedTuple):
    """Positions of finished games."""

    planes: NDArray[np.int8]  # [positions, cells, planes]
    moves: NDArray[np.int16]  # [positions, M]: legal moves, then -1
    policy_targets: NDArray[np.uint16]  # [positions, M]: as in `GameBuffers`
    search_values: NDArray[np.int16]  # [positions]: as in `GameBuffers`
    outcomes: NDArray[np.int8]  # [positions]: 0 won, 1 drawn, 2 lost for the seat to move
    ownership: NDArray[np.int8]  # [positions, cells]: owner at the end, 1 for the seat to move, -1 for the other, 0 for none


def allocate_samples(game: Game, num_positions: int) -> SampleBatch:
    """Allocate arrays for `num_positions` positions, not initialised."""
    num_cells, max_moves = len(game.board), game.max_legal_moves
    return SampleBatch(
        planes=np.empty((num_positions, num_cells, game.encoding.num_planes), np.int8),
        moves=np.empty((num_positions, max_moves), np.int16),
        policy_targets=np.empty((num_positions, max_moves), np.uint16),
        search_values=np.empty(num_positions, np.int16),
        outcomes=np.empty(num_positions, np.int8),
        ownership=np.empty((num_positions, num_cells), np.int8),
    )


@kernel
def replay_into_samples(
    rules: Any,
    games: GameBuffers,
    samples: SampleBatch,
    start_row: Row,
    row: Row,
    final_planes: NDArray[np.int8],
    game_index: int,
    first_slot: int,
) -> None:
    """Replay a finished game and write the positions that were searched into `samples`, from `first_slot` on.

    `row` and `final_planes` are scratch.
    """
    copy_row(start_row, row)
    state = load_state(rules, row)
    num_opening_moves, num_moves = games.num_opening_moves[game_index], games.num_moves[game_index]
    for index in range(num_moves):
        if index >= num_opening_moves:
            write_sample(rules, state, games, samples, game_index, index, first_slot + index - num_opening_moves)
        state = apply_move(rules, state, to_int64(games.moves[game_index, index]))
    encode_planes(rules, state, final_planes)
    last_seat = seat_to_move(rules, state)
    for index in range(first_slot, first_slot + num_moves - num_opening_moves):
        seat = samples.outcomes[index]
        samples.outcomes[index] = outcome_for_seat(seat, games.outcome[game_index])
        for cell in range(len(final_planes)):
            owner = final_planes[cell, 1] - final_planes[cell, 2]
            samples.ownership[index, cell] = owner if seat == last_seat else -owner


@kernel
def write_sample(
    rules: Any, state: Any, games: GameBuffers, samples: SampleBatch, game_index: int, move_index: int, slot: int
) -> None:
    """Write one position; `outcomes` holds its seat to move until the outcome is known."""
    encode_planes(rules, state, samples.planes[slot])
    moves = samples.moves[slot]
    count = legal_moves(rules, state, moves)
    for extra in range(count, len(moves)):
        moves[extra] = -1
    for move in range(len(moves)):
        samples.policy_targets[slot, move] = games.policy_targets[game_index, move_index, move] if move < count else 0
    samples.search_values[slot] = games.search_values[game_index, move_index]
    samples.outcomes[slot] = seat_to_move(rules, state)


@kernel
def outcome_for_seat(seat: int, outcome_code: int) -> int:
    """Return 0 if `seat` has won, 1 for a draw, 2 if it has lost."""
    if outcome_code == DRAW:
        return 1
    return 0 if outcome_code == seat else 2
