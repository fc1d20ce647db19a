"""The page on the terminal says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from ropewalk.terminal.autosave import MAX_SAVED_GAMES
from ropewalk.terminal.commands import COMMAND_HELP, COMMAND_NAMES
from ropewalk.terminal.dialogs import KEY_HELP
from tests.support.command_runner import run_ropewalk

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "terminal.md").read_text(encoding="utf-8")


def test_every_key_and_every_command_is_there() -> None:
    assert "\n".join(f"| {key} | {words} |" for key, words in KEY_HELP) in TEXT
    assert "\n".join(f"| `{command}` | {words} |" for command, words in COMMAND_HELP) in TEXT
    assert f"The last {MAX_SAVED_GAMES} games" in TEXT


def test_every_command_is_in_the_help() -> None:
    named = {word.strip(",") for command, _ in COMMAND_HELP for word in command.split()}
    assert set(COMMAND_NAMES) - named == {"help"}


def test_the_example_says_what_is_printed() -> None:
    text = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)
    typed = re.search(r"printf '([^']*)'", TEXT)
    assert text is not None
    assert typed is not None
    result = run_ropewalk("play", "tether-5", typed=typed[1].replace("\\n", "\n"))
    assert text[1].strip() in result.out
