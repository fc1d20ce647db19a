"""The lobby: its log is loaded in order and bounded, and its lists have the right matches."""

from __future__ import annotations

import pytest

from ropewalk.server.domain.actions import Resign
from ropewalk.server.matches import lobby as lobby_module
from ropewalk.server.matches.live_match import Subscriber
from ropewalk.server.matches.matchmaking import AgainstSelf, ByInvitation
from ropewalk.server.services import AppServices
from tests.support.services import create_match, perform, start_match

pytestmark = pytest.mark.anyio


async def test_events_after_a_seq_are_returned_or_none_if_some_are_missing(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_module, "MAX_LOG_LENGTH", 3)
    user = await services.users.add_guest()
    for _ in range(5):
        await create_match(services, user)
    lobby = services.lobby
    await lobby.refresh()
    assert lobby.seq == 5
    assert [event.seq for event in lobby.events_after(3) or ()] == [4, 5]
    assert [event.seq for event in lobby.events_after(2) or ()] == [3, 4, 5]
    assert lobby.events_after(1) is None
    assert lobby.events_after(6) is None, "a number from another database"
    assert lobby.events_after(5) == []


async def test_subscribers_are_woken_by_new_events_only(services: AppServices) -> None:
    subscriber = Subscriber(None, 0)
    services.lobby.subscribers.add(subscriber)
    await services.lobby.refresh()
    assert not subscriber.has_news.is_set()
    await create_match(services, await services.users.add_guest())
    await services.lobby.refresh()
    assert subscriber.has_news.is_set()


async def test_challenges_and_matches_in_progress_are_listed_and_private_ones_are_not(services: AppServices) -> None:
    first, _, playing = await start_match(services)
    challenge = await create_match(services, first)
    await create_match(services, first, ByInvitation())
    await create_match(services, first, AgainstSelf())
    await start_match(services, opponent=ByInvitation())
    finished = await start_match(services)
    await perform(services, finished[2], finished[0], Resign())
    repository = services.match_repository
    assert [row.id for row in await repository.list_challenges()] == [challenge.id]
    assert [row.id for row in await repository.list_in_progress()] == [playing.id]
