"""Levels 6 and 8 find what the solver has proven."""

from __future__ import annotations

import pytest

import ropewalk

from .make import GAMES
from .test_tactics import suite


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize(("level", "share"), [(6, 0.90), (8, 0.98)])
def test_a_level_finds_winning_moves(spec: str, level: int, share: float) -> None:
    tactics = suite(spec)
    player = ropewalk.bot(ropewalk.game(spec), level)
    missed = []
    for position, winning in tactics:
        player.new_game(1)
        move = player.choose(position)
        if move not in winning:
            missed.append((str(position), move, winning))
    player.close()
    print(f"{spec}, level {level}: {len(tactics) - len(missed)} of {len(tactics)}")
    assert len(missed) <= (1 - share) * len(tactics), missed
