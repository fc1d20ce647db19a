"""Games of the arena as files of game records."""

from __future__ import annotations

from pathlib import Path

import pytest

import ropewalk as package
from ropewalk.arena.record_file import RecordFile
from ropewalk.errors import ArenaError
from ropewalk.records import find_first_mismatch, read_all
from tests.support.command_runner import call_ropewalk

ARGUMENTS = ("arena", "tether-3", "random", "flat-mc@20")


@pytest.mark.parametrize("ending", ["sgf", "json"])
def test_a_contest_that_goes_on_has_every_game_once(ending: str, tmp_path: Path) -> None:
    results, records = str(tmp_path / "games.jsonl"), tmp_path / f"games.{ending}"
    for games in ("2", "2", "4"):
        assert call_ropewalk(*ARGUMENTS, "--games", games, "-o", results, "--game-records", str(records)).code == 0
    game_records = read_all(records)
    assert len(game_records) == 4
    assert all(find_first_mismatch(record) is None for record in game_records)
    assert {tuple(player.name for player in record.players) for record in game_records} == {
        ("random", "flat-mc@20"), ("flat-mc@20", "random")
    }  # fmt: skip
    assert all(record.players[0].identity.kind == "bot" and record.result is not None for record in game_records)


def test_the_same_games_played_again_are_not_written_again(tmp_path: Path) -> None:
    records = tmp_path / "games.sgf"
    for _ in range(2):
        call_ropewalk(*ARGUMENTS, "--games", "2", "--game-records", str(records))
    assert len(read_all(records)) == 2


def test_games_of_another_board_are_refused(tmp_path: Path) -> None:
    records = tmp_path / "games.sgf"
    records.write_text("(;GM[Tether]SPEC[tether-5])")
    with pytest.raises(ArenaError, match="contains a game of tether-5, not of tether-3"):
        RecordFile(records, package.game("tether-3"))


def test_a_file_that_cannot_be_is_refused_before_anybody_plays(tmp_path: Path) -> None:
    for name in ("games.txt", "nowhere/games.sgf"):
        result = call_ropewalk(*ARGUMENTS, "--game-records", str(tmp_path / name))
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert "it must be a file in an existing folder" in result.err
