"""The carrier solver against naive minimax, and its values of first moves."""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.games.carrier_rules import carrier_rules_of, stone_masks
from ropewalk.games.notation import group_layout_lines, render_lines
from ropewalk.proofs.carrier.bitboard import dead_cells, is_involution
from ropewalk.proofs.carrier.solver import CarrierSolver, colour_to_move, solve_carrier
from ropewalk.proofs.solver import Solution, SolverLimits
from tests.support.reference_comparison import ReferenceGame, list_extras

SMALL_LIMITS = SolverLimits(memory_bytes=1 << 22)


def make_solver(spec: str) -> CarrierSolver:
    return CarrierSolver(ropewalk.game(spec), SMALL_LIMITS, None)


def naive_winner(rules: Any, state: Any, winners: dict[Any, int]) -> int:
    """Return the seat that wins, by exhaustive search; writes into `winners`."""
    if state not in winners:
        outcome = rules.outcome(state)
        if outcome:
            winners[state] = outcome[0]
        else:
            seat = rules.seat(state)
            won = any(naive_winner(rules, rules.play(state, move), winners) == seat for move in rules.moves(state))
            winners[state] = seat if won else 1 - seat
    return winners[state]


def random_late_position(spec: str, rng: random.Random, num_empty: int) -> Position:
    """Return an ongoing position of a random game with at most `num_empty` legal moves."""
    game = ropewalk.game(spec)
    position = game.start()
    while len(position.moves()) > num_empty:
        children = [position.play(move) for move in rng.sample(position.moves(), min(6, len(position.moves())))]
        position = next((child for child in children if child.outcome is None), game.start())
    return position


@pytest.mark.parametrize(
    "spec", ["lariat-1x2", "lariat-1x3", "lariat-1x4", "lariat-2x1", "cube-lariat-2-nopie", "cube-lariat-2-nocorners-nopie"]
)
def test_late_positions_have_the_value_of_naive_minimax(spec: str) -> None:
    solver = make_solver(spec)
    side, rng = ReferenceGame(ropewalk.game(spec)), random.Random(spec)
    seen = set()
    for num_empty in [5, 6, 7, 8] * 8:
        position = random_late_position(spec, rng, num_empty)
        winner = naive_winner(side.rules, side.rules.state_of(position.contents, list_extras(position)), {})
        solved_winner = solver.solve(*stone_masks(position, solver.rules), colour_to_move(position))
        assert solved_winner == winner, position
        seen.add(solved_winner == position.seat)
    assert seen == {True, False}  # wins and losses of the mover were among them


def test_every_position_of_the_smallest_board_has_the_value_of_naive_minimax() -> None:
    """Up to symmetry. Minimax plays on to the full board, whose only winner is the game's winner."""
    solver = make_solver("lariat-1x1")
    side = ReferenceGame(ropewalk.game("lariat-1x1"))
    names = side.game.board.names
    images = [symmetry.cells.tolist() for symmetry in side.game.symmetries]

    @cache
    def black_wins(black: int, white: int) -> bool:
        empty = [cell for cell in range(len(names)) if not (black | white) >> cell & 1]
        if not empty:
            black_names = frozenset(name for cell, name in enumerate(names) if black >> cell & 1)
            white_names = frozenset(names) - black_names
            contents = dict.fromkeys(black_names, "b") | dict.fromkeys(white_names, "w")
            state = side.rules.state_of(contents, {"to_move": "black"})
            outcome = side.rules.outcome(state)
            assert outcome is not None
            return outcome[0] == 0
        if black.bit_count() == white.bit_count():
            return any(black_wins(black | 1 << cell, white) for cell in empty)
        return all(black_wins(black, white | 1 << cell) for cell in empty)

    def image(cells: list[int], mask: int) -> int:
        return sum(1 << cells[cell] for cell in range(len(cells)) if mask >> cell & 1)

    black_wins(0, 0)
    num_compared = 0
    for black in range(1 << 13):
        if black != min(image(cells, black) for cells in images):
            continue
        rest = (1 << 13) - 1 & ~black
        white = rest
        while True:
            if white.bit_count() in (black.bit_count(), black.bit_count() - 1) and black | white != (1 << 13) - 1:
                mover = int(white.bit_count() < black.bit_count())
                assert (solver.solve(black, white, mover) == 0) == black_wins(black, white), (black, white)
                num_compared += 1
            if white == 0:
                break
            white = (white - 1) & rest
    assert num_compared > 20_000


@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x2", "lariat-1x3", "lariat-1x4"])
def test_on_short_cylinders_black_wins_by_the_centre_alone(spec: str) -> None:
    solution = solve_carrier(ropewalk.game(spec).start(), None, SolverLimits(memory_bytes=1 << 26))
    assert solution.value == 0
    assert {move for move, value in solution.moves.items() if value == 0} == {"a1"}
    assert None not in solution.moves.values()


