"""`ropewalk puzzles`: list, show, play, check, generate, pack."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from ropewalk.cli.commands import puzzles
from ropewalk.puzzles.library import format_puzzle_line, load_library, read_puzzles
from ropewalk.records.files import read_all
from tests.support.command_runner import call_ropewalk, start_ropewalk
from tests.unit.puzzles.samples import SAMPLE


def test_the_examples_of_the_help_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line, _ in puzzles.EXAMPLES[:-1]:
        result = call_ropewalk(*shlex.split(line)[1:])
        assert (result.code, result.err) == (0, ""), line
        assert result.out


def test_the_list_as_json_has_what_a_puzzle_is() -> None:
    listed = json.loads(call_ropewalk("puzzles", "list", "--json").out)
    assert len(listed) == len(load_library())
    names = ["id", "spec", "position", "seat", "winning_moves", "turns", "difficulty", "theme"]
    assert all(list(entry) == names for entry in listed)


def test_the_list_is_limited_by_game_board_theme_and_turns() -> None:
    listed = json.loads(call_ropewalk("puzzles", "list", "--game", "tether", "--turns", "3", "--json").out)
    assert listed
    assert all(entry["spec"].startswith("tether-") and entry["turns"] == 3 for entry in listed)
    standard = json.loads(call_ropewalk("puzzles", "list", "--board", "tether", "--json").out)
    assert {entry["spec"] for entry in standard} == {"tether-13"}
    theme = listed[0]["theme"]
    table = call_ropewalk("puzzles", "list", "--game", "tether-13", "--theme", theme).out.splitlines()
    assert table[0].split() == ["puzzle", "turns", "difficulty"]
    assert all(theme in line for line in table[1:])


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["lsit"], "unknown action 'lsit'; allowed are list, show, play, check, generate, pack; did you mean list?"),
        (["list", "--theme", "luck"], "unknown theme 'luck'; allowed are "),
        (["list", "--game", "chess"], "chess"),
        (["list", "more"], "expected ropewalk puzzles list [--game GAME]"),
        (["list", "--turns", "20"], "no puzzle fits --game, --board, --theme and --turns"),
        (["list", "--sgf", "puzzles.txt"], "ends in .sgf"),
        (["show"], "expected ropewalk puzzles show ID"),
        (["show", "tether-zz"], "unknown puzzle 'tether-zz'; ropewalk puzzles list shows all"),
        (["generate", "tether-5"], "generate needs -o FILE"),
        (["generate", "tether-5", "-o", "x", "--min-turns", "7"], "--min-turns 7 is more than --max-turns 6"),
        (["pack", "some.jsonl"], "pack needs -o FILE"),
        (["check", "missing.jsonl"], "cannot read the puzzles of missing.jsonl"),
        ([], "the following arguments are required: ACTION"),
    ],
)
def test_errors_say_what_to_do(argv: list[str], words: str) -> None:
    result = call_ropewalk("puzzles", *argv)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_show_names_the_designer_and_draws_the_board() -> None:
    for puzzle in {puzzle.key: puzzle for puzzle in load_library().values()}.values():
        out = call_ropewalk("puzzles", "show", puzzle.id).out
        assert f"{puzzle.game.name}, by {puzzle.game.designer}" in out
        assert puzzle.position.draw() in out
        assert puzzle.winning_moves[0] not in out.splitlines()[-1]
    shown = json.loads(call_ropewalk("puzzles", "show", puzzle.id, "--json").out)
    assert shown == puzzle.to_json()


def test_sgf_has_one_game_for_each_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.sgf"
    assert call_ropewalk("puzzles", "list", "--game", "liger", "--sgf", str(path)).code == 0
    wanted = [puzzle for puzzle in load_library().values() if puzzle.key == "liger"]
    assert [record.root.position for record in read_all(path)] == [puzzle.position for puzzle in wanted]
    assert "identical" in call_ropewalk("verify", str(path)).out


def test_a_puzzle_is_solved_line_by_line() -> None:
    puzzle = next(puzzle for puzzle in load_library().values() if puzzle.turns == 1 and puzzle.key == "tether")
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.winning_moves)
    typed = f"help\nmoves\nhint\nhint\nexplain {wrong}\n{wrong}\nzz\nsolution\nrestart\nboard\n{puzzle.main_line[0]}\n"
    out = call_ropewalk("puzzles", "play", puzzle.id, typed=typed).out
    assert f"by {puzzle.game.designer}" in out
    assert "near " in out
    assert f"play {puzzle.main_line[0]}" in out
    assert f"{wrong} does not win." in out
    assert "'zz' is not a move" in out
    assert "Solved, without a mistake. Why it is over:" in out  # the count begins again with `restart`
    assert "shown by" in out


def test_a_longer_puzzle_is_defended_to_the_end() -> None:
    puzzle = next(puzzle for puzzle in load_library().values() if puzzle.turns > 1 and puzzle.key == "lariat")
    typed = "hint\nhint\n"
    for _ in range(puzzle.turns):
        hints = call_ropewalk("puzzles", "play", puzzle.id, typed=typed).out
        move = [line.removeprefix("play ") for line in hints.splitlines() if line.startswith("play ")][-1]
        typed = typed.removesuffix("hint\nhint\n") + f"{move}\nhint\nhint\n"
    out = call_ropewalk("puzzles", "play", puzzle.id, typed=typed).out
    assert "Solved, without a mistake." in out


def test_the_choice_of_a_puzzle_depends_on_the_seed() -> None:
    outs = {call_ropewalk("puzzles", "play", "--game", "tether", "--seed", str(seed)).out for seed in (1, 1, 2, 3)}
    assert 1 < len(outs) <= 3


def test_check_finds_a_wrong_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"{format_puzzle_line(SAMPLE)}\n", encoding="ascii")
    good = call_ropewalk("puzzles", "check", str(path))
    assert (good.code, good.err) == (0, "")
    assert good.out.endswith("0 failures\n")
    path.write_text(f"{format_puzzle_line(SAMPLE).replace('*:a6', '*:b1')}\n", encoding="ascii")
    bad = call_ropewalk("puzzles", "check", str(path), "--json")
    assert bad.code == 1
    assert SAMPLE.id in json.loads(bad.out)["failures"][0]


def test_generated_puzzles_are_packed_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = call_ropewalk("puzzles", "generate", "lariat-1x2", "-o", "new.jsonl", "--count", "2", "--seed", "3")
    assert result.code == 0
    assert result.out.startswith("new.jsonl: 2 puzzles from ")
    assert call_ropewalk("puzzles", "pack", "new.jsonl", "new.jsonl", "-o", "new.jsonl.gz").out.startswith(
        "new.jsonl.gz: 2 puz"
    )
    assert call_ropewalk("puzzles", "check", "new.jsonl.gz").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process")
def test_ctrl_c_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    call_ropewalk("puzzles", "generate", "lariat-1x2", "-o", str(tmp_path / "one.jsonl"), "--count", "1")  # compiles
    with start_ropewalk("puzzles", "generate", "lariat-1x2", "-o", str(path), "--count", "1000") as process:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not (path.exists() and '"id"' in path.read_text(encoding="ascii")):
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; the same command resumes" in err
    assert "puzzle" in out
    assert read_puzzles(path)
