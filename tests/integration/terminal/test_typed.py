"""Whole games by typing, colour off; colour only where a terminal has it; a terminal that goes away loses nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import ropewalk as package
from ropewalk.terminal.line_mode import draw_in_colour
from ropewalk.terminal.session import Session
from tests.support.command_runner import call_ropewalk, run_ropewalk
from tests.support.terminal_user import SHORT_GAMES, STANDARD_GAMES, TerminalUser, find_short_game, play_random_game

SERVERS = count()
TMUX_KEYS = {"enter": "Enter", "tab": "Tab", "up": "Up", "down": "Down", "left": "Left", "right": "Right"}


@pytest.mark.parametrize("spec", SHORT_GAMES)
def test_a_whole_game_by_typing(spec: str, tmp_path: Path) -> None:
    moves = find_short_game(package.game(spec).start())
    path = tmp_path / "game.sgf"
    result = call_ropewalk("play", spec, "--line-mode", "--no-colour", typed="\n".join([*moves, f"save {path}", "quit"]))
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert " wins: " in result.out
    assert "identical" in call_ropewalk("verify", str(path)).out


def test_a_kept_game_is_shown_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    call_ropewalk("play", "tether-5", typed=f"c3 d4\nsave {path}\n")
    result = call_ropewalk("play", "--replay", str(path), typed="next\nlast\nb2\n")
    assert "\nposition 0 of 2> next\n" in result.out
    assert "\nblue, 22 moves such as a1> " in result.out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], "expected exactly one of: a SPEC such as lariat, --replay FILE, --resume"),
        (["tether-5", "--resume"], "expected exactly one of"),
        (["--resume", "--bot", "3"], "need a SPEC"),
        (["--replay", "nowhere.sgf"], "cannot read 'nowhere.sgf'"),
    ],
)
def test_a_game_is_named_in_one_way(argv: list[str], words: str) -> None:
    result = call_ropewalk("play", *argv)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert words in result.err


def test_without_a_kept_game_there_is_nothing_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_STATE_DIR", str(tmp_path))
    assert "no unfinished game found in" in call_ropewalk("play", "--resume").err


@pytest.mark.parametrize("spec", SHORT_GAMES)
def test_colour_takes_no_letter_away(spec: str) -> None:
    session = Session(package.game(spec).start())
    session.play(find_short_game(session.start)[:5])
    painted = draw_in_colour(session)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == session.position.draw()


def test_nothing_of_the_full_screen_is_loaded_line_by_line() -> None:
    code = "import sys; from ropewalk.cli.main import main; main(['play', 'tether-3']); assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], input="b2\n", capture_output=True, text=True, check=True)


# In a real terminal


class Terminal:
    """A terminal of tmux with one command in it."""

    def __init__(self, command: str, columns: int, lines: int, folder: Path) -> None:
        self.tmux = ["tmux", "-L", f"ropewalk-test-{os.getpid()}-{next(SERVERS)}"]
        environment = f"ROPEWALK_STATE_DIR={folder} "
        self.run(
            "new-session", "-d", "-s", "table", "-x", str(columns), "-y", str(lines), f"{environment}{command}; sleep 100"
        )

    def run(self, *words: str) -> str:
        return subprocess.run([*self.tmux, *words], capture_output=True, text=True, check=True).stdout

    def press(self, *keys: str) -> None:
        if keys:
            self.run("send-keys", "-t", "table", *(TMUX_KEYS.get(key, key) for key in keys))

    def screen(self) -> str:
        return self.run("capture-pane", "-p", "-t", "table")

    def wait_for(self, words: str, seconds: float = 120.0) -> str:
        until = time.monotonic() + seconds
        while words not in (screen := self.screen()):
            assert time.monotonic() < until, f"{words!r} never came:\n{screen}"
            time.sleep(0.05)
        return screen

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def open_terminal(terminals: list[Terminal], words: str, folder: Path, columns: int = 80, lines: int = 24) -> Terminal:
    terminals.append(Terminal(f"{sys.executable} -m ropewalk play {words}", columns, lines, folder))
    return terminals[-1]


needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@needs_tmux
@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SHORT_GAMES, *STANDARD_GAMES])
def test_a_whole_game_by_keys_in_a_real_terminal(spec: str, terminals: list[Terminal], tmp_path: Path) -> None:
    position = package.game(spec).start()
    terminal = open_terminal(terminals, spec, tmp_path)
    terminal.wait_for("q quit")
    hand = TerminalUser(position)
    for number, move in enumerate(play_random_game(position, seed=1), start=1):
        terminal.press(*hand.find_keys(position, move))
        position = position.play(move)
        if position.seat is not None:
            terminal.wait_for(f"last: {move}")
        assert number < 1000
    terminal.wait_for(" wins")


@needs_tmux
@pytest.mark.slow
def test_a_terminal_that_goes_away_loses_nothing(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = open_terminal(terminals, "tether-5 --bot 1", tmp_path)
    terminal.wait_for("q quit")
    terminal.press("enter")
    terminal.wait_for("red to move; last:")
    terminal.close()
    again = open_terminal(terminals, "--resume", tmp_path)
    again.wait_for("red to move; last:")
    assert "level 1 blue" in again.screen()
    again.press("C-c")
    again.wait_for("ropewalk play --resume goes on with it")
    assert "\nred, 23 moves" in run_ropewalk("play", "--resume", settings={"ROPEWALK_STATE_DIR": str(tmp_path)}).out
