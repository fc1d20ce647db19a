"""Bots that users write: `choose` alone is enough, a name is optional, and errors are shown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ropewalk
from ropewalk import Bot, BotError, Limit, Position
from ropewalk.nets.onnx_evaluator import NetError, load_session, resolve_net_path
from tests.support.command_runner import call_ropewalk

MODULE = """
from ropewalk import Bot

class FirstMove(Bot):
    def __init__(self, game):
        self.game = game

    def choose(self, position, limit=None):
        return position.moves()[0]

class Failing(FirstMove):
    def choose(self, position, limit=None):
        raise ValueError("no idea what to do")

class Unmade(FirstMove):
    name = property(lambda self: 1 / 0)
"""


class LastMove(Bot):
    def __init__(self, game: ropewalk.Game) -> None:
        self.game = game

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        return position.moves()[-1]


def test_a_bot_that_only_chooses_also_analyses() -> None:
    game = ropewalk.game("tether-3")
    (report,) = LastMove(game).analyse(game.start())
    assert (report.lines[0].moves, report.value, report.certainty, report.seat) == (("c3",), 0.5, "estimate", 0)


def test_a_bot_that_does_neither_says_so() -> None:
    game = ropewalk.game("tether-3")
    with pytest.raises(BotError, match="Bot must define `choose` or `analyse`"):
        Bot().choose(game.start())


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "simple_bots.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{':'.join(path for path in sys.path if path)}")
    return tmp_path


def test_a_bot_without_a_name_plays_in_the_arena(own_bots: Path) -> None:
    done = call_ropewalk("arena", "tether-3", "py:simple_bots:FirstMove", "random", "--games", "2")
    assert done.code == 0, done.err
    assert "py:simple_bots:FirstMove" in done.out


def test_the_message_of_a_crash_is_shown(own_bots: Path) -> None:
    done = call_ropewalk("arena", "tether-3", "py:simple_bots:Failing", "random", "--games", "2")
    assert "ValueError: no idea what to do" in " ".join(done.out.split())


def test_a_bot_that_cannot_be_asked_for_its_name_is_an_error_of_one_line(own_bots: Path) -> None:
    done = call_ropewalk("arena", "tether-3", "py:simple_bots:Unmade", "random", "--games", "2")
    assert done.code != 0
    assert "ZeroDivisionError" in done.err
    assert "Traceback" not in done.err


def test_a_level_with_a_net_says_that_onnxruntime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    load_session.cache_clear()
    with pytest.raises(NetError, match="pip install onnxruntime"):
        load_session(resolve_net_path(ropewalk.game("tether-5")))
