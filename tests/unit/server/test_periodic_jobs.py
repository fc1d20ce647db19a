"""Periodic jobs: timeouts, ratings, stalled bots and restored backups, each called once."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from ropewalk.server.db.tables import database_metadata, match_events
from ropewalk.server.db.user_repository import User, now_ms
from ropewalk.server.domain.actions import Resign
from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.matches.live_match import Subscriber
from ropewalk.server.matches.matchmaking import AgainstLevel
from ropewalk.server.services import AppServices
from tests.support.app_client import FirstMoveWorker
from tests.support.match_log import expect_error
from tests.support.services import create_match, load_types, perform, play, set_clock, start_match

pytestmark = pytest.mark.anyio


async def test_timeouts_are_claimed(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, match = await start_match(services, clock=Fischer(initial_seconds=60))
    _, _, other = await start_match(services, clock=Fischer(initial_seconds=600))
    set_clock(monkeypatch, services, lambda: now_ms() + 60_000)
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


async def test_a_match_that_was_loaded_before_a_restore_cannot_be_changed_after_it(services: AppServices) -> None:
    await services.periodic_jobs.stop()
    first, second, match = await start_match(services)
    await play(services, match, first, "c3")
    await play(services, match, second, "b2")
    await services.periodic_jobs.detect_restore()
    async with services.database.write_transaction() as connection:  # as if the backup had been made before the moves
        await connection.execute(delete(match_events).where(match_events.c.match_id == match.id, match_events.c.seq > 1))
        await connection.execute(
            update(database_metadata).where(database_metadata.c.name == "epoch").values(value="restored")
        )
    await services.periodic_jobs.detect_restore()
    with expect_error("busy"):
        await play(services, match, first, "d4")
    restored = await services.registry.get(match.id)
    assert await load_types(services, match.id) == ["match-started"]
    await play(services, restored, first, "d4")
    assert [event.seq for event in restored.log] == [1, 2]


async def test_an_unreadable_match_does_not_stop_the_others(
    services: AppServices, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await services.periodic_jobs.stop()
    first, second, damaged = await start_match(services, clock=Fischer(initial_seconds=60))
    _, _, other = await start_match(services, clock=Fischer(initial_seconds=60))
    await play(services, damaged, first, "c3")
    await play(services, damaged, second, "b2")
    async with services.database.write_transaction() as connection:
        await connection.execute(delete(match_events).where(match_events.c.match_id == damaged.id, match_events.c.seq == 2))
    services.registry.reset()
    set_clock(monkeypatch, services, lambda: now_ms() + 60_000)
    for _ in range(3):
        await services.periodic_jobs.run_job(services.periodic_jobs.claim_timeouts)
    assert await load_types(services, other.id) == ["match-started", "timed-out"]
    assert services.registry.unreadable == {damaged.id: "event 2 is missing, the last one is 3"}
    assert sum("is unreadable" in record.message for record in caplog.records) == 1, "it is reported once"
    with expect_error("unreadable-match"):
        await services.registry.get(damaged.id)


async def test_matches_that_were_left_against_bots_expire(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    await services.periodic_jobs.stop()
    person = await services.users.add(User("ann", "Ann", "account"))
    left = await create_match(services, person, AgainstLevel(level=1))
    rated = await create_match(services, person, AgainstLevel(level=1), rated=True)
    with_clock = await create_match(services, person, AgainstLevel(level=1), clock=Fischer(initial_seconds=86_400))
    _, _, of_people = await start_match(services)
    await services.periodic_jobs.expire_bot_matches()
    assert left.state.status == "playing"
    set_clock(monkeypatch, services, lambda: now_ms() + services.periodic_jobs.bot_match_expiry_ms + 1000)
    await services.periodic_jobs.expire_bot_matches()
    assert left.state.result is not None
    assert (left.state.result.reason, left.log[-1].data) == ("abandoned", {"expired": True})
    assert rated.state.result is not None
    assert (rated.state.result.winner, rated.state.result.reason) == (1, "time")
    assert with_clock.state.status == of_people.state.status == "playing"
    services.periodic_jobs.bot_match_expiry_ms = 0
    await services.periodic_jobs.expire_bot_matches()
