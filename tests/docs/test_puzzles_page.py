"""The page on puzzles says what the program does."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from ropewalk.puzzles.generator import GAME_LEVEL, MAX_PER_LATE_GAME, GeneratorOptions
from ropewalk.puzzles.library import load_library
from ropewalk.puzzles.solver import DEFAULT_NODES
from ropewalk.terminal.puzzle_mode import PUZZLE_COMMANDS
from tests.support.command_runner import call_ropewalk

PATH = Path(__file__).resolve().parents[2] / "docs" / "puzzles.md"
TEXT = PATH.read_text(encoding="utf-8")


def test_the_examples_in_python_run() -> None:
    results = doctest.testfile(str(PATH), module_relative=False)
    assert results.attempted >= 10
    assert results.failed == 0


def test_the_transcript_is_what_is_printed() -> None:
    text = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)
    typed = re.search(r"printf '([^']*)' \| ropewalk puzzles play (\S+)`", TEXT)
    assert text is not None
    assert typed is not None
    result = call_ropewalk("puzzles", "play", typed[2], typed=typed[1].replace("\\n", "\n"))
    assert text[1].strip() in result.out


def test_every_command_key_and_theme_is_there() -> None:
    assert "\n".join(f"| `{command}` | {words} |" for command, words in PUZZLE_COMMANDS) in TEXT
    puzzles = list(load_library().values())
    assert all(f"`{key}`" in TEXT for key in puzzles[0].to_json())
    assert all(f"`{theme}`" in TEXT for theme in {puzzle.theme for puzzle in puzzles})


def test_the_numbers_are_those_of_the_generator() -> None:
    options = GeneratorOptions()
    assert f"level {GAME_LEVEL} with {options.game_visits} visits" in TEXT
    assert f"(`--nodes`, {options.solver_nodes:,} positions for a search)" in " ".join(TEXT.split())
    assert f"at most {options.max_winning_moves} moves" in TEXT
    assert f"at most {options.max_turns} turns (`--max-turns`)" in TEXT
    assert f"at most {options.max_positions:,} positions" in TEXT
    assert options.max_share == 0.25
    assert f"at most {MAX_PER_LATE_GAME} puzzles" in TEXT
    assert f"at most {DEFAULT_NODES:,} positions for a move" in TEXT
