"""PettingZoo's own tests accept every game as an environment."""

from __future__ import annotations

import pickle
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import IllegalMove, SpecError
from tests.support.optional import import_optional

import_optional("pettingzoo")

from pettingzoo.test import api_test, performance_benchmark, seed_test

from ropewalk.adapters import pettingzoo

SPECS = [
    "lariat-1x3", "lariat-1x2-pie", "cube-lariat-2", "tether-5", "tether-9", "laocoon-weave", "laocoon-random-7", "liger-4",
    "liger-6",
]  # fmt: skip

# Dictionaries with masks are expected of PettingZoo's own classic games only, by a list of their names.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.mark.parametrize("spec", SPECS)
def test_the_api_test_passes(spec: str) -> None:
    api_test(pettingzoo.env(spec), num_cycles=300)
    api_test(pettingzoo.raw_env(spec), num_cycles=100)


@pytest.mark.parametrize("spec", ["tether-5", "laocoon-weave", "liger-4"])
def test_the_seed_test_passes(spec: str) -> None:
    seed_test(lambda: pettingzoo.env(spec), num_cycles=30)


def test_the_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter(np.arange(0, 1000, 0.05))  # instead of five seconds
    clock = SimpleNamespace(time=lambda: float(next(seconds)))
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    performance_benchmark(pettingzoo.raw_env("tether-5"))
    assert "turns per second" in capsys.readouterr().out


def play_out(env: Any, seed: int) -> dict[str, float]:
    """Play random legal actions; return the sum of each agent's rewards."""
    env.reset(seed=seed)
    rng, totals = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if termination or truncation else int(rng.choice(legal)))
    return totals


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_are_those_of_the_outcome(spec: str) -> None:
    env = pettingzoo.env(spec)
    for seed in range(5):
        totals = play_out(env, seed)
        outcome = env.unwrapped.position.outcome
        assert outcome is not None
        expected = [0.0, 0.0] if outcome.winner is None else [1.0, -1.0] if outcome.winner == 0 else [-1.0, 1.0]
        assert list(totals.values()) == expected


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = pettingzoo.env("tether-5")
    env.reset()
    env.step(3)
    before = env.unwrapped.position
    with pytest.raises(IllegalMove, match="d1 already has a red stone"):
        env.step(3)
    assert env.unwrapped.position is before
    assert env.agent_selection == "player_1"
    env.step(4)


def test_an_agent_moves_again_where_its_turn_goes_on() -> None:
    env = pettingzoo.raw_env("laocoon-weave")
    env.reset()
    for text in ("c3", "f6", "d4", "e5", "c3-b3"):
        env.step(env.game.move_id(text))
    agent = env.agent_selection
    env.step(int(env.position.move_ids()[0]))
    assert env.agent_selection == ("player_0", "player_1")[env.position.seat or 0]
    assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


def test_a_long_game_is_truncated() -> None:
    env = pettingzoo.env("liger-8", max_steps=10)
    play_out(env, 1)
    assert env.unwrapped.num_steps == 10
    assert env.unwrapped.position.seat is not None


def test_rendering() -> None:
    env = pettingzoo.env("tether-5", render_mode="ansi")
    env.reset(options={"position": ropewalk.game("tether-5").start().play("c3")})
    assert env.render() == env.unwrapped.position.draw()
    env = pettingzoo.env("tether-5", render_mode="rgb_array")
    env.reset()
    pixels = env.render()
    assert (pixels.dtype, pixels.ndim, pixels.shape[2]) == (np.uint8, 3, 3)
    with pytest.raises(SpecError, match="unknown render mode 'human'"):
        pettingzoo.env("tether-5", render_mode="human")


def test_an_environment_is_pickled_in_the_middle_of_a_game() -> None:
    env = pettingzoo.raw_env("liger-4")
    env.reset()
    env.step(int(env.position.move_ids()[0]))
    copied = pickle.loads(pickle.dumps(env))
    assert (copied.position, copied.agent_selection) == (env.position, env.agent_selection)
