"""Levels 6 and 8 find what the solver has proven.

Of laoCoon the files name only the quickest wins; a slower one counts if the solver proves it.
"""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.dfpn_solver import DfpnSolver

from .make import EXACT_BY_SPEC
from .test_tactics import load_suite


def is_proven_win(position: Position, move: str) -> bool:
    """Whether the solver proves that a move wins."""
    after = position.play(move)
    if after.seat is None:
        return after.result == position.seat
    assert position.seat is not None
    return DfpnSolver(position.game, 1 << 28).solve(after.row, position.seat, max_nodes=30_000_000) is True


@pytest.mark.slow
@pytest.mark.parametrize("spec", EXACT_BY_SPEC)
@pytest.mark.parametrize(("level", "share"), [(6, 0.90), (8, 0.98)])
def test_a_level_finds_winning_moves(spec: str, level: int, share: float) -> None:
    tactics = load_suite(spec)
    player = ropewalk.bot(ropewalk.game(spec), level)
    missed = []
    for position, winning in tactics:
        player.new_game(1)
        move = player.choose(position)
        if move not in winning and (EXACT_BY_SPEC[spec] or not is_proven_win(position, move)):
            missed.append((str(position), move, winning))
    player.close()
    print(f"{spec}, level {level}: {len(tactics) - len(missed)} of {len(tactics)}")
    assert len(missed) <= (1 - share) * len(tactics), missed
