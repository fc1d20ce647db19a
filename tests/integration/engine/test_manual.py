"""The sessions in docs/engine.md can be reproduced, and its tables are complete."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ropewalk.bots.ugi_client import GRACE_SECONDS, START_TIMEOUT_SECONDS
from ropewalk.cli.main import load_command
from ropewalk.engine.protocol import ACTION_FIELDS, FIELD_PARSERS
from ropewalk.engine.stdio import MAX_LINE_BYTES
from ropewalk.engine.ugi import MAX_QUEUED_COMMANDS
from tests.support.engine_process import EngineProcess

ROOT = Path(__file__).parents[3]
MANUAL = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
SOURCES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "ropewalk" / "engine").glob("*.py"))
SESSIONS = re.findall(r"^```text\n\$ (.*?)\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)


def matches_pattern(expected: str, line: str) -> bool:
    """Return whether a line matches a line of the manual, in which `...` matches anything."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), line) is not None


@pytest.mark.parametrize(("command", "lines"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_a_session_goes_as_written(command: str, lines: str) -> None:
    skipping = False
    with EngineProcess(*shlex.split(command)[1:]) as engine:
        for expected in lines.splitlines():
            if expected.startswith("> "):
                engine.send(expected[2:])
                continue
            if expected == "...":
                skipping = True
                continue
            line = engine.read_line()
            while skipping and not matches_pattern(expected, line):
                line = engine.read_line()
            skipping = False
            assert matches_pattern(expected, line), f"{line}\nis not\n{expected}"
        assert engine.close_input() == []
        said = [
            line for line in engine.read_stderr().splitlines() if "compiling" not in line
        ]  # the first time, on a slow machine
        assert (engine.exit_code, said) == (0, [])


@pytest.mark.skipif(sys.platform == "win32", reason="written for a Unix shell")
@pytest.mark.parametrize(("name", "response"), [("ugi", "bestmove "), ("analysis", '"isDuringSearch": false')])
def test_the_first_example_of_the_help_works(name: str, response: str) -> None:
    command = load_command(name).examples[0][0].replace("ropewalk", f"{shlex.quote(sys.executable)} -m ropewalk")
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert response in result.stdout.splitlines()[-1]


def test_there_are_sessions_in_both_protocols() -> None:
    assert {command.split()[1] for command, _ in SESSIONS} == {"ugi", "analysis"}
    assert all(command.startswith("ropewalk ") for command, _ in SESSIONS)


def first_column(heading: str) -> list[str]:
    """Return the names in the first column of the table under a heading."""
    section = MANUAL.split(f"### {heading}\n", 1)[1].split("\n#", 1)[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(.*?)`", row)]


def test_every_code_of_an_error_is_in_the_manual_and_no_other() -> None:
    codes = {"bad-id", "bad-field", "bad-move", "illegal-move", *re.findall(r'QueryError\(\s*"([a-z-]+)"', SOURCES)}
    assert sorted(first_column("Errors")) == sorted(codes)


def test_every_field_and_every_action_is_in_the_manual() -> None:
    assert sorted(first_column("Queries")) == sorted(["id", *FIELD_PARSERS])
    assert all(f"- `{action}`" in MANUAL for action in ACTION_FIELDS)


def test_every_command_is_in_the_manual() -> None:
    known = {"ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "quit"}
    assert {command.split()[0] for command in first_column("Commands")} == known


def test_the_manual_has_the_numbers_that_hold() -> None:
    assert f"up to {MAX_QUEUED_COMMANDS:,} commands may wait" in MANUAL
    assert f"more than {MAX_LINE_BYTES} bytes" in MANUAL
    assert f"has {START_TIMEOUT_SECONDS:g} seconds to answer" in MANUAL
    assert f"takes {GRACE_SECONDS:g} seconds longer than its limit" in MANUAL


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!https:)([^)]+)\)", MANUAL):
        assert (ROOT / "docs" / target).exists(), target
