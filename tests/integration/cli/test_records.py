"""`ropewalk verify` and `ropewalk convert`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from ropewalk.cli.commands import records
from ropewalk.records import read, read_all, save
from tests.support.command_runner import ropewalk, run_ropewalk
from tests.support.record_trees import EVERY_GAME, annotated_game

ILLEGAL = "(;FF[4]GM[Tether]SPEC[tether-5];B[c3];W[c3])"
CUT_OFF = "(;FF[4]GM[Tether]SPEC[tether-5];B[c3];W[b"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize(
    "line", [line for line, _ in (*records.VERIFY_EXAMPLES, *records.CONVERT_EXAMPLES) if "damaged" not in line]
)
def test_examples_of_the_help_work(line: str, here: Path) -> None:
    annotated_game("tether-5", 1).save(here / "game.sgf")
    annotated_game("liger-4", 1).save(here / "more.json")
    done = ropewalk(*shlex.split(line)[1:])
    assert (done.code, done.err) == (0, "")
    assert done.out


def test_whole_games_are_identical(here: Path) -> None:
    records = [annotated_game(spec, 3) for spec in EVERY_GAME]
    save(records, here / "all.sgf")
    records[0].save(here / "one.json")
    done = ropewalk("verify", "all.sgf", "one.json")
    lines = done.out.splitlines()
    assert done.code == 0
    assert len(lines) == len(records) + 1
    assert all(": identical (" in line for line in lines)
    assert lines[1].startswith("all.sgf, game 2: ")
    assert lines[-1].startswith("one.json: identical")


def test_a_difference_is_told_and_the_other_files_too(here: Path) -> None:
    Path("illegal.sgf").write_text(ILLEGAL, encoding="utf-8")
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    annotated_game("tether-5", 1).save("fine.sgf")
    done = ropewalk("verify", "illegal.sgf", "cut.sgf", "none.sgf", "fine.sgf")
    assert done.code == 2
    assert done.err == ""
    first, second, third, fourth = done.out.splitlines()
    assert first == "illegal.sgf: differs at turn 2 (c3): c3 already has a red stone"
    assert second == "cut.sgf: cannot be read: line 1, column 40: unterminated value: missing ]"
    assert third == "none.sgf: cannot be read: cannot read 'none.sgf': No such file or directory"
    assert fourth.startswith("fine.sgf: identical")


def test_answers_for_programs(here: Path) -> None:
    Path("illegal.sgf").write_text(ILLEGAL, encoding="utf-8")
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    done = ropewalk("verify", "illegal.sgf", "cut.sgf", "--json")
    assert done.code == 2
    first, second = json.loads(done.out)
    assert (first["file"], first["game"], first["spec"], first["identical"]) == ("illegal.sgf", 1, "tether-5", False)
    assert first["difference"]["reason"] == "taken"
    assert (first["difference"]["path"], first["difference"]["number"]) == ([0, 0], 2)
    assert second["unreadable"].startswith("line 1, column 40")


def test_a_damaged_file_is_recovered_when_asked(here: Path) -> None:
    Path("cut.sgf").write_text(CUT_OFF, encoding="utf-8")
    done = ropewalk("verify", "cut.sgf", "--recover")
    assert done.code == 2
    assert done.out.splitlines()[0] == "cut.sgf: damaged (1 turns, 3 nodes)"
    assert done.out.splitlines()[1] == "  line 1, column 40: unterminated value: missing ]; dropped '[b'"
    refused = ropewalk("convert", "cut.sgf", "whole.sgf")
    assert (refused.code, refused.out) == (2, "")
    assert not Path("whole.sgf").exists()
    done = ropewalk("convert", "cut.sgf", "whole.sgf", "--recover")
    assert done.code == 0
    assert "cut.sgf: line 1, column 40: unterminated value" in done.err
    assert read(Path("whole.sgf")).main_line()[1].turn == "c3"


def test_converting_there_and_back_changes_nothing(here: Path) -> None:
    save([annotated_game(spec, 4) for spec in EVERY_GAME], "all.sgf")
    before = Path("all.sgf").read_bytes()
    done = ropewalk("convert", "all.sgf", "all.json")
    assert (done.code, done.out.split(",")[0]) == (0, f"all.json: {len(EVERY_GAME)} games")
    assert ropewalk("convert", "all.json", "back.sgf").code == 0
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
def test_wrong_words_get_one_line(argv: list[str], words: str, here: Path) -> None:
    annotated_game("tether-5", 1).save("fine.sgf")
    done = ropewalk(*argv)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert words in done.err


def test_reading_loads_no_heavy_library(here: Path) -> None:
    annotated_game("tether-5", 1).save("fine.sgf")
    done = run_ropewalk("convert", "fine.sgf", "fine.json", settings={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.code == 0
    assert not any(name in done.err for name in ("numba", "numpy", "rich.console"))
