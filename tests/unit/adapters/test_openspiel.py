"""OpenSpiel's own tests accept every game, with serialisation."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import ropewalk
from tests.support.optional import import_optional

pyspiel = import_optional("pyspiel")

from ropewalk.adapters import openspiel

SPECS = [
    "lariat-1x3", "lariat-1x2-pie", "cube-lariat-2", "tether-5", "tether-9", "laocoon-weave", "laocoon-random-7", "liger-4",
    "liger-6",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_random_simulations_pass_with_serialisation(spec: str) -> None:
    pyspiel.random_sim_test(openspiel.load_game(spec), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", SPECS)
def test_a_state_is_the_position(spec: str) -> None:
    game, rng = openspiel.load_game(spec), random.Random(1)
    state, position = game.new_initial_state(), ropewalk.game(spec).start()
    while not state.is_terminal():
        assert state.current_player() == position.seat
        assert state.legal_actions() == position.move_ids().tolist()
        assert np.array_equal(state.legal_actions_mask(), position.action_mask())
        expected = position.observation().ravel()
        assert np.array_equal(state.observation_tensor(position.seat), expected)
        assert np.array_equal(state.information_state_tensor(position.seat), expected)
        assert state.observation_string(0) == state.information_state_string(0) == str(position)
        move = rng.choice(state.legal_actions())
        assert state.action_to_string(move) == position.game.move_text(move)
        state.apply_action(move)
        position = position.play_id(move)
    assert game.observation_tensor_size() == position.observation().size
    assert state.returns() == {0: [1, -1], 1: [-1, 1], 2: [0, 0]}[position.result]


def test_a_clone_goes_its_own_way() -> None:
    state = openspiel.load_game("tether-5").new_initial_state()
    state.apply_action(3)
    clone = state.clone()
    clone.apply_action(4)
    assert state.legal_actions() != clone.legal_actions()
    assert clone.history() == [3, 4]


def test_games_and_states_are_serialised_and_pickled() -> None:
    game = openspiel.load_game("liger-4", max_game_length=50)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    loaded_game, loaded_state = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(loaded_game) == str(game)
    assert str(loaded_state) == str(state)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    assert str(pyspiel.load_game("ropewalk(spec=tether-5)").new_initial_state()) == str(ropewalk.game("tether-5").start())


def test_a_game_without_a_bound_is_drawn_at_the_limit() -> None:
    game, rng = openspiel.load_game("liger-8", max_game_length=12), random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(state.history()) == 12 == game.max_game_length()
    assert state.returns() == [0, 0]
    assert openspiel.load_game("tether-5", max_game_length=12).max_game_length() == 25


def test_algorithms_of_openspiel_play_the_games() -> None:
    game = openspiel.load_game("tether-3")
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 50, 10, True, 1, False)
    assert bot.mcts_search(state).best_child().action in state.legal_actions()
