"""OpenSpiel's MCTS as a bot; skipped unless OpenSpiel is installed."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.bots.bot_spec import make_bot
from tests.support.optional import import_optional

import_optional("pyspiel")

BOT = "py:benchmarks.open_spiel_bot:bot"


@pytest.mark.parametrize("spec", ["lariat-1x2-pie", "cube-lariat-2", "tether-3", "laocoon-weave", "liger-4"])
def test_it_plays_legal_steps_of_every_game(spec: str) -> None:
    game = ropewalk.game(spec)
    bot = make_bot(game, f"{BOT}@8")
    position = game.start()
    for _ in range(6):
        if position.seat is None:
            break
        position = position.play(bot.choose(position))


def test_it_finds_a_win_and_knows_that_it_is_proven() -> None:
    game = ropewalk.game("lariat-1x1")
    *_, report = make_bot(game, BOT).analyse(game.start().play("b1").play("b3"), Limit(visits=300))
    assert report.lines[0].moves == ("a1",)
    assert (report.value, report.certainty, report.seat) == (1.0, "proven", 0)


def test_a_seed_and_visits_repeat_a_search() -> None:
    bot = make_bot(ropewalk.game("tether-5"), BOT)

    def search_lines(seed: int) -> tuple[object, ...]:
        bot.new_game(seed)
        *_, report = bot.analyse(bot.game.start(), Limit(visits=60))
        assert report.visits == 60
        return report.lines

    assert search_lines(1) == search_lines(1)
    assert search_lines(1) != search_lines(2)


def test_it_keeps_to_a_time() -> None:
    bot = make_bot(ropewalk.game("tether-5"), f"{BOT}@0.2s")
    bot.choose(bot.game.start(), Limit(visits=1))
    *_, report = bot.analyse(bot.game.start())
    assert 0.1 < report.seconds < 10
