"""Hex as research programs use it: observations, copies, batches, and the adapters with their libraries' own tests."""

import copy
import pickle
import random

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch, Position

SPECS = ["hex-3", "hex-5-swap", "hex-11"]


def play_randomly(spec: str, seed: int) -> list[Position]:
    rng, positions = random.Random(seed), [ropewalk.game(spec).start()]
    while positions[-1].seat is not None:
        positions.append(positions[-1].play_id(rng.choice(positions[-1].move_ids())))
    return positions


def decode(position: Position) -> str:
    """Return the cells and the colour to move, from the observation alone."""
    game, planes = position.game, position.observation()
    size = game.options["size"]
    is_red = planes[0, 3] == planes[size - 1, 3] == 1 or (size == 1)  # the own first side is the first row
    own, other = ("r", "b") if is_red else ("b", "r")
    tokens = [own if cell[1] else other if cell[2] else "" for cell in planes]
    row = game.row_from_tokens(tokens, ["red" if is_red else "blue"])
    return str(Position.from_row(game, row))


@pytest.mark.parametrize("spec", SPECS)
def test_an_observation_is_decoded_back_into_the_position(spec: str) -> None:
    for position in play_randomly(spec, 1)[:-1]:
        assert decode(position) == str(position).removesuffix(" swapped")
        assert np.array_equal(np.flatnonzero(position.action_mask()), position.move_ids())
        assert position.move_ids().tolist() == sorted(position.move_ids().tolist())


@pytest.mark.parametrize("spec", SPECS)
def test_positions_are_pickled_and_copied(spec: str) -> None:
    for position in play_randomly(spec, 2):
        copied = pickle.loads(pickle.dumps(position))
        assert copied == position == copy.deepcopy(position)
        assert copied.steps() == position.steps()
    assert len(play_randomly(spec, 2)) - 1 <= (ropewalk.game(spec).max_game_length or 0)


def test_a_batch_sees_what_its_positions_see_on_any_number_of_threads() -> None:
    one, two = (Batch(ropewalk.game("hex-5-swap"), 600, seed=1, threads=threads) for threads in (1, 2))
    for _ in range(60):
        assert np.array_equal(one.play_random(restart=True), two.play_random(restart=True))
    assert np.array_equal(one.observations(), two.observations())
    assert np.array_equal(one.action_masks(), two.action_masks())
    for index in (0, 300, 599):
        assert np.array_equal(one.observations()[index], one[index].observation())


@pytest.mark.parametrize("spec", SPECS)
def test_openspiel_accepts_the_game(spec: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from ropewalk.adapters import openspiel

    pyspiel.random_sim_test(openspiel.load_game(spec), num_sims=2, serialize=True, verbose=False)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_accepts_the_game(spec: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from ropewalk.adapters import pettingzoo

    api_test(pettingzoo.env(spec), num_cycles=200)
    seed_test(lambda: pettingzoo.env(spec), num_cycles=20)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_gymnasium_accepts_the_game(opponent: str | None) -> None:
    pytest.importorskip("gymnasium")
    from ropewalk.adapters import gymnasium

    envs, rng = gymnasium.make_vec("hex-3", 5, opponent=opponent, agent_seat=None), np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    for _ in range(40):
        assert observations in envs.observation_space
        masks = observations["action_mask"]
        observations, rewards, terminations, _, _ = envs.step((rng.random(masks.shape) * masks).argmax(axis=1))
        assert (rewards[~terminations] == 0).all()
    envs.close()
