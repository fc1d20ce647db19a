"""The file of results: whole whatever happens, and never mixed up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ropewalk.arena.game_record import ArenaGame, BotIdentity, format_record, parse_record
from ropewalk.arena.results_file import TournamentConfig, open_results
from ropewalk.errors import ArenaError

SETTINGS = TournamentConfig("tether-5", "round-robin", 2, 0, ("random", "greedy@5"))
BOTS = [BotIdentity("random", "random", "none"), BotIdentity("greedy@5", "greedy", "5 visits")]


def record(pair: int, exchanged: bool = False, winner: int | None = 0, reason: str = "territory") -> ArenaGame:
    return ArenaGame(
        spec="tether-5",
        bots=(BOTS[1], BOTS[0]) if exchanged else (BOTS[0], BOTS[1]),
        pairing=(0, 1),
        pair=pair,
        exchanged=exchanged,
        seed=7,
        opening=("a1", "b2"),
        moves=("c3", "d4"),
        winner=winner,
        reason=reason,
        words="because",
        plies=4,
        seconds=(0.5, 0.25),
        overrun=(0.0, 0.125),
    )


def written(path: Path, records: Iterable[ArenaGame]) -> bytes:
    """A file with these games."""
    with open_results(SETTINGS, path) as found:
        found.write_header(BOTS)
        for one in records:
            found.add(one)
    return path.read_bytes()


def read(path: Path, settings: TournamentConfig = SETTINGS) -> tuple[list[ArenaGame], str]:
    """The games of a file and what was dropped."""
    with open_results(settings, path) as found:
        return list(found.records.values()), found.truncation_warning


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    games = [record(0), record(0, exchanged=True, winner=None), record(1, reason="crash", winner=1)]
    written(tmp_path / "games", games)
    assert read(tmp_path / "games") == (games, "")


@pytest.mark.parametrize(("said", "judge"), [("true", "5"), ("false", "")])
def test_a_file_from_before_there_were_other_judges_goes_on(said: str, judge: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(written(path, [record(0)]).replace(b'"even_openings": ""', f'"even_openings": {said}'.encode()))
    assert read(path, replace(SETTINGS, even_openings=judge)) == ([record(0)], "")
    with pytest.raises(ArenaError, match="even openings"):
        read(path, replace(SETTINGS, even_openings="net@200"))


def test_a_file_from_before_nets_were_named_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(written(path, [record(0)]).replace(b', "net": ""', b""))
    assert read(path, SETTINGS) == ([record(0)], "")


def test_a_line_has_all_there_is_to_know() -> None:
    line = json.loads(format_record(record(3, exchanged=True)))
    assert line["bots"][0] == {"text": "greedy@5", "name": "greedy", "budget": "5 visits", "net": ""}
    assert {"spec", "opening", "moves", "winner", "reason", "plies", "seconds", "overrun"} <= set(line)


def test_points_belong_to_the_first_bot_whatever_its_seat() -> None:
    assert record(0, winner=0).points() == 1
    assert record(0, winner=1).points() == 0
    assert record(0, exchanged=True, winner=0).points() == 0
    assert record(0, exchanged=True, winner=1).points() == 1
    assert record(0, winner=None).points() == 0.5


def test_a_fault_belongs_to_who_lost_by_it() -> None:
    assert record(0, winner=0).faulty_bot is None
    assert record(0, winner=0, reason="crash").faulty_bot == 1
    assert record(0, winner=1, reason="overtime").faulty_bot == 0
    assert record(0, exchanged=True, winner=0, reason="illegal-move").faulty_bot == 0


def test_a_line_cut_off_anywhere_costs_one_game_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "games"
    whole = written(path, [record(0), record(1)])
    last = whole.rindex(b"\n", 0, -1) + 1
    for end in range(last + 1, len(whole)):
        path.write_bytes(whole[:end])
        games, dropped = read(path)
        assert games == [record(0)]
        assert "the last line was cut off" in dropped
        assert path.read_bytes() == whole[:last]
    assert written(path, [record(1)]) == whole


def test_a_first_line_cut_off_anywhere_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "games"
    whole = written(path, [])
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        assert written(path, []) == whole


def test_a_last_line_of_rubbish_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "games"
    whole = written(path, [record(0)])
    for rubbish in (b"\x00" * 50, b"\xff\xfe\n", b"{}\n", b"[1, 2\n", b"null\n"):
        path.write_bytes(whole + rubbish)
        assert read(path)[0] == [record(0)]
        assert path.read_bytes() == whole


def test_a_broken_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "games"
    lines = written(path, [record(0), record(1)]).splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{oops\n" + lines[2])
    with pytest.raises(ArenaError, match="games, line 2 cannot be read"):
        read(path)
    path.write_bytes(lines[0] + lines[1].replace(b'"plies": 4', b'"plies": "4"') + lines[2])
    with pytest.raises(ArenaError, match="line 2 cannot be read: its plies makes no sense"):
        read(path)
    path.write_bytes(b"".join(lines) + lines[2])
    with pytest.raises(ArenaError, match="line 4: this game is there already"):
        read(path)


@pytest.mark.parametrize("content", ["# A diary\nDear diary\n", "{}", '{"name": "x"}\n', "\n"])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text(content)
    with pytest.raises(ArenaError, match="holds something else than results"):
        read(path)
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"spec": "tether-7"}, "has spec tether-5 rather than tether-7"),
        ({"seed": 1}, "has seed 0 rather than 1"),
        ({"form": "ladder"}, "has form round-robin rather than ladder"),
        ({"opening_plies": 4}, "has opening plies 2 rather than 4"),
        ({"bots": ("random", "greedy@6")}, "has bots random greedy@5 rather than random greedy@6"),
    ],
)
def test_other_settings_are_refused(change: dict[str, str], words: str, tmp_path: Path) -> None:
    whole = written(tmp_path / "games", [record(0)])
    with pytest.raises(ArenaError, match=words):
        read(tmp_path / "games", replace(SETTINGS, **change))  # type: ignore[arg-type]
    assert (tmp_path / "games").read_bytes() == whole


def test_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games").write_text('{"arena": 2}\n')
    with pytest.raises(ArenaError, match="another format than 1"):
        read(tmp_path / "games")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with open_results(SETTINGS, path), pytest.raises(ArenaError, match="another arena writes to"):
        read(path)
    assert read(path) == ([], "")


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "games"):
        with pytest.raises(ArenaError, match="cannot write to"):
            read(path)


def test_every_part_of_a_record_is_checked() -> None:
    said = json.loads(format_record(record(0)))
    assert parse_record(said) == record(0)
    for part in said:
        with pytest.raises(ValueError, match=f"its {part} makes no sense"):
            parse_record(said | {part: {"strange": 1}})
        with pytest.raises(ValueError, match="exactly the keys"):
            parse_record({key: value for key, value in said.items() if key != part})
