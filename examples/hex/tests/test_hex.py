"""Hex: the contract of all games, and truths from the literature (sources in the README). The package must be installed."""

import json
from pathlib import Path

import numpy as np
import pytest

import ropewalk
from ropewalk.conformance import check
from ropewalk.diagrams import DiagramOptions, draw
from ropewalk.diagrams.map_layout import build_map_layout
from ropewalk.jit.prng import make_rng
from ropewalk.proofs.carrier.checker import verify_carrier_proof
from ropewalk.proofs.carrier.solver import solve_carrier
from ropewalk.proofs.solver import ProofError, SolverLimits, choose_method
from ropewalk.proofs.strategy.checker import check_strategy_proof
from ropewalk.proofs.strategy.solver import solve_by_strategy
from ropewalk.records import Record, find_first_mismatch, read
from ropewalk.rules.generic import run_playouts

TABLES = json.loads(Path(__file__).with_name("openings.json").read_text())
OPENINGS, PUBLISHED = TABLES["winning"], TABLES["published"]


@pytest.mark.parametrize("spec", ["hex-3", "hex-4-swap"])
def test_the_contract_of_all_games_holds(spec: str) -> None:
    assert [result.claim for result in check(ropewalk.game(spec), games=100) if result.violations] == []


def test_there_are_no_draws_and_the_first_player_has_the_advantage() -> None:
    game, results = ropewalk.game("hex-7"), np.zeros(3, np.int64)
    run_playouts(game.rules, game.start_row(), game.start_row(), np.empty(50, np.int16), make_rng(1), 10_000, results)
    assert results[2] == 0
    assert results[0] > results[1]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_checked_proof_finds_the_winning_openings(size: int, tmp_path: Path) -> None:
    solve_by_strategy(ropewalk.game(f"hex-{size}").start(), tmp_path / "proof", SolverLimits())
    solution = check_strategy_proof(tmp_path / "proof")
    assert solution.value == 0  # the first player wins on every size (Nash)
    assert [move for move, winner in solution.moves.items() if winner == 0] == OPENINGS[str(size)].split()
    assert solution.moves["a1"] == 1  # the acute corner loses on every size (Beck)


@pytest.mark.parametrize("size", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_a_checked_carrier_proof_finds_the_winning_openings(size: int, tmp_path: Path) -> None:
    game = ropewalk.game(f"hex-{size}")
    assert choose_method(game) == "carrier"
    solve_carrier(game.start(), tmp_path / "proof", SolverLimits())
    solution = verify_carrier_proof(tmp_path / "proof")
    assert [move for move, winner in solution.moves.items() if winner == 0] == OPENINGS[str(size)].split()


def test_a_win_with_the_swap_is_that_of_the_colour_after_it(tmp_path: Path) -> None:
    """With the swap seat 1 wins: it takes over a winning stone, and answers a losing one."""
    solve_carrier(ropewalk.game("hex-3-swap").start(), tmp_path / "proof", SolverLimits())
    assert set(verify_carrier_proof(tmp_path / "proof").moves.values()) == {1}


def test_a_reflection_is_refused(tmp_path: Path) -> None:
    """The half turn maps red's wins to red's wins, so answering with the opposite cell wins nothing."""
    header = {"ropewalk-proof": 1, "kind": "carrier", "spec": "hex-3", "position": str(ropewalk.game("hex-3").start())}
    lines = [json.dumps(header | {"mirrors": [list(range(8, -1, -1))], "claims": [], "lines": 1}), "% 0 10", ""]
    (tmp_path / "proof").write_text("\n".join(lines))
    with pytest.raises(ProofError, match="the same groups win for both colours"):
        verify_carrier_proof(tmp_path / "proof")


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_winning_openings_are_the_published_ones(size: int) -> None:
    mirrored = {f"{'abcde'[int(cell[1]) - 1]}{'abcde'.index(cell[0]) + 1}" for cell in PUBLISHED[str(size)].split()}
    assert set(OPENINGS[str(size)].split()) == mirrored


def test_a_swap_exchanges_the_colours_of_the_seats() -> None:
    position = ropewalk.game("hex-5-swap").start().play("c3").play("swap")
    assert (position.seat, position.colours, "swap" in position.moves()) == (0, ("blue", "red"), False)


@pytest.mark.parametrize("view", ["flat", "table"])
def test_the_board_is_drawn_by_the_look_that_the_game_declares(view: str) -> None:
    svg = draw(ropewalk.game("hex-3").start(), DiagramOptions(view=view), ["b2", "a1"])
    assert svg.count("data-cell=") == 9
    assert svg.count("data-piece=") == 2


def test_the_layout_of_the_map_has_all_cells_and_the_coloured_sides() -> None:
    layout = build_map_layout(ropewalk.game("hex-3"))
    assert len(layout.cells) == 9
    assert [decoration.role for decoration in layout.decorations] == ["blue side", "red side"] * 2


def test_a_played_game_is_a_record_that_verifies() -> None:
    position = ropewalk.game("hex-3").start()
    for move in ["b2", "a1", "b1", "a2", "b3"]:
        position = position.play(move)
    record = Record.from_position(position)
    assert record.result is not None
    assert record.result.winner == 0
    assert find_first_mismatch(read(record.to_sgf())) is None
