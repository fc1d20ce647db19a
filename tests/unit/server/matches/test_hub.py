"""The hub: who is told of stored events, in which order, and the streams of users."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest

from ropewalk.server.db.backup import back_up, restore
from ropewalk.server.db.database import parse_url
from ropewalk.server.db.user_repository import User
from ropewalk.server.domain.actions import Chat, Resign
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.matches import hub as hub_module
from ropewalk.server.matches.hub import MatchHub, Origin
from ropewalk.server.matches.live_match import LiveMatch, Subscriber
from ropewalk.server.services import AppServices
from tests.support.services import create_match, perform, play, start_match

pytestmark = pytest.mark.anyio
SESSION = "the id of a session"
EventBatch = tuple[LiveMatch, Sequence[MatchEvent]] | None


async def test_listeners_are_called_in_the_order_of_their_subscription(services: AppServices) -> None:
    _, _, match = await start_match(services)
    hub, calls = MatchHub(), list[tuple[str, LiveMatch, Sequence[MatchEvent], Origin]]()
    hub.subscribe(lambda *call: calls.append(("first", *call)))
    hub.subscribe(lambda *call: calls.append(("second", *call)))
    hub.publish(match, match.log, Origin.REMOTE)
    assert calls == [("first", match, match.log, Origin.REMOTE), ("second", match, match.log, Origin.REMOTE)]


async def test_subscribers_are_woken_before_listeners_are_called(services: AppServices) -> None:
    _, _, match = await start_match(services)
    subscriber, was_woken = Subscriber(None, 0), list[bool]()
    match.subscribers.add(subscriber)
    hub = MatchHub()
    hub.subscribe(lambda *_: was_woken.append(subscriber.has_news.is_set()))
    hub.publish(match, (), Origin.LOCAL)
    assert was_woken == [True]


async def test_stored_events_are_published_once_and_as_local_ones(services: AppServices) -> None:
    first, second, match = await start_match(services)
    published: list[tuple[list[str], Origin]] = []
    services.hub.subscribe(lambda _, events, origin: published.append(([event.type for event in events], origin)))
    await play(services, match, first, "c3")
    await perform(services, match, second, Chat(text="hello"))
    assert published == [(["move-played"], Origin.LOCAL), (["chat-posted"], Origin.LOCAL)]


async def read_batch(stream: AsyncIterator[EventBatch]) -> tuple[str, list[str]]:
    """Return the match id and the types of events of the next batch of a stream; heartbeats are skipped."""
    async with asyncio.timeout(30):
        while (batch := await anext(stream)) is None:
            pass
    return batch[0].id, [event.type for event in batch[1]]


def open_stream(services: AppServices, user: User, session_id: str = SESSION) -> Any:
    """Return the stream of a user's events, to be closed."""
    return aclosing(cast(Any, services.user_streams.subscribe(user.id, session_id)))


async def test_a_stream_starts_with_matches_in_progress_and_goes_on_with_new_events(services: AppServices) -> None:
    first, second, match = await start_match(services)
    await create_match(services, first)  # it waits for an opponent
    await play(services, match, first, "c3")
    async with open_stream(services, first) as stream:
        assert await anext(stream) is None, "the stream has begun"
        assert await read_batch(stream) == (match.id, ["match-started", "move-played"])
        await play(services, match, second, "b2")
        await play(services, match, first, "d4")
        assert await read_batch(stream) == (match.id, ["move-played", "move-played"]), "events are not sent twice"
        new = await create_match(services, await services.users.add_guest())
        await services.matches.join(new, first)
        assert await read_batch(stream) == (new.id, ["match-started"])


async def test_a_stream_has_no_events_of_other_users(services: AppServices) -> None:
    first, second, match = await start_match(services)
    other, _, unrelated = await start_match(services)
    async with open_stream(services, second) as stream:
        assert (await read_batch(stream))[0] == match.id
        await play(services, unrelated, other, "c3")
        await play(services, match, first, "b2")
        assert (await read_batch(stream))[0] == match.id


