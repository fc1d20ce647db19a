"""`ropewalk verify` and `ropewalk convert`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from ropewalk.cli.commands import records
from ropewalk.records import read, read_all, save
from tests.support.command_runner import call_ropewalk, run_ropewalk
from tests.support.record_trees import EVERY_GAME, build_annotated_game

ILLEGAL = "(;FF[4]GM[Tether]SPEC[tether-5];B[c3];W[c3])"
CUT_OFF = "(;FF[4]GM[Tether]SPEC[tether-5];B[c3];W[b"


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize(
    "line", [line for line, _ in (*records.VERIFY_EXAMPLES, *records.CONVERT_EXAMPLES) if "damaged" not in line]
)
def test_examples_of_the_help_work(line: str, working_folder: Path) -> None:
    build_annotated_game("tether-5", 1).save(working_folder / "game.sgf")
    build_annotated_game("liger-4", 1).save(working_folder / "more.json")
    result = call_ropewalk(*shlex.split(line)[1:])
    assert (result.code, result.err) == (0, "")
    assert result.out


def test_whole_games_are_identical(working_folder: Path) -> None:
    records = [build_annotated_game(spec, 3) for spec in EVERY_GAME]
    save(records, working_folder / "all.sgf")
    records[0].save(working_folder / "one.json")
    result = call_ropewalk("verify", "all.sgf", "one.json")
    lines = result.out.splitlines()
    assert result.code == 0
    assert len(lines) == len(records) + 1
    assert all(": identical (" in line for line in lines)
    assert lines[1].startswith("all.sgf, game 2: ")
    assert lines[-1].startswith("one.json: identical")


def test_a_difference_is_reported_and_the_other_files_are_verified(working_folder: Path) -> None:
    Path("illegal.sgf").write_text(ILLEGAL, encoding="utf-8")
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    build_annotated_game("tether-5", 1).save("fine.sgf")
    result = call_ropewalk("verify", "illegal.sgf", "cut.sgf", "none.sgf", "fine.sgf")
    assert result.code == 2
    assert result.err == ""
    first, second, third, fourth = result.out.splitlines()
    assert first == "illegal.sgf: differs at turn 2 (c3): c3 already has a red stone"
    assert second == "cut.sgf: cannot be read: line 1, column 40: unterminated value: missing ]"
    assert third == "none.sgf: cannot be read: cannot read 'none.sgf': No such file or directory"
    assert fourth.startswith("fine.sgf: identical")


def test_answers_for_programs(working_folder: Path) -> None:
    Path("illegal.sgf").write_text(ILLEGAL, encoding="utf-8")
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    result = call_ropewalk("verify", "illegal.sgf", "cut.sgf", "--json")
    assert result.code == 2
    first, second = json.loads(result.out)
    assert (first["file"], first["game"], first["spec"], first["identical"]) == ("illegal.sgf", 1, "tether-5", False)
    assert first["difference"]["reason"] == "taken"
    assert (first["difference"]["path"], first["difference"]["number"]) == ([0, 0], 2)
    assert second["unreadable"].startswith("line 1, column 40")


def test_a_damaged_file_is_recovered_when_asked(working_folder: Path) -> None:
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    result = call_ropewalk("verify", "cut.sgf", "--recover")
    assert result.code == 2
    assert result.out.splitlines()[0] == "cut.sgf: damaged (1 turns, 3 nodes)"
    assert result.out.splitlines()[1] == "  line 1, column 40: unterminated value: missing ]; dropped '[b'"
    error = call_ropewalk("convert", "cut.sgf", "whole.sgf")
    assert (error.code, error.out) == (2, "")
    assert not Path("whole.sgf").exists()
    result = call_ropewalk("convert", "cut.sgf", "whole.sgf", "--recover")
    assert result.code == 0
    assert "cut.sgf: line 1, column 40: unterminated value" in result.err
    assert read(Path("whole.sgf")).main_line()[1].turn == "c3"


def test_converting_there_and_back_changes_nothing(working_folder: Path) -> None:
    save([build_annotated_game(spec, 4) for spec in EVERY_GAME], "all.sgf")
    before = Path("all.sgf").read_bytes()
    result = call_ropewalk("convert", "all.sgf", "all.json")
    assert (result.code, result.out.split(",")[0]) == (0, f"all.json: {len(EVERY_GAME)} games")
    assert call_ropewalk("convert", "all.json", "back.sgf").code == 0
    assert Path("back.sgf").read_bytes() == before
    assert read_all(Path("all.json")) == read_all(Path("all.sgf"))


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["verify"], "the following arguments are required: FILE"),
        (["convert", "a.sgf"], "the following arguments are required: OUT"),
        (["convert", "a.sgf", "b.json"], "cannot read 'a.sgf'"),
        (["convert", "fine.sgf", "b.txt"], "unknown file type '.txt'; the name of a record file must end in .sgf"),
        (["convert", "fine.sgf", "no/such/folder.sgf"], "cannot write 'no/such/folder.sgf'"),
    ],
)
def test_wrong_words_get_one_line(argv: list[str], words: str, working_folder: Path) -> None:
    build_annotated_game("tether-5", 1).save("fine.sgf")
    result = call_ropewalk(*argv)
    assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert words in result.err


def test_reading_loads_no_heavy_library(working_folder: Path) -> None:
    build_annotated_game("tether-5", 1).save("fine.sgf")
    result = run_ropewalk("convert", "fine.sgf", "fine.json", settings={"PYTHONPROFILEIMPORTTIME": "1"})
    assert result.code == 0
    assert not any(name in result.err for name in ("numba", "numpy", "rich.console"))
