"""Matches in the database: what is stored is loaded unchanged, and lists have the right matches in order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from ropewalk.server.db.append_request import AppendEvent
from ropewalk.server.db.database import Database
from ropewalk.server.db.event_store import EventStore
from ropewalk.server.db.match_repository import MatchRecordRow, MatchRepository, build_create_request
from ropewalk.server.domain.clocks import ByoYomi, ClockSettings, Days, Fischer, NoClock
from ropewalk.server.domain.events import LobbyEvent, MatchEvent
from ropewalk.server.domain.match import MatchConfig, MatchState, replay_events
from ropewalk.server.matches.live_match import index_columns

pytestmark = pytest.mark.anyio


@pytest.fixture
async def event_store(migrated: Database) -> AsyncIterator[EventStore]:
    store = EventStore(migrated)
    yield store
    await store.close()


def build_row(match_id: str, clock: ClockSettings | None = None, **more: Any) -> MatchRecordRow:
    """Return the row of a match of two users."""
    config = MatchConfig("tether-5", clock or NoClock(), **more.pop("config", {}))
    fields: dict[str, Any] = {"created_by": "ann", "created_at": 1, "seats": ("ann", "ben"), "origin": "user"}
    return MatchRecordRow(match_id, config, **fields | more)


async def store(
    event_store: EventStore, row: MatchRecordRow, is_started: bool = True, token: str | None = None
) -> MatchState:
    """Store a match, which starts at once or waits, and return its state."""
    started = MatchEvent(1, row.created_at, "match-started", None, "ann", {"seats": list(row.seats)})
    events = [started] if is_started else []
    state = replay_events(row.config, events)
    lobby_event = LobbyEvent(0, row.created_at, "match-started", row.id)
    assert await event_store.append(build_create_request(row, events, index_columns(state, row), lobby_event, token))
    return state


@pytest.mark.parametrize(
    "clock",
    [NoClock(), Days(days=3), Fischer(initial_seconds=60, increment_seconds=1),
     ByoYomi(main_seconds=0, periods=2, period_seconds=5)],
    ids=lambda clock: str(clock.kind),
)  # fmt: skip
async def test_a_match_is_loaded_as_it_was_stored(migrated: Database, event_store: EventStore, clock: ClockSettings) -> None:
    repository = MatchRepository(migrated)
    config = {"is_rated": True, "initial_position": "5/5/5/5/5 red"}
    row = build_row("m", clock, config=config, rematch_of="before", reserved_for="ben", seats=("ann", None), is_open=True)
    await store(event_store, row, is_started=False, token="secret")
    assert await repository.find("m") == await repository.find_by_invitation("secret") == row
    assert await repository.find("unknown") is await repository.find_by_invitation("unknown") is None


async def test_events_are_loaded_in_order_and_after_a_seq(migrated: Database, event_store: EventStore) -> None:
    state = await store(event_store, build_row("m"))
    row = build_row("m")
    events = [
        MatchEvent(2, 5, "chat-posted", 0, "ann", {"text": 'quoted " and ünïcode \u2028'}, "a"),
        MatchEvent(3, 6, "move-played", 0, "ann", {"move": "c3", "engine": {"version": "1"}}),
    ]
    for event in events:
        assert await event_store.append(AppendEvent("m", event, index_columns(state, row)))
    loaded = await MatchRepository(migrated).load_events("m")
    assert loaded[1:] == events
    assert await MatchRepository(migrated).load_events("m", after=2) == events[1:]
    assert await MatchRepository(migrated).load_events("unknown") == []


async def test_matches_of_a_user_are_listed_the_newest_first_in_pages(migrated: Database, event_store: EventStore) -> None:
    for number in range(5):
        await store(
            event_store, build_row(f"m{number}", created_at=number, seats=("ann", "ben") if number % 2 else ("ben", "ann"))
        )
    await store(event_store, build_row("other", seats=("eve", "ben")))
    repository = MatchRepository(migrated)
    assert [row.id for row in await repository.list_by_user("ann", 10)] == ["m4", "m3", "m2", "m1", "m0"]
    assert [row.id for row in await repository.list_by_user("ann", 2, before=3)] == ["m2", "m1"]


async def test_overdue_matches_are_listed_when_the_deadline_has_come(migrated: Database, event_store: EventStore) -> None:
    state = await store(event_store, build_row("timed", Fischer(initial_seconds=10), created_at=1000))
    await store(event_store, build_row("endless"))
    repository = MatchRepository(migrated)
    deadline = state.timeout_at()
    assert deadline == 11_000
    assert await repository.list_overdue(deadline - 1) == []
    assert [row.id for row in await repository.list_overdue(deadline)] == ["timed"]


async def test_matches_that_wait_for_a_user_are_listed(migrated: Database, event_store: EventStore) -> None:
    await store(event_store, build_row("mine"))
    await store(event_store, build_row("theirs", seats=("ben", "ann")))
    repository = MatchRepository(migrated)
    assert [row.id for row in await repository.list_waiting_for(["ann", "eve"])] == ["mine"]
    assert await repository.list_waiting_for([]) == []


async def test_lobby_events_are_the_last_ones_in_order(migrated: Database, event_store: EventStore) -> None:
    repository = MatchRepository(migrated)
    assert await repository.last_lobby_seq() == 0
    for number in range(4):
        await store(event_store, build_row(f"m{number}"))
    assert await repository.last_lobby_seq() == 4
    assert [(event.seq, event.match_id) for event in await repository.load_lobby_events(1, 2)] == [(3, "m2"), (4, "m3")]
    assert await repository.load_lobby_events(4, 10) == []
