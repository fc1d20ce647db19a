"""Puzzles: JSON, ids that symmetric positions share, the check of a proof, and the library's files."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

import ropewalk
from ropewalk.games.definition import GameSpec
from ropewalk.games.sequence import MoveSequence
from ropewalk.puzzles.export import describe_task, make_record
from ropewalk.puzzles.library import find_puzzle, format_puzzle_line, load_library, read_puzzles, write_puzzles
from ropewalk.puzzles.puzzle import PuzzleError, check_puzzle, make_puzzle_id, puzzle_from_json
from ropewalk.records import Record
from ropewalk.records.files import read_all
from tests.unit.puzzles.samples import DRAWN, SAMPLE

MIN_PUZZLES = 150  # of each game in the library
MIN_STANDARD = 20  # of them on its standard board
MIN_PER_LENGTH = 8  # of them of each of these numbers of turns
LENGTHS = {
    "lariat": (1, 2, 3, 4, 5),
    "cube-lariat": (1, 2, 3, 4),
    "tether": (1, 2, 3, 4, 5),
    "laocoon": (1, 2, 3, 4, 5, 6),
    "liger": (1, 2, 3, 4, 5, 6),
}


def test_the_text_of_a_position_reconstructs_it() -> None:
    assert SAMPLE.position == SAMPLE.game.position(DRAWN)
    assert str(SAMPLE.position) == SAMPLE.position_text


def test_json_gives_the_same_puzzle() -> None:
    assert puzzle_from_json(json.loads(format_puzzle_line(SAMPLE))) == SAMPLE


@pytest.mark.parametrize("change", [{"turns": "many"}, {"winning_moves": 3}, {"seat": None}])
def test_json_with_another_type_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(PuzzleError, match="missing or invalid"):
        puzzle_from_json(SAMPLE.to_json() | change)


def test_json_without_a_part_is_refused() -> None:
    data = SAMPLE.to_json()
    del data["refutation"]
    with pytest.raises(PuzzleError, match="refutation"):
        puzzle_from_json(data)


def test_symmetric_positions_have_the_same_id_and_others_another() -> None:
    images = [SAMPLE.position.transform(symmetry) for symmetry in SAMPLE.game.symmetries]
    assert len(set(map(str, images))) > 1
    assert {make_puzzle_id(image) for image in images} == {SAMPLE.id}
    assert make_puzzle_id(SAMPLE.position.play("g5")) != SAMPLE.id


def test_the_sample_is_right() -> None:
    assert check_puzzle(SAMPLE) > 50


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"winning_moves": ("b1",)}, "after"),
        ({"winning_moves": ("g5", "b1")}, "1 proofs for 2 winning moves"),
        ({"winning_moves": ()}, "some, but not all"),
        ({"winning_moves": ("a1",)}, "some, but not all"),
        ({"seat": 1}, "seat 1 is not to move"),
        ({"refutation": "(*:g5)"}, "ends before the game"),
        ({"proofs": ("",)}, "ends before the game"),
        ({"proofs": ("c4((",)}, "expected"),
    ],
)
def test_a_wrong_puzzle_is_found(changes: dict[str, object], words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        check_puzzle(replace(SAMPLE, **changes))  # type: ignore[arg-type]


def test_files_are_read_back_and_have_the_same_bytes(tmp_path: Path) -> None:
    other = replace(SAMPLE, id="tether-00000000", turns=1)
    for name, puzzles in (("a.jsonl.gz", [SAMPLE, other]), ("b.jsonl.gz", [other, SAMPLE])):
        write_puzzles(tmp_path / name, puzzles)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert read_puzzles(tmp_path / "a.jsonl.gz") == [other, SAMPLE]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"{format_puzzle_line(SAMPLE)}\n{{}}\nnonsense\n", encoding="ascii")
    with pytest.raises(PuzzleError, match=r"puzzles\.jsonl, line 3"):
        read_puzzles(path)
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(PuzzleError, match="cannot read the puzzles"):
        read_puzzles(tmp_path / "cut.gz")


def test_the_library_has_every_game_and_no_symmetric_duplicates() -> None:
    library = load_library()
    counts = Counter(puzzle.key for puzzle in library.values())
    assert all(counts[definition.key] >= MIN_PUZZLES for definition in ropewalk.games())
    assert sum(puzzle.turns > 1 and puzzle.difficulty == 1 for puzzle in library.values()) < len(library) / 8
    assert all(puzzle_id == puzzle.id for puzzle_id, puzzle in library.items())
    sample = list(library.values())[::20]
    assert [make_puzzle_id(puzzle.position) for puzzle in sample] == [puzzle.id for puzzle in sample]


@pytest.mark.parametrize("definition", ropewalk.games(), ids=lambda definition: definition.key)
def test_the_library_has_the_standard_board_and_many_lengths(definition: GameSpec) -> None:
    puzzles = [puzzle for puzzle in load_library().values() if puzzle.key == definition.key]
    assert sum(puzzle.spec == definition.standard_spec for puzzle in puzzles) >= MIN_STANDARD
    lengths = Counter(puzzle.turns for puzzle in puzzles)
    assert {turns: lengths[turns] for turns in LENGTHS[definition.key] if lengths[turns] < MIN_PER_LENGTH} == {}


def test_the_puzzles_of_the_library_say_what_they_are() -> None:
    for puzzle in list(load_library().values())[::10]:
        assert puzzle.position.seat == puzzle.seat
        assert puzzle.main_line[0] in puzzle.winning_moves
        line = MoveSequence.play(puzzle.position, puzzle.main_line).positions
        assert line[-1].result == puzzle.seat
        assert puzzle.game.text.winning_theme(line) == puzzle.theme
        seats = [seat for seat, _ in groupby(position.seat for position in line[:-1])]
        assert seats.count(puzzle.seat) == puzzle.turns


def test_a_puzzle_is_found_by_the_beginning_of_its_id() -> None:
    first = next(iter(load_library().values()))
    assert find_puzzle(first.id) is find_puzzle(first.id[:-1]) is first
    with pytest.raises(PuzzleError, match="puzzles begin with 'la'"):
        find_puzzle("la")
    with pytest.raises(PuzzleError, match="unknown puzzle 'chess-1'"):
        find_puzzle("chess-1")


def test_the_record_has_the_task_the_solution_and_the_witness(tmp_path: Path) -> None:
    record = make_record(SAMPLE)
    path = tmp_path / "puzzle.sgf"
    record.save(path)
    (loaded,) = read_all(path)
    assert isinstance(loaded, Record)
    assert loaded.root.position == SAMPLE.position
    assert "by Mark Steere" in loaded.root.comment
    assert describe_task(SAMPLE) in loaded.root.comment
    assert [node.turn for node in loaded.main_line()[1:]] == list(SAMPLE.main_line)
    assert loaded.end.comment == "Red claims 25 of 49 cells, more than half."
    assert "a6" in loaded.end.marks["circle"]
