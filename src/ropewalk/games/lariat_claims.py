"""Claims of Lariat and Cube Lariat about full boards: random colourings, or all of them on tiny boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..jit.prng import Rng, make_rng, next_u32, rand_below
from ..rules import lariat_common
from ..rules.boundary import full_board_winner
from ..rules.generic import Moves, copy_row
from ..rules.interface import apply_move, legal_moves, load_state
from ..rules.lariat_common import BLACK
from ..rules.placement import EMPTY, PlacementState, random_fill
from .claims import RuleClaim

if TYPE_CHECKING:
    from .lariat_common import LariatFamilyGame

MAX_EXHAUSTIVE_CELLS = 19  # half a million colourings
WinCounts = NDArray[np.int64]


@kernel
def colour_board(rules: Any, state: PlacementState, colour_bits: int, rng: Rng) -> None:
    """Place a stone on every cell: colours by the bits of `colour_bits`, or random if that is -1."""
    for cell in range(rules.num_cells):
        bit = next_u32(rng) & 1 if colour_bits < 0 else colour_bits >> cell & 1
        lariat_common.place_stone(rules, state, cell, BLACK + bit)


@kernel
def count_boards_without_one_winner(
    rules: Any, start: Any, row: Any, rng: Rng, num_boards: int, exhaustive: bool, win_counts: WinCounts
) -> Any:
    """Return the number of full boards without exactly one winning group, the boundary winner's, and the first of them."""
    violations, first_violation = 0, -1
    for board in range(num_boards):
        copy_row(start, row)
        state = load_state(rules, row)
        colour_board(rules, state, board if exhaustive else -1, rng)
        lariat_common.count_winning_groups(rules, state, win_counts)
        winner = full_board_winner(rules.boundary, state.stones)
        if win_counts[1] + win_counts[2] != 1 or win_counts[winner] != 1:
            violations += 1
            first_violation = board if first_violation < 0 else first_violation
    return violations, first_violation


@kernel
def count_overturned_games(rules: Any, start: Any, row: Any, moves: Moves, rng: Rng, num_games: int) -> Any:
    """Return the number of random games whose winner does not win the filled board, and the first of them (-1: none)."""
    violations, first_violation = 0, -1
    for game in range(num_games):
        copy_row(start, row)
        state = load_state(rules, row)
        while state.winner == EMPTY:
            count = legal_moves(rules, state, moves)
            state = apply_move(rules, state, moves[rand_below(rng, count)])
        random_fill(rules, state, moves, rng)
        if full_board_winner(rules.boundary, state.stones) != state.winner:
            violations += 1
            first_violation = game if first_violation < 0 else first_violation
    return violations, first_violation


@kernel
def count_decisive_corners(rules: Any, start: Any, row: Any, corners: Any, rng: Rng, num_boards: int) -> Any:
    """Return the number of corner cells that decide the winner of random full boards, and the first board (-1: none)."""
    violations, first_violation = 0, -1
    for board in range(num_boards):
        copy_row(start, row)
        state = load_state(rules, row)
        colour_board(rules, state, -1, rng)
        winner = full_board_winner(rules.boundary, state.stones)
        for corner in corners:
            state.stones[corner] = 3 - state.stones[corner]
            if full_board_winner(rules.boundary, state.stones) != winner:
                violations += 1
                first_violation = board if first_violation < 0 else first_violation
            state.stones[corner] = 3 - state.stones[corner]
    return violations, first_violation


def lariat_claims(game: LariatFamilyGame) -> list[RuleClaim]:
    """Return the claims about full boards: exactly one winning group, the one that wins first."""
    exhaustive = len(game.board) <= MAX_EXHAUSTIVE_CELLS
    row = game.start_row()

    def check_one_winner(games: int, seed: int) -> tuple[int, int, str]:
        num_boards = 2 ** len(game.board) if exhaustive else games
        violations = count_boards_without_one_winner(
            game.rules, row, row.copy(), make_rng(seed, 1), num_boards, exhaustive, np.zeros(3, np.int64)
        )
        return claim_result(num_boards, violations, seed)

    def check_first_winner_stays(games: int, seed: int) -> tuple[int, int, str]:
        moves = np.empty(game.max_legal_moves, np.int16)
        return claim_result(
            games, count_overturned_games(game.rules, row, row.copy(), moves, make_rng(seed, 2), games), seed
        )

    coverage = "every colouring" if exhaustive else "each cell by the toss of a coin"
    return [
        RuleClaim(f"a full board has exactly one winning group ({coverage})", check_one_winner),
        RuleClaim("who wins first also wins every full board reached from there", check_first_winner_stays),
    ]


def cube_lariat_claims(game: LariatFamilyGame) -> list[RuleClaim]:
    """Return the claims about full boards, and where corners may be claimed that they decide nothing."""
    return [*lariat_claims(game), *([make_corner_claim(game)] if game.options["corners"] else [])]


def make_corner_claim(game: LariatFamilyGame) -> RuleClaim:
    """Return the claim that the corner cells of the cube decide nothing."""
    row = game.start_row()
    corners = np.array(game.board.marked_cells["corners"], np.int16)

    def check_corners(games: int, seed: int) -> tuple[int, int, str]:
        violations = count_decisive_corners(game.rules, row, row.copy(), corners, make_rng(seed, 3), games)
        return claim_result(games * len(corners), violations, seed)

    return RuleClaim("claiming a corner cell never changes who wins", check_corners)


def claim_result(cases: int, violations_and_first: tuple[int, int], seed: int) -> tuple[int, int, str]:
    """Return cases, violations, and the case number and seed of the first violation."""
    violations, first_violation = violations_and_first
    return cases, violations, f"case {first_violation} of seed {seed}" if violations else ""
