"""Standings computed from finished games."""

from __future__ import annotations

import pytest

from ropewalk.arena.game_record import ArenaGame
from ropewalk.arena.standings import compute_standings
from tests.unit.arena.test_results_file import record


def make_pair(number: int, first: int | None, second: int | None) -> list[ArenaGame]:
    """Return the two games of a pair, given the winning seats."""
    return [record(number, winner=first), record(number, exchanged=True, winner=second)]


def test_pairs_are_counted_by_the_points_of_the_first_bot() -> None:
    games = [
        *make_pair(0, 0, 1),
        *make_pair(1, 0, 0),
        *make_pair(2, 1, 0),
        *make_pair(3, None, 1),
        *make_pair(4, None, 0),
        *make_pair(5, None, None),
    ]
    standings = compute_standings(["a", "b"], [(0, 1)], games)
    assert standings.pairing_scores[0].pairs == (1, 1, 2, 1, 1)
    assert standings.points(0) == (12, 6.0)
    assert standings.pairing_scores[0].score is not None
    assert standings.pairing_scores[0].score.value == 0.5


def test_half_a_pair_is_counted_as_a_game_but_not_scored() -> None:
    standings = compute_standings(["a", "b"], [(0, 1)], [*make_pair(0, 0, 1), record(1, winner=1)])
    assert standings.pairing_scores[0].games == 3
    assert standings.pairing_scores[0].pairs == (0, 0, 0, 0, 1)
    unpaired = compute_standings(["a", "b"], [(0, 1)], [record(0)])
    assert (unpaired.pairing_scores[0].score, unpaired.pairing_scores[0].elo) == (None, None)
    assert unpaired.as_json()["pairings"][0]["score"] is None


def test_faults_and_overruns_are_those_of_the_bot_not_of_the_seat() -> None:
    games = [record(0, winner=0, reason="crash"), record(0, exchanged=True, winner=0, reason="overtime")]
    standings = compute_standings(["a", "b"], [(0, 1)], games)
    assert [dict(faults) for faults in standings.faults] == [{"overtime": 1}, {"crash": 1}]
    one_game = compute_standings(["a", "b"], [(0, 1)], [record(0)])
    exchanged = compute_standings(["a", "b"], [(0, 1)], [record(0, exchanged=True)])
    assert (one_game.max_overrun_seconds, exchanged.max_overrun_seconds) == ((0.0, 0.125), (0.125, 0.0))


def test_infinite_elo_is_null_in_json() -> None:
    standings = compute_standings(["a", "b"], [(0, 1)], [*make_pair(0, 0, 1), *make_pair(1, 0, 1)]).as_json()
    elo = standings["pairings"][0]["elo"]
    assert (elo["value"], elo["high"]) == (None, None)
    assert elo["low"] == pytest.approx(-62.07, abs=0.01)  # by hand: 5 / 6 - 1.96 * sqrt(5 / 108) is 0.4116


def test_names_that_come_again_get_a_number() -> None:
    assert compute_standings(["a", "b", "a", "a"], [(0, 1), (1, 2), (2, 3)], []).bots == ("a", "b", "a #2", "a #3")
