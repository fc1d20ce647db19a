"""Weak levels: moves of the nucleus of the policy, wins and threats within their lookahead, and nothing else."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest

import ropewalk
from ropewalk import Game, Position
from ropewalk.bots.bot import Limit
from ropewalk.bots.policy_bot import NUCLEUS, PolicyBot, nucleus_weights
from ropewalk.nets.onnx_evaluator import resolve_net_path
from tests.support.random_games import random_positions

TETHER = ropewalk.game("tether-5")


def make_policy_bot(game: Game, temperature: float, lookahead_turns: int = 0) -> PolicyBot:
    return PolicyBot(game, resolve_net_path(game), "weak", temperature, lookahead_turns)


def test_the_nucleus_has_the_most_probable_moves_that_reach_its_share() -> None:
    probabilities = np.array([0.05, 0.5, 0.3, 0.14, 0.01])
    weights = nucleus_weights(np.log(probabilities).astype(np.float32), temperature=1.0)
    assert [weight > 0 for weight in weights] == [False, True, True, True, False]
    assert sum(weights) == pytest.approx(1)
    assert weights[1] == pytest.approx(0.5 / 0.94)
    assert NUCLEUS == 0.9


def test_a_higher_temperature_makes_moves_more_equal() -> None:
    logits = np.array([4.0, 2.0, 0.0], np.float32)
    assert nucleus_weights(logits, 0.2) == [1, 0, 0]
    hot = nucleus_weights(logits, 100.0)
    assert max(hot) - min(hot) < 0.02


@pytest.mark.parametrize("spec", ["lariat-1x6", "cube-lariat-2", "tether-9", "laocoon-weave", "liger-6"])
def test_a_seed_repeats_a_game_and_another_one_does_not(spec: str) -> None:
    game = ropewalk.game(spec)
    bot = make_policy_bot(game, 2.0)
    games = []
    for seed in (1, 2, 1):
        bot.new_game(seed)
        position = game.start()
        moves: list[str] = []
        while position.seat is not None and len(moves) < 20:
            moves.append(bot.choose(position))
            position = position.play(moves[-1])
        games.append(moves)
    assert games[0] == games[2] != games[1]


def winning_moves(position: Position) -> set[str]:
    """Return the moves that win at once."""
    return {move for move in position.moves() if position.play(move).result == position.seat}


def choices(position: Position, lookahead_turns: int) -> set[str]:
    """Return the moves of many samples at a high temperature."""
    bot = make_policy_bot(position.game, 100.0, lookahead_turns)
    return {bot.choose(position) for _ in range(60)}


def test_it_sees_a_win_in_its_turn_only_with_lookahead() -> None:
    positions = [each for each in random_positions(ropewalk.game("lariat-1x2"), 10) if winning_moves(each)]
    assert len(positions) > 5
    for position in positions:
        assert choices(position, 1) <= winning_moves(position)
    assert not all(choices(position, 0) <= winning_moves(position) for position in positions)


def test_it_avoids_moves_that_let_the_opponent_win_only_with_two_turns_of_lookahead() -> None:
    num_positions = num_errors = 0
    for position in random_positions(ropewalk.game("lariat-1x2"), 30):
        losing = {
            move for move in position.moves() if (after := position.play(move)).seat is not None and winning_moves(after)
        }
        if not winning_moves(position) and losing and len(losing) < len(position.moves()):
            num_positions += 1
            num_errors += bool(choices(position, 1) & losing)
            assert not choices(position, 2) & losing
    assert num_positions > 5
    assert num_errors > num_positions // 2


def test_a_search_that_may_play_some_moves_plays_them() -> None:
    bot = make_policy_bot(TETHER, 2.0, 2)
    assert {bot.choose(TETHER.start(), Limit(moves=("a1", "e5"))) for _ in range(30)} == {"a1", "e5"}
    position = next(each for each in random_positions(TETHER, 10) if winning_moves(each))
    other = min(set(position.moves()) - winning_moves(position))
    assert bot.choose(position, Limit(moves=(other,))) == other


def test_a_report_has_the_moves_that_may_be_sampled_and_decide_samples_them() -> None:
    bot = make_policy_bot(TETHER, 1.5)
    start = TETHER.start()
    (report,) = bot.analyse(start)
    moves = [line.moves[0] for line in report.lines]
    decided = Counter(bot.decide(start, report) for _ in range(300))
    assert set(decided) <= set(moves)
    assert len(decided) > 3
    assert report.certainty == "estimate"
    assert 0 < report.value < 1


def test_a_copy_plays_as_the_original() -> None:
    bot = make_policy_bot(TETHER, 3.0)
    bot.new_game(5)
    copy = pickle.loads(pickle.dumps(bot))
    assert [copy.choose(TETHER.start()) for _ in range(10)] == [bot.choose(TETHER.start()) for _ in range(10)]
