"""Kernels and naive references play the same games: a little of everything here, millions of positions in `make slow`."""

from __future__ import annotations

import pytest

import ropewalk
from tests.support.reference_comparison import ReferenceGame, compare_random_games

SPECS = """
    lariat-1x1 lariat-1x2-pie lariat-1x6 lariat-2x3 lariat-2x10 lariat-3x12 lariat-6x24
    cube-lariat-2 cube-lariat-2-nocorners-nopie cube-lariat-4 cube-lariat-4-nocorners cube-lariat-6 cube-lariat-8-nopie
    tether-3 tether-5 tether-7 tether-9 tether-13 tether-19
    laocoon-weave laocoon-blocks laocoon-random-1 laocoon-quick-2 laocoon-weave-norepetition
    liger-4 liger-4x2 liger-6 liger-6x1 liger-8 liger-8x4-norepetition liger-10
"""

LONG_RUNS = {
    "lariat": "1x1 1x2-pie 1x6 2x3 2x10 2x10-pie 3x12 6x2",
    "cube-lariat": "2 2-nopie 2-nocorners 4 4-nocorners-nopie 6",
    "tether": "3 5 7 9 11 13 17 19",
    "laocoon": "weave blocks random-1 random-2 quick-3 quick-4 weave-norepetition",
    "liger": "4 4x2 6 6x3 8 8-norepetition 10 10x5",
}
POSITIONS = 520_000  # compared for each game in the long runs


@pytest.mark.parametrize("spec", SPECS.split())
def test_kernel_and_reference_agree_in_random_games(spec: str) -> None:
    assert compare_random_games(spec, seed=1, positions=250) >= 250


@pytest.mark.parametrize("spec", ["tether-3", "liger-4"])
def test_kernel_and_reference_agree_in_every_position_of_a_tiny_board(spec: str) -> None:
    assert compare_everywhere(spec) > 500


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["lariat-1x1", "lariat-1x1-pie", "liger-4x2"])
def test_kernel_and_reference_agree_in_every_position_of_a_small_board(spec: str) -> None:
    print(f"\n{spec}: {compare_everywhere(spec):,} positions compared")


@pytest.mark.slow
@pytest.mark.parametrize("key", LONG_RUNS)
def test_kernel_and_reference_agree_over_half_a_million_positions(key: str) -> None:
    specs = [f"{key}-{options}" for options in LONG_RUNS[key].split()]
    total = sum(compare_random_games(spec, seed=2, positions=POSITIONS // len(specs)) for spec in specs)
    print(f"\n{key}: {total:,} positions compared over {', '.join(specs)}")
    assert total >= 500_000


def compare_everywhere(spec: str) -> int:
    """Walk both implementations through every reachable position, without repetition, which history would decide."""
    game = ropewalk.game(spec if "repetition" not in ropewalk.game(spec).options else f"{spec}-norepetition")
    side = ReferenceGame(game)
    seen = {str(game.start())}
    queue = [(game.start(), side.rules.start())]
    while queue:
        position, state = queue.pop()
        side.require_same(position, state)
        for move in position.moves():
            after = position.play(move)
            if str(after) not in seen:
                seen.add(str(after))
                queue.append((after, side.rules.play(state, move)))
    return len(seen)
