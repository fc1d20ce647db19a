"""Single steps are compiled from the first call if their machine code is in the cache."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

import ropewalk
from ropewalk import bootstrap
from ropewalk.games.stepping import AdaptiveStepper

CODE = """
import ropewalk
from ropewalk.games.game import Game
game = ropewalk.game("tether-3")
game.start().play("b2")
print(game._stepper.is_compiled, game._stepper.interpreted_seconds)
"""


def test_a_process_with_a_warm_cache_interprets_nothing() -> None:
    ropewalk.game("tether-3").compile()
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "0.0"]


def test_without_cached_code_steps_are_interpreted_until_the_game_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ropewalk.game("tether-3")
    monkeypatch.setattr(game, "interpreter_budget_seconds", 1.0)
    monkeypatch.setattr(AdaptiveStepper, "is_cached", lambda self: False)
    monkeypatch.setitem(game.__dict__, "_stepper", AdaptiveStepper(game))
    assert not game._stepper.is_compiled
    game.compile()
    assert game._stepper.is_compiled


@pytest.mark.parametrize(("budget", "loads"), [(math.inf, True), (1.0, False)])
def test_a_server_and_short_commands_do_not_wait_for_the_cache(
    budget: float, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ropewalk.game("tether-3")
    game.compile()
    monkeypatch.setattr(game, "interpreter_budget_seconds", budget)
    monkeypatch.setattr(bootstrap, "loads_cached_kernels", loads)
    assert not AdaptiveStepper(game).is_compiled
