"""Periodic jobs: timeouts, ratings, stalled bots and restored backups, each called once."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from ropewalk.server import periodic_jobs
from ropewalk.server.db.tables import database_metadata
from ropewalk.server.db.user_repository import User, now_ms
from ropewalk.server.domain.actions import Resign
from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.matches import service as service_module
from ropewalk.server.matches.live_match import Subscriber
from ropewalk.server.matches.matchmaking import AgainstLevel
from ropewalk.server.services import AppServices
from tests.support.app_client import FirstMoveWorker
from tests.support.match_log import expect_error
from tests.support.services import create_match, load_types, perform, play, start_match

pytestmark = pytest.mark.anyio


async def test_timeouts_are_claimed(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, match = await start_match(services, clock=Fischer(initial_seconds=60))
    _, _, other = await start_match(services, clock=Fischer(initial_seconds=600))
    for module in (periodic_jobs, service_module):
        monkeypatch.setattr(module, "now_ms", lambda: now_ms() + 60_000)
    await services.periodic_jobs.claim_timeouts()
    assert await load_types(services, match.id) == ["match-started", "timed-out"]
    assert match.state.status == "over"
    assert other.state.status == "playing"


async def test_a_rated_match_is_rated_once(services: AppServices) -> None:
    await services.periodic_jobs.stop()
    first, second = [await services.users.add(User(name.lower(), name, "account")) for name in ("Ann", "Ben")]
    match = await create_match(services, first, rated=True)
    await services.matches.join(match, second)
    await services.periodic_jobs.update_ratings()
    assert services.periodic_jobs.has_pending_ratings is False
    await perform(services, match, second, Resign())
    assert await load_types(services, match.id) == ["match-started", "resigned"]
    for _ in range(2):
        await services.periodic_jobs.update_ratings()
    (winner,) = await services.ratings.list_by_user(first.id)
    (loser,) = await services.ratings.list_by_user(second.id)
    assert winner.rating > 1500 > loser.rating
    assert (winner.games, winner.pool, len(await services.ratings.list_changes(first.id))) == (1, "people", 1)


async def test_a_bot_whose_search_has_failed_is_resumed(services: AppServices) -> None:
    worker = services.engine_pool.workers[0]
    assert isinstance(worker, FirstMoveWorker)
    await services.periodic_jobs.stop()
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstLevel(level=1), seat=0)
    services.bot_player.service.hub.listeners.remove(services.bot_player.on_events)
    await play(services, match, user, "c3")
    assert services.bot_player.turns == {}
    await services.bot_player.resume_stalled()
    await services.bot_player.turns[match.id]
    assert [event.user_id for event in match.log[1:]] == [user.id, "level-1"]
    await services.bot_player.resume_stalled()
    assert services.bot_player.turns == {}, "the person is to move"


async def test_after_a_restored_backup_everything_is_loaded_again(services: AppServices) -> None:
    await services.periodic_jobs.stop()
    first, _, match = await start_match(services)
    await services.periodic_jobs.detect_restore()
    subscriber = Subscriber(first, 1)
    match.subscribers.add(subscriber)
    async with services.database.write_transaction() as connection:
        await connection.execute(
            update(database_metadata).where(database_metadata.c.name == "epoch").values(value="restored")
        )
    with expect_error("busy"):
        await play(services, match, first, "c3")
    await services.periodic_jobs.detect_restore()
    assert (services.registry.loaded, subscriber.is_stale) == ({}, True)
    assert len(services.users.user_cache) == 0
    await play(services, await services.registry.get(match.id), first, "c3")
