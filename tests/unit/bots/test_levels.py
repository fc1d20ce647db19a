"""Bots through their public interface."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest

import ropewalk
from ropewalk.bots.bot import BotError, Limit
from ropewalk.bots.levels import baseline_uct, bot
from ropewalk.engine.stdio import LineWriter
from ropewalk.engine.ugi import UgiEngine
from ropewalk.games import tether
from ropewalk.games.definition import GameSpec
from ropewalk.games.position import Position
from ropewalk.games.tether.game import Tether
from ropewalk.nets.config import file_sha256
from ropewalk.nets.onnx_evaluator import resolve_net_path

SPECS = ["lariat-1x2", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("level", range(1, 9))
def test_every_level_plays_a_legal_move(spec: str, level: int) -> None:
    position = ropewalk.game(spec).start()
    player = bot(position.game, level)
    assert player.choose(position, Limit(visits=200)) in position.moves()
    assert player.budget
    player.close()


@pytest.mark.parametrize("spec", SPECS)
def test_two_levels_play_a_whole_game(spec: str) -> None:
    game = ropewalk.game(spec)
    players = [bot(game, 2), bot(game, 4)]
    position = game.start()
    while position.seat is not None:
        position = position.play(players[position.seat].choose(position, Limit(visits=50)))
    assert position.outcome is not None
    for player in players:
        player.close()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("level", [3, 8])
def test_reports_stream_and_the_last_one_stands(spec: str, level: int) -> None:
    position = ropewalk.game(spec).start()
    player = bot(position.game, level)
    reports = list(player.analyse(position, Limit(visits=3000)))
    last = reports[-1]
    assert last.seat == position.seat
    assert 0 <= last.value <= 1
    assert last.visits <= 3000 + 1
    for line in last.lines:
        after = position
        for move in line.moves:
            after = after.play(move)
    player.close()


@pytest.mark.parametrize("level", [3, 8])
def test_a_game_repeats_itself_for_a_seed(level: int) -> None:
    for spec in ("tether-5", "liger-4"):
        game = ropewalk.game(spec)
        player = bot(game, level)
        games = []
        for _ in range(2):
            player.new_game(7)
            position = game.start()
            while position.outcome is None and len(position.steps()) < 12:
                position = position.play(player.choose(position, Limit(visits=150)))
            games.append(position.steps())
        assert games[0] == games[1]
        player.close()


@pytest.mark.parametrize("spec", ["tether-9", "liger-8"])
def test_a_cancelled_bot_still_answers(spec: str) -> None:
    position = ropewalk.game(spec).start()
    player = bot(position.game, 8)
    limit = Limit(seconds=60)
    threading.Timer(0.2, limit.cancelled.set).start()
    began = time.monotonic()
    assert player.choose(position, limit) in position.moves()
    assert time.monotonic() - began < 10
    player.close()


def test_a_bot_cancelled_before_it_began_still_answers() -> None:
    for spec in SPECS:
        position = ropewalk.game(spec).start()
        for player in (bot(position.game, 1), bot(position.game, 8), baseline_uct(position.game)):
            limit = Limit(seconds=60)
            limit.cancelled.set()
            assert player.choose(position, limit) in position.moves()
            *_, last = player.analyse(position, limit)
            assert last.lines[0].moves[0] in position.moves()
            player.close()


def test_levels_outside_of_1_to_8_are_refused() -> None:
    game = ropewalk.game("tether-5")
    for wrong in (0, 9, -1, True):
        with pytest.raises(BotError, match="Tether has levels 1 to 8"):
            bot(game, wrong)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_no_time_to_think_is_refused(seconds: float) -> None:
    with pytest.raises(BotError, match="more than 0 seconds"):
        Limit(seconds=seconds)


def test_no_visits_are_refused() -> None:
    with pytest.raises(BotError, match="must be at least 1, not 0"):
        Limit(visits=0)


@pytest.mark.parametrize("level", [2, 8])
def test_a_finished_game_is_refused(level: int) -> None:
    game = ropewalk.game("liger-4x1-norepetition")
    position = game.start()
    while position.outcome is None:
        position = position.play(position.moves()[0])
    player = bot(game, level)
    with pytest.raises(BotError, match="the game is over"):
        player.choose(position)
    with pytest.raises(BotError, match="the game is over"):
        next(iter(player.analyse(position)))
    player.close()


def test_a_win_in_sight_is_proven() -> None:
    for spec, level in (("lariat-1x1", 6), ("liger-4x1", 8)):
        game = ropewalk.game(spec)
        position = game.start()
        player = bot(game, level)
        *_, last = player.analyse(position, Limit(visits=200_000))
        assert last.certainty == "proven"
        assert last.value in (0, 1)
        player.close()


def repeated_once(spec: str, seed: int) -> Position:
    """A position of a random game in which one has just occurred for the second time."""
    rng = Random(seed)
    game = ropewalk.game(spec)
    position = game.start()
    while not position.has_repetition:
        position = game.start() if position.outcome else position.play(rng.choice(position.moves()))
    return position


def test_a_win_in_sight_is_an_estimate_when_a_third_occurrence_may_draw() -> None:
    position = repeated_once("liger-4x2", seed=2)
    afresh = position.game.position(str(position))
    player = bot(position.game, 7)
    *_, last = player.analyse(position)
    *_, same = player.analyse(afresh)
    player.close()
    assert (last.value, same.value) in {(0, 0), (1, 1)}
    assert (last.certainty, same.certainty) == ("estimate", "proven")


def test_every_game_has_eight_levels() -> None:
    assert {len(entry.bots) for entry in ropewalk.games()} == {8}


def test_a_game_that_declares_no_levels_has_the_default_ones() -> None:
    declared = tether.SPEC._asdict()
    measured = ("bots", "mcts", "guidance")

    class Unmeasured(Tether):
        definition = GameSpec(**{name: value for name, value in declared.items() if name not in measured})

    game = Unmeasured(5)
    budgets = ["30 playouts a move", "50,000 positions, then 64,000 playouts a move"]
    assert [bot(game, level).budget for level in (1, 8)] == budgets
    assert UgiEngine(game, 1, 1, LineWriter()).level.maximum == 8
    with pytest.raises(BotError, match="invalid level 9"):
        bot(game, 9)


@pytest.mark.parametrize("spec", ["lariat-2x10", "cube-lariat-4", "tether-13", "laocoon-weave", "liger-8"])
@pytest.mark.parametrize("level", [6, 7, 8])
def test_strong_levels_prove_wins_and_losses_before_the_end(spec: str, level: int) -> None:
    """Whoever makes the last move of this game has won already; one move earlier, the opponent can no longer prevent it."""
    game = ropewalk.game(spec)
    player, guide = bot(game, level), bot(game, 4)
    guide.new_game(7)
    positions = [game.start()]
    while positions[-1].seat is not None:
        positions.append(positions[-1].play(guide.choose(positions[-1])))
    before, final = (list(player.analyse(position))[-1] for position in positions[-3:-1])
    player.close()
    assert (final.certainty, final.value) == ("proven", 1.0)
    is_same_turn = before.seat == final.seat
    assert is_same_turn or (before.certainty, before.value) == ("proven", 0.0)


def test_a_bot_with_all_the_visits_it_wants_still_reports() -> None:
    game = ropewalk.game("laocoon-weave")
    player, limit = bot(game, 6), Limit(visits=10**9)
    watch = threading.Timer(60, limit.cancelled.set)  # so that a bot that never reports does not hang this test
    watch.start()
    report = next(iter(player.analyse(game.start(), limit)))
    watch.cancel()
    assert report.visits > 0
    assert not limit.cancelled.is_set()
    limit.cancelled.set()
    player.close()


@pytest.mark.parametrize("spec", ["laocoon-weave", "liger-8"])
def test_a_bot_that_is_cut_short_decides_about_the_position_it_looked_at(spec: str) -> None:
    position = ropewalk.game(spec).start()
    player = bot(position.game, 6)
    position = position.play(player.choose(position, Limit(visits=100)))
    limit = Limit(visits=10**9)
    reports = player.analyse(position, limit)
    last = next(reports)
    limit.cancelled.set()
    *_, last = [last, *reports]
    assert player.decide(position, last) in position.moves()
    player.close()


def test_the_eighth_level_asks_a_net_and_says_which() -> None:
    for spec in SPECS:
        game = ropewalk.game(spec)
        assert bot(game, 7).net == ""
        assert bot(game, 8).net == file_sha256(resolve_net_path(game))
