"""The tactical suites are well formed, and the solver agrees with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.dfpn_solver import DfpnSolver
from tests.unit.tactics.generate import EXACT_BY_SPEC

MIN_POSITIONS = 40


def load_suite(spec: str) -> list[tuple[Position, list[str]]]:
    """Return the positions of a game's suite with their winning moves."""
    game = ropewalk.game(spec)
    lines = (Path(__file__).parent / f"{spec}.txt").read_text().splitlines()
    return [(game.position(text), moves.split()) for text, moves in (line.split("\t") for line in lines)]


@pytest.mark.parametrize("spec", EXACT_BY_SPEC)
def test_each_suite_has_enough_positions_in_which_few_moves_win(spec: str) -> None:
    suite = load_suite(spec)
    assert len({str(position) for position, _ in suite}) == len(suite) >= MIN_POSITIONS
    num_immediate = 0
    for position, winning_moves in suite:
        assert 1 <= 3 * len(winning_moves) <= len(position.moves())
        assert set(winning_moves) <= set(position.moves())
        num_immediate += any(position.play(move).result == position.seat for move in winning_moves)
    assert 2 * num_immediate <= len(suite)


@pytest.mark.parametrize("spec", ["lariat-2x10", "tether-13"])
def test_depth_first_search_finds_the_same_winning_moves(spec: str) -> None:
    solver = DfpnSolver(ropewalk.game(spec), 1 << 24)
    for position, winning_moves in load_suite(spec)[:3]:
        assert position.seat is not None
        for move in position.moves():
            after = position.play(move)
            is_win = after.result == position.seat if after.seat is None else None
            if is_win is None:
                is_win = solver.solve(after.row, position.seat, max_nodes=2_000_000, depth_first=True)
            assert is_win is None or is_win == (move in winning_moves), (str(position), move)
