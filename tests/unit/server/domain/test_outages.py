"""Outages: time without a server is given back once, to the player whose turn it was."""

from __future__ import annotations

from typing import Any

import pytest

from ropewalk.server.domain import clocks
from ropewalk.server.domain.actions import Chat
from ropewalk.server.domain.clocks import DAY_MS, ByoYomi, Days, Fischer, NoClock
from ropewalk.server.domain.match import replay_events
from ropewalk.server.domain.outages import Outage, find_compensation
from tests.support.match_log import FIRST, START_MS, MatchLog


def compensate(match: MatchLog, *outages: Outage) -> list[int]:
    """Append the events that compensate outages, and return their milliseconds."""
    given = []
    while (new := find_compensation(match.state, match.events, outages)) is not None:
        given.append(match.append(new).data["milliseconds"])
    return given


@pytest.mark.parametrize(
    "clock",
    [Fischer(initial_seconds=60), ByoYomi(main_seconds=1, periods=2, period_seconds=60), Days(days=1)],
    ids=lambda clock: clock.kind,
)
def test_an_outage_is_given_back_to_the_player_to_move(clock: Any) -> None:
    match = MatchLog(clock=clock)
    timeout_at = match.state.timeout_at()
    assert timeout_at is not None
    outage = Outage(START_MS + 2_000, START_MS + 5 * DAY_MS)
    match.now = outage.ended_ms + 3_000
    assert compensate(match, outage) == [5 * DAY_MS - 2_000]
    assert match.state.timeout_at() == timeout_at + 5 * DAY_MS - 2_000
    spent = clocks.subtract_time(clock, clocks.full_time(clock), 5_000)
    assert clocks.read_clocks(clock, match.state.clocks, match.now)[0] == spent
    assert replay_events(match.state.config, match.events) == match.state


def test_an_outage_is_compensated_once_and_two_outages_one_by_one() -> None:
    match = MatchLog(clock=Fischer(initial_seconds=60))
    first, second = Outage(START_MS + 1_000, START_MS + 11_000), Outage(START_MS + 13_000, START_MS + 21_000)
    match.now = START_MS + 11_500
    assert compensate(match, first) == [10_000]
    assert compensate(match, first) == []
    match.now = START_MS + 22_000
    assert compensate(match, first, second) == [8_000]
    assert compensate(match, first, second) == []
    assert clocks.read_clocks(match.state.config.clock, match.state.clocks, match.now)[0].main_ms == 56_000
    late = MatchLog(clock=Fischer(initial_seconds=60))
    late.now = START_MS + 22_000
    assert compensate(late, first, second) == [10_000, 8_000], "also if no server has loaded it in between"
    assert late.state.clocks == match.state.clocks


def test_only_the_part_of_an_outage_in_the_running_turn_counts() -> None:
    match = MatchLog(clock=Fischer(initial_seconds=60))
    match.now = START_MS + 500
    match.play("c3")  # between the last heartbeat and the end of the server
    match.now = START_MS + 9_000
    assert compensate(match, Outage(START_MS, START_MS + 8_000)) == [7_500]
    match.play("b2")
    assert compensate(match, Outage(START_MS, START_MS + 8_000)) == [], "the turn began after it"


def test_an_event_shows_that_a_server_was_up() -> None:
    match = MatchLog(clock=Fischer(initial_seconds=60))
    match.now = START_MS + 700
    match.perform(FIRST, Chat(text="hello"))
    match.now = START_MS + 9_000
    match.perform(FIRST, Chat(text="still there?"))
    assert compensate(match, Outage(START_MS, START_MS + 8_000)) == [7_300]


def test_a_match_without_a_running_clock_gets_nothing() -> None:
    outage = Outage(START_MS + 1_000, START_MS + 8_000)
    assert compensate(MatchLog(clock=NoClock()), outage) == []