@pytest.mark.parametrize("spec", ["lariat-2x6", "lariat-1x6", "lariat-6x24"])
def test_black_who_has_the_centre_never_loses_by_answering_opposite(spec: str) -> None:
    """The reflection strategy: the image of a winning group of white would be a winning group of black."""
    game = ropewalk.game(spec)
    rng = random.Random(spec)
    half_turn = next(
        symmetry
        for symmetry in game.symmetries
        if is_involution(symmetry.cells.tolist()) and sum(symmetry.cells == range(len(game.board))) == 1
    )
    for _ in range(5 if len(game.board) > 500 else 40):
        position = game.start().play("a1")
        while position.outcome is None:
            move = rng.choice(position.moves())
            position = position.play(move)
            if position.outcome is None:
                position = position.play_id(int(half_turn.moves[game.move_id(move)]))
        assert position.outcome.winner == 0


def test_with_the_pie_rule_seat_1_wins_after_every_first_stone() -> None:
    solution = solve_carrier(ropewalk.game("lariat-1x2-pie").start(), None, SMALL_LIMITS)
    assert solution.value == 1
    assert set(solution.moves.values()) == {1}


def test_a_swap_is_worth_what_its_colour_is_worth() -> None:
    solution = solve_carrier(ropewalk.game("lariat-1x2-pie").start().play("a1"), None, SMALL_LIMITS)
    assert solution.value == 1
    assert [move for move, value in solution.moves.items() if value == 1] == ["swap"]
    after = solve_carrier(ropewalk.game("lariat-1x2-pie").start().play("b1"), None, SMALL_LIMITS)
    assert after.moves["swap"] == 0
    assert after.moves["a1"] == 1


def draw_first_moves(solution: Solution) -> str:
    """Return the board with the winner's colour letter on each cell that may be claimed, `?` if not known."""
    game = ropewalk.game(solution.spec)
    position = game.position(solution.position)
    symbols = game.text.symbols(position.row)
    for move, value in solution.moves.items():
        cell = game.board.cell(move)
        if cell >= 0:
            symbols[cell] = "?" if value is None else position.colours[value][0]
    return "\n".join(render_lines(group_layout_lines(game.board), symbols, game.text.line_labels(), game.text.column_width))


def test_only_the_centre_wins_on_the_drawn_board_of_first_moves() -> None:
    solution = solve_carrier(ropewalk.game("lariat-1x1").start(), None, SMALL_LIMITS)
    assert draw_first_moves(solution).splitlines() == ["a |      b", "b | w w w w w w", "c |  w w w w w w"]


def test_a_finished_game_is_worth_its_outcome() -> None:
    position = ropewalk.game("lariat-1x1").start()
    for move in ["a1", "c6", "b1", "c5", "c1"]:
        position = position.play(move)
    assert solve_carrier(position, None, SMALL_LIMITS).value == 0


@pytest.mark.parametrize(
    ("spec", "message"), [("lariat-2x10", "at most 64 cells"), ("tether-5", "Tether has no carrier proofs")]
)
def test_boards_that_are_too_large_and_other_games_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ropewalk.PositionError, match=message):
        solve_carrier(ropewalk.game(spec).start(), None, SMALL_LIMITS)


def test_a_solver_that_is_stopped_says_what_it_does_not_know() -> None:
    limits = SolverLimits(memory_bytes=1 << 22)
    limits.stop.set()
    solution = solve_carrier(ropewalk.game("lariat-1x6").start(), None, limits)
    assert solution.moves["a1"] == 0  # a static win
    assert solution.moves["h1"] is None
    assert solution.value == 0


def test_a_table_that_is_far_too_small_forgets_but_does_not_err() -> None:
    solution = solve_carrier(ropewalk.game("lariat-1x3").start(), None, SolverLimits(memory_bytes=1))
    assert [move for move, value in solution.moves.items() if value == 0] == ["a1"]
    assert set(solution.moves.values()) == {0, 1}


def test_only_the_corners_of_the_cube_are_dead_from_the_start() -> None:
    cube, cylinder = ropewalk.game("cube-lariat-2"), ropewalk.game("lariat-2x3")
    assert set(dead_cells(carrier_rules_of(cube))) == set(cube.board.marked_cells["corners"])
    assert dead_cells(carrier_rules_of(cylinder)) == []


def test_a_deadline_ends_the_search_in_time() -> None:
    started_at = time.monotonic()
    solution = solve_carrier(ropewalk.game("lariat-1x6").start(), None, SolverLimits(memory_bytes=1 << 22, seconds=0.5))
    assert time.monotonic() - started_at < 10
    assert solution.moves["a1"] == 0
    assert None in solution.moves.values()


@pytest.mark.slow
def test_on_the_smallest_cube_black_wins_with_a_nuclear_cell() -> None:
    game = ropewalk.game("cube-lariat-2-nopie")
    position = game.start().play("UF1")
    solver = CarrierSolver(game, SolverLimits(memory_bytes=1 << 28), None)
    assert solver.solve(*stone_masks(position, solver.rules), colour_to_move(position)) == 0
