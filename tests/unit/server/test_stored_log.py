"""The checks of the fault tests find what they look for: lost, repeated and unknown events, and wrong derived data."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from ropewalk.server.db.match_repository import MatchRecordRow
from ropewalk.server.domain.actions import Move
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.matches.live_match import index_columns
from tests.support.light_client import Endpoint
from tests.support.match_log import FIRST, SEATS, SECOND, MatchLog
from tests.support.player_pair import Acknowledgement, PlayerPair, Statistics
from tests.support.stored_log import (
    RestoreTimes,
    StoredData,
    check_derived_data,
    check_logs,
    check_pair,
    check_ratings,
)

MATCH = "m1"


def play_match() -> tuple[StoredData, PlayerPair]:
    """Return a stored match of three moves and its players, who have had every move acknowledged, one a second."""
    log = MatchLog()
    pair = PlayerPair(MATCH, (Endpoint(1), Endpoint(1)), ("a", "b"), Statistics(), lambda state, rng: (0, {}),
                      lambda: 0.0, random.Random(1))  # fmt: skip
    for number, (user, move) in enumerate([(FIRST, "c3"), (SECOND, "b2"), (FIRST, "d4")], 1):
        version, request_id = log.state.position_version, f"r{number}"
        event = log.perform(user, Move(move=move, position_version=version, request_id=request_id))
        view = {name: getattr(event, name) for name in ("seq", "timestamp_ms", "type", "seat", "user_id")}
        pair.acknowledged.append(Acknowledgement(request_id, number, number + 0.5, view | {"data": dict(event.data)}))
        pair.sent_ids.add(request_id)
    row = MatchRecordRow(MATCH, log.state.config, FIRST, 0, SEATS, "invitation")
    columns = {name: value for name, value in index_columns(log.state, row).items() if hasattr(row, name)}
    return StoredData({MATCH: replace(row, **columns)}, {MATCH: log.events}, [], 0, {}, [], [], {}), pair


def list_problems(data: StoredData, pair: PlayerPair) -> list[str]:
    """Return all violations."""
    problems, states = check_derived_data(data)
    return problems + check_logs(data) + check_ratings(data, states) + check_pair(pair, data, ())


def test_an_intact_log_has_no_violations() -> None:
    assert list_problems(*play_match()) == []


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda log: log.pop(), "was acknowledged and is lost"),
        (lambda log: log.append(replace(log[-1], seq=5)), "was stored 2 times"),
        (lambda log: log.append(replace(log[-1], seq=6, request_id=None)), "the numbers of its events are"),
        (lambda log: log.append(replace(log[-1], seq=5, request_id="other")), "was never sent"),
        (lambda log: log.__setitem__(-1, replace(log[-1], timestamp_ms=1)), "not in the order of time"),
        (lambda log: log.__setitem__(-1, replace(log[-1], data={"move": "e5"})), "was acknowledged and is lost"),
    ],
)
def test_a_damaged_log_is_found(damage: Callable[[list[MatchEvent]], object], words: str) -> None:
    data, pair = play_match()
    damage(data.logs[MATCH])
    assert words in "\n".join(check_logs(data) + check_pair(pair, data, ()))


def test_a_column_that_does_not_follow_from_the_log_is_found() -> None:
    data, pair = play_match()
    data.rows[MATCH] = replace(data.rows[MATCH], to_move_user_id=FIRST)
    assert "column to_move_user_id is 'ann', the log says 'ben'" in list_problems(data, pair)[0]


def test_results_that_are_counted_without_a_match_are_found() -> None:
    data, pair = play_match()
    data.counts["tether-5"] = (1, 0, 0)
    assert "are counted, the logs say" in list_problems(data, pair)[0]


def test_a_gap_in_the_lobby_is_found() -> None:
    data, pair = play_match()
    assert "lobby" in list_problems(replace(data, lobby_seqs=[1, 3], lobby_counter=3), pair)[0]


def test_a_restore_may_lose_only_what_is_newer_than_its_backup() -> None:
    data, pair = play_match()
    after_first_move = RestoreTimes(backup_began=1.7, backup_ended=1.8, restore_began=4.0, restore_ended=4.1)
    assert len(check_pair(pair, data, [after_first_move])) == 2, "two moves must be gone, but are there"
    del data.logs[MATCH][2:]
    assert check_pair(pair, data, [after_first_move]) == []
    del data.logs[MATCH][1:]
    assert "is lost" in check_pair(pair, data, [after_first_move])[0]
