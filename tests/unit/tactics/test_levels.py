"""Levels 6 and 8 find winning moves of the tactical suites.

The laoCoon suite lists only the shortest wins; a longer one counts if the solver proves it.
"""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.dfpn_solver import DfpnSolver
from tests.unit.tactics.generate import EXACT_BY_SPEC
from tests.unit.tactics.test_tactics import load_suite


def is_proven_win(position: Position, move: str) -> bool:
    """Return whether the solver proves that a move wins."""
    after = position.play(move)
    if after.seat is None:
        return after.result == position.seat
    assert position.seat is not None
    return DfpnSolver(position.game, 1 << 28).solve(after.row, position.seat, max_nodes=30_000_000) is True


@pytest.mark.slow
@pytest.mark.parametrize("spec", EXACT_BY_SPEC)
@pytest.mark.parametrize(("level", "min_fraction"), [(6, 0.90), (8, 0.98)])
def test_a_level_finds_winning_moves(spec: str, level: int, min_fraction: float) -> None:
    suite = load_suite(spec)
    bot = ropewalk.bot(ropewalk.game(spec), level)
    missed = []
    for position, winning_moves in suite:
        bot.new_game(1)
        move = bot.choose(position)
        if move not in winning_moves and (EXACT_BY_SPEC[spec] or not is_proven_win(position, move)):
            missed.append((str(position), move, winning_moves))
    bot.close()
    print(f"{spec}, level {level}: {len(suite) - len(missed)} of {len(suite)}")
    assert len(missed) <= (1 - min_fraction) * len(suite), missed
