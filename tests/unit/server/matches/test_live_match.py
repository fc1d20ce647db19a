"""A match in memory: its log has no gaps, and its presence is that of all servers."""

from __future__ import annotations

import asyncio

import pytest

from ropewalk.server.db.match_repository import MatchRecordRow
from ropewalk.server.db.user_repository import User
from ropewalk.server.domain.actions import NewEvent
from ropewalk.server.domain.clocks import NoClock
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import MatchConfig
from ropewalk.server.matches import live_match
from ropewalk.server.matches.live_match import LiveMatch, Subscriber, index_columns
from tests.support.match_log import FIRST, SECOND, MatchLog

pytestmark = pytest.mark.anyio
INTERVAL_SECONDS = 0.05
CONFIG = MatchConfig("tether-5", NoClock())


def build_match(log: MatchLog | None = None) -> LiveMatch:
    """Return a match with the events of a log; without one it waits for the second player."""
    row = MatchRecordRow("m", CONFIG, FIRST, 0, (FIRST, None), "open", is_open=True)
    return LiveMatch(row, () if log is None else log.events)


def connect(match: LiveMatch, user_id: str | None) -> Subscriber:
    """Add a subscriber of a user, or an anonymous one."""
    subscriber = Subscriber(None if user_id is None else User(user_id, user_id, "guest"), 0)
    match.subscribers.add(subscriber)
    match.update_presence()
    return subscriber


async def test_stored_events_are_added_in_order_and_once() -> None:
    log = MatchLog()
    log.play("c3", "b2")
    match = build_match()
    assert match.append_stored(log.events[:2])
    assert not match.append_stored(log.events[:2])
    assert not match.append_stored([MatchEvent(9, 0, "chat-posted", 0, FIRST, {"text": "a gap"})])
    assert match.append_stored(log.events)
    assert (match.state, match.log) == (log.state, log.events)
    assert [event.seq for event in match.events_after(1)] == [2, 3]


async def test_the_next_event_has_the_next_seq_and_no_earlier_time() -> None:
    match = build_match(MatchLog())
    event = match.build_event(NewEvent("resigned", 0, FIRST, {}, "id"), now=5)
    assert (event.seq, event.timestamp_ms, event.request_id) == (2, match.log[0].timestamp_ms, "id")
    assert match.build_event(NewEvent("resigned", 0, FIRST), now=10**9).timestamp_ms == 10**9


async def test_seats_are_those_of_the_row_until_the_match_starts() -> None:
    waiting, started = build_match(), build_match(MatchLog())
    assert (waiting.seats, started.seats) == ((FIRST, None), (FIRST, SECOND))
    assert (waiting.seats_of(SECOND), started.seats_of(SECOND), waiting.seats_of(None)) == ((), (1,), ())


@pytest.fixture(autouse=True)
def short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_match, "PRESENCE_INTERVAL_SECONDS", INTERVAL_SECONDS)


async def wait_for_presence() -> None:
    """Wait until changes of presence are published."""
    await asyncio.sleep(2 * INTERVAL_SECONDS)


async def test_many_who_come_at_once_are_announced_together() -> None:
    match = build_match(MatchLog())
    mine, wakes = connect(match, FIRST), 0
    mine.has_news.clear()
    for number in range(300):
        connect(match, f"spectator {number}")
        if number % 30 == 0:
            await asyncio.sleep(INTERVAL_SECONDS / 10)
        wakes += mine.has_news.is_set()
        mine.has_news.clear()
    await wait_for_presence()
    assert wakes + mine.has_news.is_set() <= 10, "not one message for each of 300"
    assert match.presence() == {"seats": [True, False], "watchers": 300}
    assert match.presence_timer is None


async def test_presence_counts_users_once_and_anonymous_spectators_each() -> None:
    match = build_match(MatchLog())
    assert match.presence() == {"seats": [False, False], "watchers": 0}
    mine = connect(match, FIRST)
    connect(match, FIRST)
    for user_id in ("eve", "eve", None, None):
        connect(match, user_id)
    await wait_for_presence()
    assert match.presence() == {"seats": [True, False], "watchers": 3}
    mine.has_news.clear()
    connect(match, "eve")
    await wait_for_presence()
    assert not mine.has_news.is_set(), "nothing has changed"
    connect(match, SECOND)
    await wait_for_presence()
    assert mine.has_news.is_set()


async def test_presence_of_other_servers_is_added() -> None:
    match = build_match(MatchLog())
    connect(match, FIRST)
    match.remote_presence["there"] = {"users": [SECOND, "eve"], "strangers": 2}
    match.update_presence()
    await wait_for_presence()
    assert match.presence() == {"seats": [True, True], "watchers": 3}
    del match.remote_presence["there"]
    match.update_presence()
    await wait_for_presence()
    assert match.presence() == {"seats": [True, False], "watchers": 0}


async def test_a_user_is_involved_by_a_seat_or_by_chat() -> None:
    log = MatchLog()
    log.append(NewEvent("chat-posted", 0, "gone", {"text": "hello"}))
    match = build_match(log)
    assert [match.involves(user_id) for user_id in (FIRST, SECOND, "gone", "eve")] == [True, True, True, False]


async def test_the_columns_of_a_row_follow_the_state() -> None:
    log = MatchLog()
    match = build_match()
    columns = index_columns(match.state, match.row)
    assert (columns["status"], columns["is_open"], columns["seat1_user_id"]) == ("waiting", True, None)
    columns = index_columns(log.state, match.row)
    assert (columns["status"], columns["is_open"], columns["seat1_user_id"]) == ("playing", False, SECOND)
    assert columns["to_move_user_id"] == FIRST
    log.now = 7000
    log.append(NewEvent("resigned", 0, FIRST))
    columns = index_columns(log.state, match.row)
    assert (columns["winner_seat"], columns["end_reason"], columns["ended_at"]) == (1, "resign", 7000)
    assert columns["to_move_user_id"] is None
