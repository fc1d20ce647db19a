"""Virtual wins of Lariat and Cube Lariat: the carrier solver confirms every one, and each kind of bridge is found."""

from __future__ import annotations

from typing import Any

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.games.carrier_rules import stone_masks
from ropewalk.jit.interpreted import interpret
from ropewalk.jit.kernel import compile_for, kernel
from ropewalk.proofs.carrier.solver import CarrierSolver, colour_to_move
from ropewalk.proofs.solver import SolverLimits
from ropewalk.rules.interface import ONGOING, load_state, virtual_winner
from tests.support.random_games import random_positions

BRIDGED_TO_THE_EDGE = """
    a |  b
    b | b . . . . .
    c |  . . . . . .
    to move: white"""
ONE_CELL_FROM_THE_EDGE = """
    a |  b
    b | b . . . . .
    c |  w . . . . .
    to move: white"""
BRIDGED_ROPE = """
    a |      w
    b | . . . . . .
    c |  . . . . . .
    d |   b . . b . .
    e |    . b . . b .
    to move: white"""


@kernel
def find_virtual_winner(rules: Any, row: Any) -> int:
    """Return the virtual winner of the position in a row, which is overwritten."""
    return virtual_winner(rules, load_state(rules, row))


def virtual_winner_of(position: Position) -> int:
    """Return the seat that wins whatever the seat to move does, as far as bridges tell, or ONGOING."""
    game = position.game
    implementation = virtual_winner.dispatch_table.find(type(game.rules))  # type: ignore[attr-defined]
    return int(interpret(implementation)(game.rules, game.state(position.row.copy())))


def test_a_bridge_to_the_edge_wins() -> None:
    assert virtual_winner_of(ropewalk.game("lariat-1x1").position(BRIDGED_TO_THE_EDGE)) == 0
    assert virtual_winner_of(ropewalk.game("lariat-1x1").position(ONE_CELL_FROM_THE_EDGE)) == ONGOING


def test_a_rope_of_bridges_around_the_centre_wins() -> None:
    position = ropewalk.game("lariat-1x3").position(BRIDGED_ROPE)
    assert virtual_winner_of(position) == 0
    assert virtual_winner_of(position.play("e3").play("c1")) == ONGOING


def test_the_seat_to_move_has_no_virtual_win() -> None:
    position = ropewalk.game("lariat-1x1").position(BRIDGED_TO_THE_EDGE.replace("to move: white", "to move: black"))
    assert virtual_winner_of(position) == ONGOING


def test_the_swap_is_considered() -> None:
    position = ropewalk.game("lariat-1x1-pie").start().play("a1")
    assert "swap" in position.moves()
    assert virtual_winner_of(position) == ONGOING


@pytest.mark.parametrize(
    ("spec", "games"), [("lariat-1x2", 300), ("lariat-1x6", 100), ("lariat-2x3", 60), ("cube-lariat-2-nopie", 60)]
)
def test_the_carrier_solver_confirms_every_virtual_win(spec: str, games: int) -> None:
    game = ropewalk.game(spec)
    solver = CarrierSolver(game, SolverLimits(memory_bytes=1 << 24), None)
    find = compile_for(find_virtual_winner, game.rules, game.start_row())
    num_found = 0
    for position in random_positions(game, games):
        seat = find(game.rules, position.row.copy())
        if seat != ONGOING:
            num_found += 1
            winner = solver.solve(*stone_masks(position, solver.rules), colour_to_move(position))
            assert position.colours[seat] == ("black", "white")[winner], position
    assert num_found > games // 2


def test_games_without_a_test_have_no_virtual_wins() -> None:
    assert virtual_winner_of(ropewalk.game("tether-5").start()) == ONGOING


@pytest.mark.parametrize("spec", ["lariat-2x4", "cube-lariat-2"])
def test_a_virtual_win_is_the_same_in_plain_python(spec: str) -> None:
    game = ropewalk.game(spec)
    find = compile_for(find_virtual_winner, game.rules, game.start_row())
    for position in random_positions(game, 3):
        assert find(game.rules, position.row.copy()) == virtual_winner_of(position)
