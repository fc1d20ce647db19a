"""The README's examples run, its commands exist, and its links lead somewhere."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from ropewalk.cli.arguments import Parser
from ropewalk.cli.main import load_command
from tests.support.command_runner import call_ropewalk

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("ropewalk ")]
ENDLESS = ("play", "puzzles", "serve", "backup")  # they wait for a player, or for a server's database
EXPECTED_BY_TOOLS = {".github", ".pre-commit-config.yaml", "CITATION.cff", "SECURITY.md"}
MAX_LINES = 150
MAX_PICTURE_BYTES = 400_000


def test_the_readme_runs_as_it_stands() -> None:
    path = str(ROOT / "README.md")
    results = doctest.testfile(path, module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.attempted > 8
    assert results.failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_understood(line: str) -> None:
    _, name, *arguments = shlex.split(line, comments=True)
    parser = Parser(f"ropewalk {name}", "", {})
    load_command(name).add_arguments(parser)
    parser.parse_args(arguments)


def test_the_commands_that_end_succeed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [shlex.split(line, comments=True)[1:] for line in COMMANDS]
    done = {arguments[0]: call_ropewalk(*arguments) for arguments in lines if arguments[0] not in ENDLESS}
    codes = {name: result.code for name, result in done.items()}
    assert codes == dict.fromkeys(("games", "show", "solve", "verify-proof", "check"), 0)
    assert "Bernard Klein" in done["games"].out


def test_every_link_of_the_readme_leads_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", TEXT) if not link.startswith("https://")]
    assert links
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []


def test_the_readme_and_its_moving_picture_are_small() -> None:
    assert TEXT.count("\n") <= MAX_LINES
    assert (ROOT / "docs" / "game.gif").stat().st_size <= MAX_PICTURE_BYTES


def test_the_top_level_stays_small() -> None:
    ours = {path.name for path in ROOT.iterdir()} - {".git", ".venv", ".hypothesis", "__pycache__", "build", "dist"}
    others = {name for name in ours - EXPECTED_BY_TOOLS if not name.endswith("_cache")}
    assert len(others) <= 16
