"""Bot specs, and the baseline bots."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import ropewalk
from ropewalk.bots.baseline import FlatMonteCarloBot
from ropewalk.bots.bot import Bot, BotError, Limit
from ropewalk.bots.bot_spec import make_bot, parse_bot_spec

GAME = ropewalk.game("tether-5")


@pytest.mark.parametrize(
    ("text", "kind", "argument", "limit"),
    [
        ("random", "random", "", None),
        ("flat-mc@5000", "flat-mc", "", Limit(visits=5000)),
        ("flat-mc@0.1s", "flat-mc", "", Limit(seconds=0.1)),
        ("flat-mc@2s", "flat-mc", "", Limit(seconds=2)),
        ("guided:net.onnx@9", "guided", "net.onnx", Limit(visits=9)),
        ("ugi:./engine --mail me@home.org", "ugi", "./engine --mail me@home.org", None),
        ("ugi:./engine a:b@5s@20", "ugi", "./engine a:b@5s", Limit(visits=20)),
        ("py:here.there:bot@7", "py", "here.there:bot", Limit(visits=7)),
    ],
)
def test_a_name_has_a_kind_an_argument_and_a_budget(text: str, kind: str, argument: str, limit: Limit | None) -> None:
    spec = parse_bot_spec(text)
    assert (spec.text, spec.kind, spec.argument, spec.limit) == (text, kind, argument, limit)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown bot ''; allowed are level-N, uct, net or net:FILE, guided or guided:FILE, random, flat-mc"),
        ("rnadom", "did you mean random"),
        ("flatmc", "did you mean flat-mc"),
        ("flat-mc:5", "expected flat-mc, optionally with a budget"),
        ("random@", "unknown bot 'random@"),
        ("random@fast", "unknown bot 'random@"),
        ("random@0", "must be at least 1, not 0"),
        ("random@0s", "more than 0 seconds, not 0"),
        ("random:7", "expected random, optionally with a budget such as @0.1s"),
        ("random:", "expected random"),
        ("ugi", "expected ugi:COMMAND"),
        ("ugi:@5", "expected ugi:COMMAND"),
        ("x" * 2000, "has 2000 characters; at most 1000"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(BotError, match=message):
        parse_bot_spec(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("py:nowhere", "expected py:MODULE:FUNCTION"),
        ("py:no_such_module:bot", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("py:math:no_such", "AttributeError"),
        ("py:math:pi", "'float' object is not callable"),
        ("py:builtins:repr", "expected a ropewalk.Bot, but the function returned"),
        ("ugi:/no/such/engine", "cannot start the engine '/no/such/engine': .*No such file"),
        ("ugi:'", "cannot start the engine"),
    ],
)
def test_a_bot_that_cannot_be_made_says_why(text: str, message: str) -> None:
    with pytest.raises(BotError, match=message):
        make_bot(GAME, text)


def test_a_module_of_the_current_folder_can_make_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "from ropewalk.bots.baseline import RandomBot\ndef mine(game): return RandomBot(game)\n"
    (tmp_path / "my_own_bots.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/somewhere/else"])
    assert make_bot(GAME, "py:my_own_bots:mine").name == "random"


@pytest.mark.parametrize(("former", "current"), [("greedy@30", "flat-mc@30"), ("advised@0.3s", "guided@0.3s")])
def test_names_in_older_result_files_make_the_same_bots(former: str, current: str) -> None:
    bots = [make_bot(GAME, text) for text in (former, current)]
    assert len({(type(bot), bot.name, bot.budget, bot.net) for bot in bots}) == 1
    assert parse_bot_spec(former).limit == parse_bot_spec(current).limit
    for bot in bots:
        bot.close()


def test_a_budget_holds_where_no_other_limit_is_given() -> None:
    bot = make_bot(GAME, "flat-mc@30")
    assert (bot.name, bot.budget) == ("greedy, 30 visits", "30 visits")
    assert count_visits(bot, None) == count_visits(bot, Limit()) == 30
    assert count_visits(bot, Limit(visits=12)) == 12


def count_visits(bot: Bot, limit: Limit | None) -> int:
    *_, last = bot.analyse(GAME.start(), limit)
    return last.visits


def test_flat_monte_carlo_takes_a_win_and_a_seed_repeats_it() -> None:
    bot = FlatMonteCarloBot(ropewalk.game("lariat-1x1"))
    moves = []
    for _ in range(2):
        bot.new_game(3)
        position = bot.game.start()
        while position.seat is not None:
            moves.append(bot.choose(position, Limit(visits=40)))
            position = position.play(moves[-1])
    assert moves[: len(moves) // 2] == moves[len(moves) // 2 :]
    assert bot.choose(bot.game.start().play("b1").play("b3")) == "a1"


def test_flat_monte_carlo_can_be_cancelled() -> None:
    cancelled = threading.Event()
    cancelled.set()
    assert count_visits(FlatMonteCarloBot(GAME), Limit(cancelled=cancelled)) == 1
    assert count_visits(FlatMonteCarloBot(GAME), Limit(seconds=100, cancelled=cancelled)) == 1


@pytest.mark.parametrize("text", ["random", "flat-mc"])
def test_a_finished_game_has_nothing_to_choose(text: str) -> None:
    game = ropewalk.game("lariat-1x1")
    position = game.start()
    while position.seat is not None:
        position = position.play(position.moves()[0])
    with pytest.raises(BotError, match="the game is over"):
        make_bot(game, text).choose(position)
