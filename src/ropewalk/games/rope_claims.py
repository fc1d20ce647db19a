"""The claims of Lariat and Cube Lariat on full boards: random ones, or all of them where the board is tiny."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..chance import Rng, make_rng, next_u32, rand_below
from ..kernels import kernel
from ..rules import ropes
from ..rules.borders import full_board_winner
from ..rules.questions import apply_move, legal_moves, load_state
from ..rules.ropes import BLACK, EMPTY, LariatState
from ..rules.stepping import Moves, copy_row
from .claims import Claim

if TYPE_CHECKING:
    from .claiming import ClaimingGame

MOST_CELLS_FOR_ALL = 19  # half a million colourings

Counts = NDArray[np.int64]


@kernel
def paint(rules: Any, state: LariatState, colours: int, rng: Rng) -> None:
    """Colour a board completely: by the bits of `colours`, or each cell by the toss of a coin if that is -1."""
    for cell in range(rules.num_cells):
        bit = next_u32(rng) & 1 if colours < 0 else colours >> cell & 1
        ropes.place_stone(rules, state, cell, BLACK + bit)


@kernel
def count_boards_without_one_winner(
    rules: Any, start: Any, row: Any, rng: Rng, boards: int, all_of_them: bool, wins: Counts
) -> Any:
    """How many full boards do not have exactly one winning group, or are judged otherwise, and the first of them."""
    violations, first = 0, -1
    for board in range(boards):
        copy_row(start, row)
        state = load_state(rules, row)
        paint(rules, state, board if all_of_them else -1, rng)
        ropes.count_winning_groups(rules, state, wins)
        winner = full_board_winner(rules.boundary, state.stones)
        if wins[1] + wins[2] != 1 or wins[winner] != 1:
            violations += 1
            first = board if first < 0 else first
    return violations, first


@kernel
def count_overturned_games(rules: Any, start: Any, row: Any, moves: Moves, rng: Rng, games: int) -> Any:
    """How many random games are won by one colour although a full board reached from there is the other's."""
    violations, first = 0, -1
    for game in range(games):
        copy_row(start, row)
        state = load_state(rules, row)
        while state.winner == EMPTY:
            count = legal_moves(rules, state, moves)
            state = apply_move(rules, state, moves[rand_below(rng, count)])
        ropes.random_fill(rules, state, moves, rng)
        if full_board_winner(rules.boundary, state.stones) != state.winner:
            violations += 1
            first = game if first < 0 else first
    return violations, first


@kernel
def count_corners_that_matter(rules: Any, start: Any, row: Any, corners: Any, rng: Rng, boards: int) -> Any:
    """How many random full boards change their winner when a corner cell changes its colour."""
    violations, first = 0, -1
    for board in range(boards):
        copy_row(start, row)
        state = load_state(rules, row)
        paint(rules, state, -1, rng)
        winner = full_board_winner(rules.boundary, state.stones)
        for corner in corners:
            state.stones[corner] = 3 - state.stones[corner]
            if full_board_winner(rules.boundary, state.stones) != winner:
                violations += 1
                first = board if first < 0 else first
            state.stones[corner] = 3 - state.stones[corner]
    return violations, first


def claims(game: ClaimingGame) -> list[Claim]:
    """What holds of every full board."""
    everything = len(game.board) <= MOST_CELLS_FOR_ALL
    row = game.start_row()

    def one_winner(games: int, seed: int) -> tuple[int, int, str]:
        boards = 2 ** len(game.board) if everything else games
        found = count_boards_without_one_winner(
            game.rules, row, row.copy(), make_rng(seed, 1), boards, everything, np.zeros(3, np.int64)
        )
        return told(boards, found, seed)

    def first_winner_stays(games: int, seed: int) -> tuple[int, int, str]:
        moves = np.empty(game.most_moves, np.int16)
        return told(games, count_overturned_games(game.rules, row, row.copy(), moves, make_rng(seed, 2), games), seed)

    how = "every colouring" if everything else "each cell by the toss of a coin"
    return [
        Claim(f"a full board has exactly one winning group ({how})", one_winner),
        Claim("who wins first also wins every full board reached from there", first_winner_stays),
    ]


def corner_claim(game: ClaimingGame) -> Claim:
    """The corners of the cube decide nothing."""
    row = game.start_row()
    corners = np.array(game.board.marked_cells["corners"], np.int16)

    def corners_decide_nothing(games: int, seed: int) -> tuple[int, int, str]:
        found = count_corners_that_matter(game.rules, row, row.copy(), corners, make_rng(seed, 3), games)
        return told(games * len(corners), found, seed)

    return Claim("claiming a corner cell never changes who wins", corners_decide_nothing)


def told(cases: int, found: tuple[int, int], seed: int) -> tuple[int, int, str]:
    """Cases, violations, and where to find the first."""
    violations, first = found
    return cases, violations, f"case {first} of seed {seed}" if violations else ""