async def test_a_stream_without_events_sends_heartbeats(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.001)
    user = await services.users.add_guest()
    async with open_stream(services, user) as stream:
        assert [await anext(stream) for _ in range(3)] == [None] * 3


async def test_a_closed_stream_is_forgotten(services: AppServices) -> None:
    user = await services.users.add_guest()
    async with open_stream(services, user) as stream:
        await anext(stream)
        async with open_stream(services, user) as second_stream:
            await anext(second_stream)
            assert len(services.user_streams.streams[user.id]) == 2
        assert len(services.user_streams.streams[user.id]) == 1
    assert services.user_streams.streams == {}


async def test_a_stream_stops_when_its_session_ends(services: AppServices) -> None:
    user = await services.users.add_guest()
    async with open_stream(services, user) as stream:
        await anext(stream)
        assert services.user_streams.session_ids() == {SESSION}
        services.user_streams.end_sessions(["another"])
        services.user_streams.end_sessions([SESSION])
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
    assert services.user_streams.streams == {}


async def test_an_event_of_another_server_is_streamed_although_the_match_is_not_loaded(
    services: AppServices, other_services: AppServices
) -> None:
    user = await services.users.add_guest()
    async with open_stream(services, user) as stream:
        await anext(stream)
        host = await other_services.users.add_guest()
        match = await create_match(other_services, host)
        await services.user_streams.on_remote_event(match.id)
        assert match.id not in services.registry.loaded, "no stream follows it"
        await other_services.matches.join(match, user)
        await services.user_streams.on_remote_event(match.id)
        assert await read_batch(stream) == (match.id, ["match-started"])
    services.registry.reset()
    await services.user_streams.on_remote_event(match.id)
    assert services.registry.loaded == {}, "without streams nothing is loaded"


async def test_a_stream_gets_what_it_missed_while_the_server_had_no_connection(
    services: AppServices, other_services: AppServices
) -> None:
    user, host = await services.users.add_guest(), await services.users.add_guest()
    old = await create_match(services, host)
    await services.matches.join(old, user)
    await perform(services, old, host, Resign())
    known = await create_match(services, host)
    await services.matches.join(known, user)
    session = await services.sessions.find(await services.sessions.open_session(user))
    assert session is not None
    async with open_stream(services, user, session.id) as stream:
        await anext(stream)
        assert await read_batch(stream) == (known.id, ["match-started"])
        there = await other_services.registry.get(known.id)
        await perform(other_services, there, host, Resign())
        new = await create_match(other_services, host)
        await other_services.matches.join(new, user)
        await services.cluster.catch_up()
        batches = sorted([await read_batch(stream), await read_batch(stream)], key=lambda batch: batch[0] == new.id)
        assert batches == [(known.id, ["resigned"]), (new.id, ["match-started"])], "and no match that was over before"


async def test_a_stream_goes_on_after_a_restored_backup_has_shortened_the_logs(
    services: AppServices, database_file: Path, tmp_path: Path
) -> None:
    await services.periodic_jobs.stop()
    await services.periodic_jobs.detect_restore()  # learns the epoch
    first, second, match = await start_match(services)
    database, backup = parse_url(str(database_file)), tmp_path / "backup.db"
    async with open_stream(services, second) as stream:
        assert await read_batch(stream) == (match.id, ["match-started"])
        back_up(database, backup)
        lost = await create_match(services, first)
        await services.matches.join(lost, second)
        assert await read_batch(stream) == (lost.id, ["match-started"])
        await play(services, match, first, "c3")
        await play(services, match, second, "b2")
        assert await read_batch(stream) == (match.id, ["move-played", "move-played"])
        restore(database, backup)
        await services.periodic_jobs.detect_restore()
        assert await read_batch(stream) == (match.id, ["match-started"]), "the whole log, because it may be another one"
        await play(services, await services.registry.get(match.id), first, "d4")
        assert await read_batch(stream) == (match.id, ["move-played"])
