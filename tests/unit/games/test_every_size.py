"""Every board and option that the rulings allow can be built, drawn, read back and played."""

from __future__ import annotations

import random

import pytest

import ropewalk
from ropewalk.games.perft import perft

LARIAT = [f"lariat-{cap}x{wall}{pie}" for cap in range(1, 7) for wall in range(1, 25) for pie in ("", "-pie")]
CUBE = [f"cube-lariat-{n}{corners}{pie}" for n in (2, 4, 6, 8) for corners in ("", "-nocorners") for pie in ("", "-nopie")]
TETHER = [f"tether-{size}" for size in range(3, 20, 2)]
LAOCOON = [
    f"laocoon-{setup}{draws}"
    for setup in ("weave", "blocks", "random-0", "random-99", "quick-0", "random-" + "bpoy" * 16, "quick-" + "yopb" * 16)
    for draws in ("", "-norepetition")
]
LIGER = [
    f"liger-{size}x{rows}{draws}"
    for size in (4, 6, 8, 10)
    for rows in range(1, size // 2 + 1)
    for draws in ("", "-norepetition")
]


@pytest.mark.parametrize(
    "specs", [LARIAT, CUBE, TETHER, LAOCOON, LIGER], ids=["lariat", "cube-lariat", "tether", "laocoon", "liger"]
)
def test_every_size_and_option_plays(specs: list[str]) -> None:
    rng = random.Random(1)
    for spec in specs:
        game = ropewalk.game(spec)
        assert ropewalk.game(game.spec).spec == game.spec
        position = game.start()
        assert perft(position, 1) == {1: len(position.moves())}
        for _ in range(2):
            move = rng.choice(position.moves())
            assert position.explain(move)
            position = position.play(move)
            assert game.position(str(position)) == position
            assert game.position(position.draw()) == position
        assert len(set(game.move_texts)) == game.num_actions
