"""External UGI engines as bots, apart from games in the arena (test_playing.py)."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

import ropewalk
from ropewalk.bots.bot import BotError, Limit
from ropewalk.bots.ugi_client import BotTimeout, UgiBot, UgiProcess, go_command, parse_info
from tests.support.ugi_engines import GAME, engine_command, is_running, list_pids

LARIAT = ropewalk.game(GAME)


@pytest.mark.parametrize(
    ("limit", "command"),
    [
        (Limit(seconds=0.25), "go movetime 250"),
        (Limit(seconds=0.0001), "go movetime 1"),
        (Limit(visits=500), "go nodes 500"),
        (Limit(seconds=2, visits=500), "go nodes 500 movetime 2000"),
        (Limit(), "go movetime 1000"),
    ],
)
def test_limits_in_ugi(limit: Limit, command: str) -> None:
    assert go_command(limit) == command


def test_what_an_engine_says_of_a_position() -> None:
    assert parse_info(["info nodes 5 wdl 100 200 700", "info depth 3 nodes 90", "bestmove a1"]) == (0.2, 90)
    assert parse_info(["wdl 1 2 3", "bestmove a1"]) == (0.5, 0)


def test_a_report_and_a_position_that_nobody_led_to(tmp_path: Path) -> None:
    running_before = set(UgiProcess.running_processes)
    bot = UgiBot(LARIAT, engine_command(tmp_path))
    position = LARIAT.start().play("b1")
    *_, report = bot.analyse(position, Limit(visits=9))
    assert (bot.name, report.value, report.visits, report.seat) == ("First Cell 1.0", 0.8, 42, 1)
    assert (tmp_path / "received").read_text().splitlines()[-2:] == [f"position fen {position}", "go nodes 9"]
    bot.close()
    assert not is_running(list_pids(tmp_path)[0])
    assert running_before == UgiProcess.running_processes


def test_the_spec_is_put_into_the_command(tmp_path: Path) -> None:
    folder = tmp_path / GAME
    folder.mkdir()
    bot = UgiBot(LARIAT, engine_command(folder).replace(str(folder), f"{tmp_path}/{{spec}}"))
    bot.close()
    assert (folder / "received").read_text().endswith("quit\n")


def test_a_hanging_engine_can_be_cancelled(tmp_path: Path) -> None:
    bot = UgiBot(LARIAT, engine_command(tmp_path, "hang"))
    moves = ["b1", "c4", "c2", "d5"]
    position = LARIAT.start()
    for move in moves:
        position = position.play(move)
    bot.set_moves(moves)
    limit = Limit(seconds=500)
    started_at = time.monotonic()
    threading.Timer(0.2, limit.cancelled.set).start()
    with pytest.raises(BotTimeout, match="did not send bestmove within 1 s"):
        bot.choose(position, limit)
    assert time.monotonic() - started_at < 60
    assert not is_running(list_pids(tmp_path)[0])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither program")
@pytest.mark.parametrize(("command", "message"), [("true", "ended with exit code 0"), ("cat", "did not send ugiok within")])
def test_a_program_that_is_no_engine_is_refused(command: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    running_before = set(UgiProcess.running_processes)
    monkeypatch.setattr("ropewalk.bots.ugi_client.START_TIMEOUT_SECONDS", 0.3)
    with pytest.raises(BotError, match=message):
        UgiBot(LARIAT, command)
    assert running_before == UgiProcess.running_processes
