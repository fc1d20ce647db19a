"""Settings for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from ropewalk.games.game import Game

# Kernels compile inside the first example, so no deadline; the same examples on every machine.
settings.register_profile(
    "ropewalk", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.load_profile("ropewalk")

Game.interpreter_budget_seconds = 0.0  # what is tested is what is compiled; tests/unit/test_interpreted.py has the rest
