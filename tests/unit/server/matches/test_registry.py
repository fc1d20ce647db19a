"""The registry: matches are loaded once, refreshed when needed, and evicted when idle."""

from __future__ import annotations

import asyncio

import pytest

from ropewalk.server.domain.actions import Chat
from ropewalk.server.matches import registry as registry_module
from ropewalk.server.matches.hub import Origin
from ropewalk.server.matches.live_match import LiveMatch, Subscriber
from ropewalk.server.services import AppServices
from tests.support.match_log import expect_error
from tests.support.services import create_match, perform, play, start_match

pytestmark = pytest.mark.anyio


async def test_a_match_is_loaded_once_also_for_simultaneous_requests(services: AppServices) -> None:
    _, _, match = await start_match(services)
    assert await services.registry.get(match.id) is match
    services.registry.reset()
    loaded = await asyncio.gather(*(services.registry.get(match.id) for _ in range(5)))
    assert len({id(one) for one in loaded}) == 1
    assert loaded[0] is not match
    assert (loaded[0].state, loaded[0].log) == (match.state, match.log)


async def test_a_match_that_is_discarded_while_it_is_loaded_is_loaded_again(services: AppServices) -> None:
    _, _, match = await start_match(services)
    registry = services.registry
    registry.reset()
    discarded: list[LiveMatch] = []

    async def discard_first(loaded: LiveMatch) -> None:
        if not discarded:
            discarded.append(loaded)
            registry.reset()

    registry.on_loaded = discard_first
    found = await registry.get(match.id)
    assert discarded[0] is not found is registry.loaded[match.id]


async def test_an_unknown_match_is_not_found_and_leaves_nothing_behind(services: AppServices) -> None:
    for number in range(3):
        with expect_error("not-found"):
            await services.registry.get(f"unknown-{number}")
    assert len(services.registry.load_locks) == 0
    assert services.registry.loaded == {}


async def test_idle_matches_are_evicted_the_least_recently_used_first(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await services.users.add_guest()
    followed, first, second = [await create_match(services, user) for _ in range(3)]
    followed.subscribers.add(Subscriber(None, 0))
    monkeypatch.setattr(registry_module, "MAX_IDLE", 2)
    await services.registry.get(first.id)
    third = await create_match(services, user)
    assert list(services.registry.loaded) == [followed.id, first.id, third.id]
    assert second.id not in services.registry.loaded
    assert (await services.registry.get(second.id)).id == second.id, "it is loaded again"


async def test_a_match_that_is_being_written_is_not_evicted(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await create_match(services, await services.users.add_guest())
    monkeypatch.setattr(registry_module, "MAX_IDLE", 0)
    async with match.write_lock:
        services.registry.evict_idle()
        assert match.id in services.registry.loaded
    services.registry.evict_idle()
    assert match.id not in services.registry.loaded


async def test_a_refresh_loads_and_publishes_the_events_of_another_server(
    services: AppServices, other_services: AppServices
) -> None:
    first, second, match = await start_match(services)
    there = await other_services.registry.get(match.id)
    await play(services, match, first, "c3")
    await perform(services, match, second, Chat(text="hello"))
    published: list[tuple[list[int], Origin]] = []
    other_services.hub.subscribe(lambda _, events, origin: published.append(([event.seq for event in events], origin)))
    assert await other_services.registry.refresh(there)
    assert there.state == match.state
    assert published == [([2, 3], Origin.REMOTE)]
    assert not await other_services.registry.refresh(there), "there is nothing new"
    assert len(published) == 1


async def test_a_match_that_may_be_outdated_is_refreshed_when_it_is_used(
    services: AppServices, other_services: AppServices
) -> None:
    first, _, match = await start_match(services)
    there = await other_services.registry.get(match.id)
    await play(services, match, first, "c3")
    assert (await other_services.registry.get(match.id)).state.seq == 1
    there.needs_refresh = True
    async with there.write_lock:  # its owner refreshes it
        assert (await other_services.registry.get(match.id)).state.seq == 1
    assert (await other_services.registry.get(match.id)).state.seq == 2
    assert not there.needs_refresh


async def test_a_discarded_match_is_loaded_again_and_its_subscribers_get_a_snapshot(services: AppServices) -> None:
    first, _, match = await start_match(services)
    other, _, unrelated = await start_match(services)
    writer, _, with_chat = await start_match(services)
    await perform(services, with_chat, writer, Chat(text="hello"))
    subscribers = [Subscriber(None, 1) for _ in range(3)]
    for one, subscriber in zip((match, unrelated, with_chat), subscribers, strict=True):
        one.subscribers.add(subscriber)
    services.registry.on_user_change("erased", first.id)
    assert [subscriber.is_stale for subscriber in subscribers] == [True, False, False]
    assert subscribers[0].has_news.is_set()
    assert set(services.registry.loaded) == {unrelated.id, with_chat.id}
    services.registry.on_user_change("erased", writer.id)
    assert set(services.registry.loaded) == {unrelated.id}
    services.registry.reset()
    assert (subscribers[1].is_stale, services.registry.loaded) == (True, {})
    assert (await services.registry.get(unrelated.id)).seats_of(other.id) == (0,)
