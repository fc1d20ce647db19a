"""Bars: on a terminal only, only for work that takes a while, gone at the end."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path

import pytest

import ropewalk as package
from ropewalk import progress
from ropewalk.jit.compile_progress import CompileListener, kernel_call_graph, show_compile_progress
from ropewalk.progress import progress_bar
from ropewalk.rules.generic import inspect_row, step
from ropewalk.rules.interface import outcome
from tests.support.command_runner import run_ropewalk


class Terminal(io.StringIO):
    """What a terminal is sent."""

    def isatty(self) -> bool:
        return True


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """A terminal in place of the error stream (no fixture: pytest puts its own stream there after those)."""
    for unwanted in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(unwanted, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    created = Terminal()
    with redirect_stderr(created):
        yield created


def test_long_work_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.01)
    with terminal(monkeypatch) as sent, progress_bar("counting sheep") as report:
        time.sleep(0.02)
        report(3, 4)
    assert "counting sheep" in sent.getvalue()
    assert "75%" in sent.getvalue()


def test_without_a_terminal_long_work_says_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LOG_INTERVAL_SECONDS", 0.05)
    with progress_bar("counting sheep") as report:
        report(1, 4000)
        time.sleep(0.06)
        report(2000, 4000)
        report(2001, 4000, "white sheep")
        time.sleep(0.06)
        report(3000, 4000)
    assert capsys.readouterr().err == "ropewalk: 2,000 of 4,000: counting sheep\nropewalk: 3,000 of 4,000: white sheep\n"


def test_short_work_does_not_flicker(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as sent, progress_bar("counting sheep") as report:
        report(4, 4)
    assert sent.getvalue() == ""


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_without_a_terminal_bars_are_silent(
    term: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    with progress_bar("counting sheep") as report:
        report(3, 4)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("spec", ["lariat-1x1", "cube-lariat-2", "tether-3", "laocoon-weave", "liger-4"])
def test_all_kernels_that_an_entry_calls_are_counted(spec: str) -> None:
    rules = package.game(spec).rules
    needed = kernel_call_graph(inspect_row, rules)
    assert {inspect_row, outcome.dispatch_table.implementations[type(rules)]} <= needed  # type: ignore[attr-defined]
    assert needed < kernel_call_graph(step, rules)


def test_only_kernels_of_the_game_itself_are_counted() -> None:
    names = {kernel.py_func.__module__.split(".")[-1] for kernel in kernel_call_graph(step, package.game("tether-3").rules)}
    assert not names & {"liger", "laocoon", "lariat_common", "lariat", "cube_lariat"}


def test_what_is_compiled_already_is_not_talked_about(capsys: pytest.CaptureFixture[str]) -> None:
    game = package.game("tether-3")
    game.start().play("a1")
    with show_compile_progress(game.name, game.rules, inspect_row, step):
        game.start().play("a1")
    assert capsys.readouterr().err == ""


@dataclass
class Event:
    """What numba tells its listeners."""

    is_start: bool


def test_without_a_terminal_one_line_says_that_kernels_compile(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as shown:
        listener = CompileListener("Tether", set(), shown)
        for is_start in (True, True, False, False, True, False):
            listener.notify(Event(is_start))
    assert capsys.readouterr().err == "ropewalk: compiling Tether kernels, once per machine\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_the_first_use_has_a_bar_that_comes_to_its_end_and_the_second_none(tmp_path: Path) -> None:
    settings = {"ROPEWALK_CACHE_DIR": str(tmp_path), "TERM": "xterm"}
    assert read_terminal("show", "liger-4", settings=settings) == "", "a single position needs no machine code"
    first = read_terminal("perft", "liger-4", "2", settings=settings)
    assert "compiling Liger kernels, once per machine" in first
    assert "100%" in first
    assert read_terminal("perft", "liger-4", "2", settings=settings) == ""


def read_terminal(*argv: str, settings: dict[str, str]) -> str:
    """Return what a command writes to the error stream when that is a terminal."""
    import pty

    main_end, other_end = pty.openpty()
    command = [sys.executable, "-m", "ropewalk", *argv]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=other_end, env=os.environ | settings) as running:
        os.close(other_end)
        seen = read_all(main_end)
    assert running.returncode == 0
    return seen


def read_all(descriptor: int) -> str:
    """Everything that is written to a pseudo-terminal until it closes."""
    seen = b""
    try:
        while part := os.read(descriptor, 4096):
            seen += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(descriptor)
    return seen.decode()


def test_commands_run_without_compiling_at_all() -> None:
    settings = {"NUMBA_DISABLE_JIT": "1"}
    result = run_ropewalk("perft", "tether-3", "3", settings=settings)
    assert (result.code, result.out, result.err) == (0, '{"1": 9, "2": 72, "3": 504}\n', "")
