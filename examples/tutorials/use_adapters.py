"""The same random game in PettingZoo, OpenSpiel and Gymnasium, as far as they are installed.

python examples/tutorials/use_adapters.py
"""

import importlib.util
import random

import numpy as np

SPEC = "tether-5"


def play_pettingzoo() -> dict[str, float]:
    """Play random legal actions in a PettingZoo environment; return the rewards of both agents."""
    from ropewalk.adapters import pettingzoo

    env, rng = pettingzoo.env(SPEC), np.random.default_rng(1)
    env.reset(seed=1)
    totals = {"player_0": 0.0, "player_1": 0.0}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    return totals


def play_openspiel() -> list[float]:
    """Play random legal actions in a state of OpenSpiel; return the rewards of both players."""
    from ropewalk.adapters import openspiel

    state, rng = openspiel.load_game(SPEC).new_initial_state(), random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    returns: list[float] = state.returns()
    return returns


def play_gymnasium(steps: int = 50) -> float:
    """Play random legal actions in 64 games against random moves; return the mean reward of finished games."""
    from ropewalk.adapters import gymnasium

    envs, rng = gymnasium.make_vec(SPEC, 64, opponent="random"), np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    total, games = 0.0, 0
    for _ in range(steps):
        masks = observations["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        observations, rewards, terminations, _, _ = envs.step(actions)
        total, games = total + rewards.sum(), games + int(terminations.sum())
    envs.close()
    return total / games


def main() -> None:
    """Run the adapters whose libraries are installed."""
    for library, play in (("pettingzoo", play_pettingzoo), ("pyspiel", play_openspiel), ("gymnasium", play_gymnasium)):
        print(f"{library}: {play() if importlib.util.find_spec(library) else 'not installed'}")


if __name__ == "__main__":
    main()
