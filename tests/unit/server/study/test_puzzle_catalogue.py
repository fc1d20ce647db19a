"""The puzzles that a server offers: by game and theme, and one for each day."""

from __future__ import annotations

import pytest

from ropewalk.games.registry import games
from ropewalk.server.domain.glicko2 import DAY_MS
from ropewalk.server.errors import ApiError
from ropewalk.server.study.puzzle_catalogue import PuzzleCatalogue, PuzzleFilter, format_day

CATALOGUE = PuzzleCatalogue()


def test_every_game_has_at_least_150_puzzles() -> None:
    assert {game: len(puzzles) >= 150 for game, puzzles in CATALOGUE.games.items()} == {entry.key: True for entry in games()}


def test_puzzles_are_found_by_game_theme_turns_and_board() -> None:
    found = CATALOGUE.find(PuzzleFilter("tether", "capture", 3))
    assert found
    assert {(puzzle.key, puzzle.theme, puzzle.turns) for puzzle in found} == {("tether", "capture", 3)}
    assert len(CATALOGUE.find(PuzzleFilter())) == len(CATALOGUE.puzzles)
    assert CATALOGUE.find(PuzzleFilter("chess")) == []
    for counts in (CATALOGUE.count_themes("liger"), CATALOGUE.count_boards("liger"), CATALOGUE.count_turns("liger")):
        assert sum(counts.values()) == len(CATALOGUE.games["liger"])
    boards = CATALOGUE.count_boards("tether")
    assert list(boards) == ["tether-5", "tether-7", "tether-9", "tether-13"]
    assert {spec: len(CATALOGUE.find(PuzzleFilter(spec=spec))) for spec in boards} == boards
    assert list(CATALOGUE.count_turns("tether")) == sorted(CATALOGUE.count_turns("tether"))


def test_the_puzzle_of_the_day_changes_at_midnight_and_does_not_come_again_soon() -> None:
    today = CATALOGUE.find_daily(20_000 * DAY_MS)
    assert CATALOGUE.find_daily(20_001 * DAY_MS - 1) is today
    following = [CATALOGUE.find_daily((20_000 + day) * DAY_MS).id for day in range(5 * 150)]
    assert len(set(following)) == len(following)
    assert len({puzzle_id.rpartition("-")[0] for puzzle_id in following[:5]}) == 5
    assert format_day(20_000 * DAY_MS) == "2024-10-04"


def test_an_unknown_puzzle_is_not_found() -> None:
    with pytest.raises(ApiError, match="there is no puzzle"):
        CATALOGUE.get("tether-00000000")
