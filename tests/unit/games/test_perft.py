"""Step sequences by depth, pinned: computed with the naive reference, counted here by the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.games import perft
from ropewalk.games.perft import iterate_counts
from ropewalk.jit.interpreted import interpret
from ropewalk.rules import repetition
from tests.support.reference_comparison import ReferenceGame, list_extras

DANCE = "2/b,rbr/2/2 red"  # play can come back to this position again and again
TO_AND_FRO = (
    "(o),y,1,p,[o],y,b,p/b,p,o,y,b,p,o,y/o,y,b,p,[py],1,b,p/b,p,o,y,b,p,o,y/"
    "o,y,b,p,o,y,b,p/b,op,o,y,b,1,o,y/o,(pb),b,p,o,y,b,p/b,1,o,y,b,p,o,y white move white:y"
)

GOLDEN: list[tuple[str, str, list[int]]] = [  # spec, moves from the start or a position's text, counts of depths 1, 2, ...
    ("lariat-1x1", "", [13, 156, 1716, 17160, 154440, 1183680]),
    ("lariat-1x2-pie", "", [19, 361, 6156, 98838]),
    ("lariat-2x10", "", [139, 19182, 2627934]),
    ("cube-lariat-2", "", [50, 2500, 120050]),
    ("cube-lariat-2-nocorners-nopie", "", [42, 1722, 68880]),
    ("cube-lariat-4", "", [194, 37636]),
    ("tether-3", "", [9, 72, 504, 3024, 15120, 60480, 181440, 357120, 351360]),
    ("tether-5", "", [25, 600, 13800, 303600]),
    ("tether-13", "", [169, 28392]),
    ("laocoon-weave", "", [64, 3072, 144384, 5213184]),
    ("laocoon-weave", "d4 e6 g2 b8", [6, 54, 2346, 16432, 689919]),
    ("laocoon-blocks", "d4 e6 h1 a1", [3, 20, 871, 4291]),
    ("laocoon-weave", TO_AND_FRO, [6, 245, 1946, 77805]),
    ("laocoon-random-7", "", [64, 3072, 144384]),
    ("laocoon-random-7", "d4 e6 a2", [31, 2015, 125238]),
    ("laocoon-random-7", "d4 e6 a2 a1", [65, 4042, 39658]),
    ("laocoon-quick-7", "d4 e6 a2", [31, 2015, 125238, 990120]),
    ("liger-4", "", [3, 9, 27, 67, 140, 320, 768, 2146, 4405]),
    ("liger-4x2", "", [6, 31, 140, 585, 2438, 10212, 41085]),
    ("liger-4x2", DANCE, [4, 13, 30, 87, 145, 299, 444, 492, 779, 1084, 1488, 1285, 1125]),
    ("liger-4x2-norepetition", DANCE, [4, 13, 30, 87, 145, 299, 444, 492, 779, 1084, 1488, 1285, 1129]),
    ("liger-6", "", [10, 100, 910, 8251, 71277]),
    ("liger-8", "", [21, 441, 8715, 172179]),
    ("liger-10", "", [36, 1296, 44820]),
]

CHEAP = 5_000  # positions that the reference goes through in a moment


def position_of(spec: str, line: str) -> Position:
    """The position after some moves, or from a text."""
    game = ropewalk.game(spec)
    if "/" in line:
        return game.position(line)
    position = game.start()
    for move in line.split():
        position = position.play(move)
    return position


def reference_counts(spec: str, line: str, deepest: int) -> list[int]:
    """The same counts by the naive reference."""
    side = ReferenceGame(ropewalk.game(spec))
    if "/" in line:
        position = side.game.position(line)
        states = [side.rules.state_of(position.contents, list_extras(position))]
    else:
        states = [side.rules.start()]
        for move in line.split():
            states = [side.rules.play(states[0], move)]
    counts = []
    for _ in range(deepest):
        steps = [(state, move) for state in states for move in side.rules.moves(state)]
        counts.append(len(steps))
        states = [side.rules.play(state, move) for state, move in steps] if len(counts) < deepest else []
    return counts


@pytest.mark.parametrize(("spec", "line", "golden"), GOLDEN)
def test_kernels_count_what_is_pinned(spec: str, line: str, golden: list[int]) -> None:
    counts = perft.perft(position_of(spec, line), len(golden))
    assert counts == dict(enumerate(golden, start=1))


@pytest.mark.parametrize(("spec", "line", "golden"), GOLDEN)
def test_the_reference_counts_what_is_pinned(spec: str, line: str, golden: list[int]) -> None:
    cheap = [count for before, count in zip([1, *golden], golden, strict=False) if before <= CHEAP]
    assert reference_counts(spec, line, len(cheap)) == cheap


@pytest.mark.parametrize(("spec", "line", "golden"), GOLDEN)
def test_splitting_the_first_plies_changes_nothing(
    spec: str, line: str, golden: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perft, "MAX_POSITIONS_PER_CALL", 5)
    deepest = sum(count < 3000 for count in golden) + 1
    reports: list[tuple[int, int]] = []
    counts = perft.perft(position_of(spec, line), min(deepest, len(golden)), progress=lambda *parts: reports.append(parts))
    assert list(counts.values()) == golden[: len(counts)]
    assert any(total > 1 for _, total in reports)
    assert all(result == 1 for result, _ in reports[:1])
    assert reports[-1][0] == reports[-1][1]


def test_finished_games_lead_nowhere() -> None:
    position = position_of("lariat-1x1", "a1 b2 b1 b3 c1")
    assert position.outcome is not None
    assert perft.perft(position, 3) == {1: 0, 2: 0, 3: 0}


def test_counts_come_one_depth_after_the_other() -> None:
    counts = iterate_counts(ropewalk.game("tether-3").start())
    assert [next(counts) for _ in range(3)] == [(1, 9), (2, 72), (3, 504)]


# Rows that fill


def crowded(position: Position, places: int) -> Position:
    """The position with all but `places` of its row's memory taken by positions that never were."""
    row = position.row.copy()
    state = position.game.state(row)
    remembered = int(state.history_length)
    rng = np.random.default_rng(7)
    while remembered + places < len(state.history):
        remembered = interpret(repetition.push_hash)(state.history, remembered, int(rng.integers(1, 2**62)))
    save(position, row, state._replace(history_length=remembered))
    return Position.from_row(position.game, row)


