"""Hex: the shared contract, and truths from the literature. The package must be installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk
from ropewalk.conformance import check
from ropewalk.jit.prng import make_rng
from ropewalk.proofs.solver import SolverLimits
from ropewalk.proofs.strategy.checker import check_strategy_proof
from ropewalk.proofs.strategy.solver import solve_by_strategy
from ropewalk.rules.generic import run_playouts


@pytest.mark.parametrize("spec", ["hex-3", "hex-4-swap"])
def test_the_contract_of_all_games_holds(spec: str) -> None:
    assert [result.claim for result in check(ropewalk.game(spec), games=100) if result.violations] == []


def test_there_are_no_draws_and_the_first_player_has_the_advantage() -> None:
    game, results = ropewalk.game("hex-7"), np.zeros(3, np.int64)
    run_playouts(game.rules, game.start_row(), game.start_row(), np.empty(50, np.int16), make_rng(1), 10_000, results)
    assert results[2] == 0
    assert results[0] > results[1]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_first_player_wins_by_a_proof_that_the_checker_accepts(size: int, tmp_path: Path) -> None:
    """Nash's strategy-stealing argument (1949) for all sizes."""
    proof = tmp_path / "proof"
    solution = solve_by_strategy(ropewalk.game(f"hex-{size}").start(), proof, SolverLimits())
    assert solution.value == 0  # the winning seat
    assert check_strategy_proof(proof).value == 0


def test_a_swap_exchanges_the_colours_of_the_seats() -> None:
    position = ropewalk.game("hex-5-swap").start().play("c3").play("swap")
    assert (position.seat, position.colours, "swap" in position.moves()) == (0, ("blue", "red"), False)
