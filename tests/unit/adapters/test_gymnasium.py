"""The vector environment follows Gymnasium's conventions, in self-play and against opponents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ropewalk import BotError, IllegalMove, SpecError
from tests.support.optional import import_optional

gym = import_optional("gymnasium")

from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from ropewalk.adapters import gymnasium

SPECS = ["lariat-1x3", "lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4", "liger-6"]
OPPONENTS = [None, "random"]


def choose(observations: dict[str, NDArray[np.int8]], rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose random legal actions; 0 where the game is over."""
    masks = observations["action_mask"]
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("spec", SPECS)
def test_observations_rewards_and_flags_are_in_their_spaces(spec: str, opponent: str | None) -> None:
    envs, rng = gymnasium.make_vec(spec, 7, opponent=opponent, agent_seat=None), np.random.default_rng(1)
    assert isinstance(envs, VectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert envs.observation_space == gym.vector.utils.batch_space(envs.single_observation_space, 7)
    observations, _ = envs.reset(seed=3)
    was_over, games = np.zeros(7, bool), 0
    for _ in range(150):
        assert observations in envs.observation_space
        actions = choose(observations, rng)
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert (rewards.shape, rewards.dtype) == ((7,), np.float64)
        assert (terminations.dtype, truncations.dtype) == (np.bool_, np.bool_)
        assert not (terminations & was_over).any(), "the step after the end only restarts the game"
        assert (rewards[~terminations] == 0).all()
        assert (observations["action_mask"].any(axis=1) == ~terminations).all()
        if opponent is not None:
            assert (infos["seat"] == envs.agent_seats)[~terminations].all()
        was_over = terminations
        games += int(terminations.sum())
    assert games
    envs.close()


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_seed_repeats_a_run(opponent: str | None) -> None:
    runs: list[list[Any]] = []
    for _ in range(2):
        envs, rng = gymnasium.make_vec("liger-4", 6, opponent=opponent, agent_seat=1), np.random.default_rng(1)
        observations, _ = envs.reset(seed=[5, 4, 3, 2, 1, 0])
        run = []
        for _ in range(30):
            observations, rewards, *_ = envs.step(choose(observations, rng))
            run.append((observations["observation"].tobytes(), rewards.tobytes()))
        runs.append(run)
    assert runs[0] == runs[1]


def test_a_bot_is_an_opponent_and_beats_random_actions() -> None:
    envs, rng = gymnasium.make_vec("tether-5", 4, opponent="level-3"), np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    total, games = 0.0, 0
    while games < 8:
        observations, rewards, terminations, _, _ = envs.step(choose(observations, rng))
        total += rewards.sum()
        games += int(terminations.sum())
    assert total <= -4
    envs.close()


def test_wrappers_of_gymnasium_take_it() -> None:
    envs, rng = RecordEpisodeStatistics(gymnasium.make_vec("tether-3", 5, opponent="random")), np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    episodes = []
    for _ in range(40):
        observations, _, _, _, infos = envs.step(choose(observations, rng))
        if "episode" in infos:
            episodes += infos["episode"]["r"][infos["_episode"]].tolist()
    assert set(episodes) <= {-1.0, 1.0}
    assert len(episodes) > 5


def test_errors_say_what_is_wrong() -> None:
    envs = gymnasium.make_vec("tether-5", 2)
    envs.reset()
    envs.step(np.array([3, 4]))
    with pytest.raises(IllegalMove, match="d1 already has a red stone"):
        envs.step(np.array([3, 3]))
    with pytest.raises(SpecError, match="invalid seat 2"):
        gymnasium.make_vec("tether-5", 2, agent_seat=2)
    with pytest.raises(BotError, match="unknown bot"):
        gymnasium.make_vec("tether-5", 2, opponent="nobody")