def save(position: Position, row: Any, state: Any) -> None:
    from ropewalk.jit.interpreted import interpreted_impl
    from ropewalk.rules import interface

    interpreted_impl(interface.store_state, position.game.rules)(position.game.rules, state, row)


@pytest.mark.parametrize("places", range(4))
@pytest.mark.parametrize(("spec", "text"), [("liger-4x2", DANCE), ("laocoon-weave", TO_AND_FRO)])
def test_a_row_that_is_nearly_full_counts_like_any_other(spec: str, text: str, places: int) -> None:
    position = position_of(spec, text)
    golden = next(counts for known, line, counts in GOLDEN if (known, line) == (spec, text))
    assert list(perft.perft(crowded(position, places), len(golden)).values()) == golden


def test_without_more_room_the_kernel_would_miss_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perft, "with_history_capacity", lambda game, row, steps: row)
    full = crowded(position_of("liger-4x2", DANCE), 0)
    assert perft.count_sequences_from(full, 13) == 1129  # as without repetition


@pytest.mark.parametrize(("spec", "text"), [("liger-4x2", DANCE), ("laocoon-weave", TO_AND_FRO)])
@pytest.mark.parametrize("steps", [1, 2, 87, 88, 89, 1000])
def test_rows_grow_until_all_steps_can_be_remembered(spec: str, text: str, steps: int) -> None:
    position = crowded(position_of(spec, text), repetition.INITIAL_CAPACITY - 40)
    row = perft.with_history_capacity(position.game, position.row, steps)
    state = position.game.state(row)
    assert 40 + steps <= len(state.history)
    assert (len(row) == len(position.row)) == (steps <= 88)
    assert Position.from_row(position.game, row).moves() == position.moves()


def test_games_without_memory_never_grow() -> None:
    position = ropewalk.game("tether-5").start()
    assert perft.with_history_capacity(position.game, position.row, 10_000) is position.row
