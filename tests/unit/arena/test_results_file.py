"""The results file: recovery after crashes, validation, locking, refusal of other settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ropewalk.arena.game_record import ArenaGame, BotIdentity, format_record, parse_record
from ropewalk.arena.results_file import TournamentConfig, open_results
from ropewalk.errors import ArenaError

CONFIG = TournamentConfig("tether-5", "round-robin", 2, 0, ("random", "greedy@5"))
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


def write_results(path: Path, records: Iterable[ArenaGame]) -> bytes:
    """Write a results file with these games and return its bytes."""
    with open_results(CONFIG, path) as results_file:
        results_file.write_header(BOTS)
        for one in records:
            results_file.add(one)
    return path.read_bytes()


def read_results(path: Path, config: TournamentConfig = CONFIG) -> tuple[list[ArenaGame], str]:
    """Return the games of a results file and its truncation warning."""
    with open_results(config, path) as results_file:
        return list(results_file.records.values()), results_file.truncation_warning


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    games = [record(0), record(0, exchanged=True, winner=None), record(1, reason="crash", winner=1)]
    write_results(tmp_path / "games", games)
    assert read_results(tmp_path / "games") == (games, "")


@pytest.mark.parametrize(("data", "judge"), [("true", "5"), ("false", "")])
def test_a_file_from_before_there_were_other_judges_goes_on(data: str, judge: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(write_results(path, [record(0)]).replace(b'"even_openings": ""', f'"even_openings": {data}'.encode()))
    assert read_results(path, replace(CONFIG, even_openings=judge)) == ([record(0)], "")
    with pytest.raises(ArenaError, match="even openings"):
        read_results(path, replace(CONFIG, even_openings="net@200"))


def test_a_file_from_before_nets_were_named_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(write_results(path, [record(0)]).replace(b', "net": ""', b""))
    assert read_results(path, CONFIG) == ([record(0)], "")


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
    complete = write_results(path, [record(0), record(1)])
    last = complete.rindex(b"\n", 0, -1) + 1
    for end in range(last + 1, len(complete)):
        path.write_bytes(complete[:end])
        games, dropped = read_results(path)
        assert games == [record(0)]
        assert "the last line was incomplete" in dropped
        assert path.read_bytes() == complete[:last]
    assert write_results(path, [record(1)]) == complete


def test_a_first_line_cut_off_anywhere_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "games"
    complete = write_results(path, [])
    for end in range(len(complete)):
        path.write_bytes(complete[:end])
        assert write_results(path, []) == complete


def test_a_last_line_of_rubbish_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "games"
    complete = write_results(path, [record(0)])
    for garbage in (b"\x00" * 50, b"\xff\xfe\n", b"{}\n", b"[1, 2\n", b"null\n"):
        path.write_bytes(complete + garbage)
        assert read_results(path)[0] == [record(0)]
        assert path.read_bytes() == complete


def test_a_broken_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "games"
    lines = write_results(path, [record(0), record(1)]).splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{oops\n" + lines[2])
    with pytest.raises(ArenaError, match="games, line 2 is invalid"):
        read_results(path)
    path.write_bytes(lines[0] + lines[1].replace(b'"plies": 4', b'"plies": "4"') + lines[2])
    with pytest.raises(ArenaError, match="line 2 is invalid: invalid value of 'plies'"):
        read_results(path)
    path.write_bytes(b"".join(lines) + lines[2])
    with pytest.raises(ArenaError, match="line 4: duplicate game"):
        read_results(path)


@pytest.mark.parametrize("content", ["# A diary\nDear diary\n", "{}", '{"name": "x"}\n', "\n"])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text(content)
    with pytest.raises(ArenaError, match="is not an arena results file"):
        read_results(path)
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spec": "tether-7"}, "other settings: spec tether-5 instead of tether-7"),
        ({"seed": 1}, "other settings: seed 0 instead of 1"),
        ({"form": "ladder"}, "other settings: form round-robin instead of ladder"),
        ({"opening_plies": 4}, "other settings: opening plies 2 instead of 4"),
        ({"bots": ("random", "greedy@6")}, "other settings: bots random greedy@5 instead of random greedy@6"),
    ],
)
def test_other_settings_are_refused(change: dict[str, str], message: str, tmp_path: Path) -> None:
    complete = write_results(tmp_path / "games", [record(0)])
    with pytest.raises(ArenaError, match=message):
        read_results(tmp_path / "games", replace(CONFIG, **change))  # type: ignore[arg-type]
    assert (tmp_path / "games").read_bytes() == complete


def test_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games").write_text('{"arena": 2}\n')
    with pytest.raises(ArenaError, match="uses format 1"):
        read_results(tmp_path / "games")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with open_results(CONFIG, path), pytest.raises(ArenaError, match="is in use by another arena"):
        read_results(path)
    assert read_results(path) == ([], "")


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "games"):
        with pytest.raises(ArenaError, match="cannot write to"):
            read_results(path)


def test_every_part_of_a_record_is_checked() -> None:
    data = json.loads(format_record(record(0)))
    assert parse_record(data) == record(0)
    for part in data:
        with pytest.raises(ValueError, match=f"invalid value of '{part}'"):
            parse_record(data | {part: {"strange": 1}})
        with pytest.raises(ValueError, match="exactly the keys"):
            parse_record({key: value for key, value in data.items() if key != part})
