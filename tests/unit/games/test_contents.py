"""What a position consists of, in numbers: the same exactly for the same position."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.rules.generic import write_position_codes


def codes_of(position: Position) -> bytes:
    codes = np.zeros(len(position.game.board) + 1, np.int64)
    write_position_codes(position.game.rules, position.row, codes)
    return codes.tobytes()


@pytest.mark.parametrize(
    "spec", ["lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-random-7", "laocoon-quick-7", "liger-4"]
)
def test_numbers_and_texts_tell_the_same_positions_apart(spec: str) -> None:
    game, rng = ropewalk.game(spec), random.Random(1)
    texts: dict[bytes, str] = {}
    for _ in range(8):
        position = game.start()
        while position.seat is not None:
            for move in rng.sample(position.moves(), min(6, len(position.moves()))):
                after = position.play(move)
                text = str(after).removesuffix(" drawn")
                assert texts.setdefault(codes_of(after), text) == text
            position = position.play(rng.choice(position.moves()))
    assert len(set(texts.values())) == len(texts) > 100


@pytest.mark.parametrize("spec", ["lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-random-7"])
def test_turning_the_board_turns_the_numbers(spec: str) -> None:
    game, rng = ropewalk.game(spec), random.Random(2)
    position = game.start()
    while position.seat is not None:
        symmetry = rng.choice([symmetry for symmetry in game.symmetries if not symmetry.swaps_colours])
        before = np.frombuffer(codes_of(position), np.int64)
        turned = np.frombuffer(codes_of(position.transform(symmetry)), np.int64)
        assert (turned[symmetry.cells] == before[:-1]).all()
        assert turned[-1] == before[-1]
        position = position.play(rng.choice(position.moves()))
