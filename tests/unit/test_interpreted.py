"""Kernels in plain Python say what compiled ones say, and games take the one until it costs more than the other."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ropewalk
from ropewalk import bootstrap
from ropewalk.games.stepping import AdaptiveStepper
from ropewalk.jit.interpreted import interpret, interpreted_counterpart
from ropewalk.jit.kernel import compile_for
from ropewalk.rules.generic import inspect_row, step

SPECS = [
    "lariat-1x6",
    "lariat-1x2-pie",
    "cube-lariat-2",
    "tether-9",
    "laocoon-weave",
    "laocoon-quick-3",
    "liger-8",
    "liger-4",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_goes_the_same_way_in_plain_python(spec: str) -> None:
    game = ropewalk.game(spec)
    row, moves = game.start_row(), np.zeros(game.max_legal_moves, np.int64)
    fast_look, fast_advance = compile_for(inspect_row, game.rules, row, moves), compile_for(step, game.rules, row, 0, moves)
    rng = random.Random(spec)
    for _ in range(400):
        twin_row, twin_moves = row.copy(), np.zeros_like(moves)
        looked = fast_look(game.rules, row, moves)
        assert tuple(interpret(inspect_row)(game.rules, twin_row, twin_moves)) == looked
        assert np.array_equal(twin_moves[: looked[0]], moves[: looked[0]])
        if not looked[0]:
            row = game.start_row()
            continue
        move = rng.choice([int(moves[rng.randrange(looked[0])]), rng.randrange(game.num_actions)])
        assert tuple(interpret(step)(game.rules, twin_row, move, twin_moves)) == fast_advance(game.rules, row, move, moves)
        assert np.array_equal(twin_row, row)


def test_a_game_is_compiled_when_plain_python_has_cost_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ropewalk.game("tether-3")
    monkeypatch.setattr(game, "interpreter_budget_seconds", 1.0)
    monkeypatch.setattr(bootstrap, "loads_cached_kernels", False)
    game.__dict__["_stepper"] = stepping = AdaptiveStepper(game)
    position = ropewalk.Position.from_row(game, game.start_row())
    before = stepping.step
    stepping.interpreted_seconds = 1.0
    assert position.play("b2").moves() == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert stepping.is_compiled
    assert stepping.step is not before


def test_a_twin_is_made_once_and_compiles_nothing() -> None:
    assert interpreted_counterpart(inspect_row) is interpreted_counterpart(inspect_row)
    assert not hasattr(interpreted_counterpart(inspect_row), "py_func")
    assert interpreted_counterpart(len) is len
