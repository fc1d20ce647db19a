"""The command itself: help, wrong words, odd terminals, closed pipes, a light start."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

import ropewalk as package
from ropewalk.cli.arguments import make_float_parser
from ropewalk.cli.main import COMMANDS, load_command
from tests.support.command_runner import call_ropewalk, run_ropewalk

HELPS = [["--help"], *([command, "--help"] for command in COMMANDS)]
EXAMPLES = [line for command in COMMANDS for line, _ in load_command(command).examples]
SLOW_OR_ELSEWHERE = (
    "arena", "bench", "check", "solve", "verify-proof", "ugi", "analysis", "convert", "verify", "serve", "open",
    "backup", "restore", "train", "puzzles", "engine-worker", "engine-token", "moderate", "explorer", "report",
)  # fmt: skip
ELSEWHERE = [f"ropewalk {command} " for command in SLOW_OR_ELSEWHERE]
TRIED = [line for line in EXAMPLES if not any(command in f"{line} " for command in ELSEWHERE)]
QUICK_EXAMPLES = [line for line in TRIED if "|" not in line]
PIPED_EXAMPLES = [line for line in TRIED if "|" in line]


@pytest.mark.parametrize("argv", HELPS, ids=" ".join)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_fits_the_terminal_and_has_examples(argv: list[str], columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = call_ropewalk(*argv)
    assert (result.code, result.err) == (0, "")
    assert "\nexamples:\n" in result.out
    words = [line for line in result.out.splitlines() if "ropewalk" not in line]  # a command is never broken into lines
    assert max(map(len, words)) <= columns


def test_help_names_every_command_and_every_designer() -> None:
    result = call_ropewalk("--help")
    assert all(f"\n  {command} " in result.out for command in COMMANDS)
    assert all(name in result.out.replace("\n", " ") for name in ("Mark Steere", "Alain Couchot", "Bernard Klein"))


def test_help_can_be_asked_for_in_many_ways() -> None:
    assert call_ropewalk().out == call_ropewalk("-h").out == call_ropewalk("help").out == call_ropewalk("--help").out
    assert call_ropewalk("help", "show").out == call_ropewalk("show", "-h").out
    assert call_ropewalk("help", "shwo").code == 2


def test_the_version() -> None:
    assert call_ropewalk("--version").out == f"ropewalk {package.__version__}\n"


@pytest.mark.parametrize("line", QUICK_EXAMPLES)
def test_examples_of_the_help_work(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    result = call_ropewalk(*shlex.split(line)[1:])
    assert (result.code, result.err) == (0, "")
    assert result.out


@pytest.mark.skipif(sys.platform == "win32", reason="spelt for a Unix shell")
@pytest.mark.parametrize("line", PIPED_EXAMPLES)
def test_examples_with_pipes_work(line: str) -> None:
    spelt = re.sub(r"\bropewalk\b", f"{shlex.quote(sys.executable)} -m ropewalk", line)
    result = subprocess.run(spelt, shell=True, capture_output=True, text=True, check=True)
    assert "to move:" in result.stdout


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["shwo"], "unknown command 'shwo'; see ropewalk --help; did you mean show?"),
        (["xyzzy"], "unknown command 'xyzzy'; see ropewalk --help"),
        (["--bogus"], "unrecognized arguments: --bogus; see ropewalk --help"),
        (["show"], "the following arguments are required: SPEC; see ropewalk show --help"),
        (["show", "tether", "--jsn"], "unrecognized arguments: --jsn; see ropewalk show --help"),
        (["show", "tehter"], "unknown game 'tehter'; the games are lariat, cube-lariat, tether, laocoon, liger; "
                             "did you mean tether?"),
        (["games", "tether", "all"], "unrecognized arguments: all; see ropewalk games --help"),
        (["perft", "tether-5"], "the following arguments are required: DEPTH; see ropewalk perft --help"),
    ],
)  # fmt: skip
def test_wrong_words_get_one_line(argv: list[str], words: str) -> None:
    result = call_ropewalk(*argv)
    assert (result.code, result.out, result.err) == (2, "", f"ropewalk: {words}\n")


@pytest.mark.parametrize("argv", [["--help"], ["games"], ["games", "--json"], ["show", "--help"], ["show", "nonsense"]])
def test_what_needs_no_kernels_loads_no_heavy_library(argv: list[str]) -> None:
    code = f"import sys; from ropewalk.cli.main import main; main({argv!r}); " \
           "print(*{'numpy', 'numba', 'rich'} & set(sys.modules), sep=',', file=sys.stderr)"  # fmt: skip
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""


def test_the_script_is_installed() -> None:
    script = Path(sys.executable).with_name("ropewalk.exe" if sys.platform == "win32" else "ropewalk")
    result = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert result.stdout == f"ropewalk {package.__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently there")
@pytest.mark.parametrize("argv", [["games"], ["--help"], ["show", "tether-5"]])
def test_a_closed_pipe_is_no_error(argv: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([sys.executable, "-m", "ropewalk", *argv], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert result.returncode in (0, 141)  # 0 where argparse has seen to it
    assert b"Error" not in result.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_odd_bytes_and_terminals_are_fine(encoding: str) -> None:
    settings = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "TERM": "dumb"}
    result = run_ropewalk("play", "tether-5", typed=b"c3\n\xff\xfe\nexplain \xc3\xa9\ntext\n", settings=settings)
    assert result.code == 0
    assert "is not a move of Tether" in result.out
    result = run_ropewalk("show", "tether-5", "--position", "-", typed=b"\xff\xfe\x00", settings=settings)
    assert result.code == 2
    assert result.err.startswith("ropewalk: ")
    assert result.err.count("\n") == 1


def test_a_run_without_standard_streams_ends_quietly() -> None:
    code = "import sys; sys.stdin = None; from ropewalk.cli.main import run; run()"
    result = subprocess.run([sys.executable, "-c", code, "show", "tether-5", "--position", "-"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert result.returncode == 2
    assert "use a pipe" in result.stderr


@pytest.mark.parametrize(
    ("unit", "text", "message"),
    [
        ("minutes", "0", "'0' is not a number of minutes from 0.5 to 90"),
        ("seconds", "-1", "'-1' is not a number of seconds from 0.5 to 90"),
        ("", "1e3", "'1e3' is not a number from 0.5 to 90"),
    ],
)
def test_a_number_outside_its_limits_is_named_with_its_unit(unit: str, text: str, message: str) -> None:
    parse = make_float_parser(0.5, 90, unit)
    assert parse("1.25") == 1.25
    with pytest.raises(ArgumentTypeError, match=f"^{message}$"):
        parse(text)


@pytest.mark.parametrize(
    ("command", "module", "package"),
    [("serve", "sqlalchemy", "ropewalk"), ("open", "uvicorn", "ropewalk"), ("play tether-3", "platformdirs", "ropewalk")],
)
def test_a_command_without_its_libraries_says_what_to_install(command: str, module: str, package: str) -> None:
    script = f"import sys; sys.modules[{module!r}] = None; from ropewalk.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", script, *command.split()], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"ropewalk: this command needs {module}, which is not installed; install it with: pip install {package}\n"
    )
