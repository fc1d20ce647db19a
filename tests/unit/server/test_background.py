"""Background tasks end before the database is closed, and none is cancelled while it writes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event, insert, select

from ropewalk.server.background import STOP_SECONDS, TaskSupervisor
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.match_repository import MatchRepository
from ropewalk.server.db.tables import database_metadata
from ropewalk.server.db.user_repository import User
from ropewalk.server.domain.actions import Actor, Move
from ropewalk.server.domain.clocks import Days
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.matches.matchmaking import AgainstLevel, ByInvitation, CreateMatchRequest
from ropewalk.server.services import AppServices
from ropewalk.server.settings import ServerSettings

SOON_SECONDS = 0.3  # seconds in which a server that waits for nothing is closed


def run_with_services(url: str, work: Callable[[AppServices], Awaitable[None]]) -> None:
    """Run `work` with services that have started; `work` stops them."""

    async def run() -> None:
        services = AppServices(ServerSettings(database_url=url, engine_workers=1, warm_up=False))
        await services.start()
        await work(services)

    asyncio.run(run())


async def start_correspondence_match(services: AppServices) -> tuple[User, User, LiveMatch]:
    """Return two guests and their correspondence match."""
    first, second = await services.users.add_guest(), await services.users.add_guest()
    request = CreateMatchRequest(spec="tether-5", opponent=ByInvitation(), seat=0, clock=Days(days=2))
    match, _ = await services.matchmaker.create_match(first, request)
    await services.matches.join(match, second)
    return first, second, match


async def play(services: AppServices, match: LiveMatch, user: User, move: str) -> None:
    """Play a move of a user."""
    await services.matches.perform(match, Actor(user.id), Move(move=move, position_version=match.state.position_version))


async def load_moves(url: str, match_id: str) -> list[str]:
    """Return the moves of a match that the database has."""
    database = Database(parse_url(url))
    try:
        events = await MatchRepository(database).load_events(match_id)
        return [one.data["move"] for one in events if one.type == "move-played"]
    finally:
        await database.close()


def record_statements(database: Database) -> list[str]:
    """Return a list to which every statement that is executed from now on is added."""
    executed: list[str] = []

    def record(connection: object, cursor: object, statement: str, *more: Any) -> None:
        executed.append(statement)

    for engine in (database.reader, database.writer) if database.is_sqlite else (database.writer,):
        event.listen(engine.sync_engine, "before_cursor_execute", record)
    return executed


async def is_delayed(closing: asyncio.Task[None]) -> bool:
    """Return whether stopping takes longer than it would without pending work."""
    _, pending = await asyncio.wait([closing], timeout=SOON_SECONDS)
    return bool(pending)


async def require_idle(database: Database) -> None:
    """Require that no task is left and that nothing uses the database."""
    executed = record_statements(database)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await asyncio.sleep(0.1)
    assert executed == []
    assert database.reader.pool.checkedout() == database.writer.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_a_conditional_move_that_waits_for_the_lock_is_stored_before_the_database_is_closed(database: str) -> None:
    async def work(services: AppServices) -> None:
        first, second, match = await start_correspondence_match(services)
        await play(services, match, first, "c3")
        await services.conditional_moves.save(match.id, first.id, match.state.position_version, [["b2", "d4"]])
        await play(services, match, second, "b2")
        async with match.write_lock:  # as another writer does
            closing = asyncio.create_task(services.stop())
            assert await is_delayed(closing)
        await closing
        await require_idle(services.database)
        assert await load_moves(database, match.id) == ["c3", "b2", "d4"]

    run_with_services(database, work)


def test_conditional_moves_that_answer_each_other_are_all_played_while_the_server_stops(database: str) -> None:
    async def work(services: AppServices) -> None:
        first, second, match = await start_correspondence_match(services)
        await play(services, match, first, "c3")
        after = match.state.position_version
        await services.conditional_moves.save(match.id, first.id, after, [["b2", "d4", "d3", "e2"]])
        await services.conditional_moves.save(match.id, second.id, after, [["b2", "d4", "d3", "e2"]])
        await play(services, match, second, "b2")
        await services.stop()
        await require_idle(services.database)
        assert await load_moves(database, match.id) == ["c3", "b2", "d4", "d3", "e2"]

    run_with_services(database, work)


def test_a_refresh_of_the_lobby_ends_before_the_database_is_closed(database: str) -> None:
    async def work(services: AppServices) -> None:
        async with services.lobby.refresh_lock:
            services.lobby.schedule_refresh()
            closing = asyncio.create_task(services.stop())
            assert await is_delayed(closing)
        await closing
        await require_idle(services.database)
        services.lobby.schedule_refresh()  # as a listener would after the last write
        await require_idle(services.database)

    run_with_services(database, work)


def test_a_task_in_the_middle_of_a_transaction_is_awaited(database: str) -> None:
    async def work(services: AppServices) -> None:
        is_writing = asyncio.Event()

        async def write() -> None:
            async with services.database.write_transaction() as connection:
                await connection.execute(insert(database_metadata).values(name="slow", value="first"))
                is_writing.set()
                await asyncio.sleep(2 * SOON_SECONDS)
                await connection.execute(insert(database_metadata).values(name="slower", value="second"))

        services.background.start(write())
        await is_writing.wait()
        await services.stop()
        await require_idle(services.database)
        assert await load_metadata_names(database) >= {"slow", "slower"}

    run_with_services(database, work)


async def load_metadata_names(url: str) -> set[str]:
    """Return the names of all rows of the metadata."""
    database = Database(parse_url(url))
    try:
        async with database.read_connection() as connection:
            return {name for (name,) in await connection.execute(select(database_metadata.c.name))}
    finally:
        await database.close()


def test_a_move_of_a_cancelled_task_is_stored(database: str) -> None:
    async def work(services: AppServices) -> None:
        first, _, match = await start_correspondence_match(services)
        services.background.start(play(services, match, first, "c3"), interruptible=True)
        while not match.needs_refresh:  # until it is passed to the event store
            await asyncio.sleep(0)
        await services.stop()
        await require_idle(services.database)
        assert await load_moves(database, match.id) == ["c3"]

    run_with_services(database, work)


def test_a_bot_that_is_thinking_does_not_keep_the_server_from_stopping(database: str) -> None:
    async def work(services: AppServices) -> None:
        user = await services.users.add_guest()
        await services.matchmaker.create_match(
            user, CreateMatchRequest(spec="tether-5", opponent=AgainstLevel(level=8), seat=1)
        )
        (turn,) = services.bot_player.turns.values()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(services.stop(), STOP_SECONDS)
        assert turn.cancelled()
        await require_idle(services.database)

    run_with_services(database, work)


def test_services_that_nobody_has_used_leave_nothing_behind(database: str) -> None:
    async def work(services: AppServices) -> None:
        await services.stop()
        await require_idle(services.database)

    run_with_services(database, work)


def test_interruptible_tasks_are_cancelled_at_once_and_others_after_the_time_limit(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> None:
        background = TaskSupervisor(limit_seconds=SOON_SECONDS)
        endless, slow = asyncio.Event(), asyncio.Event()
        loop = background.start(endless.wait(), interruptible=True)
        late = background.start(slow.wait())
        stopping = asyncio.create_task(background.stop())
        await asyncio.sleep(SOON_SECONDS / 3)
        assert loop is not None
        assert late is not None
        assert (loop.cancelled(), late.done()) == (True, False)
        await stopping
        assert late.cancelled()
        assert background.tasks == set()

    asyncio.run(work())
    assert "Event.wait" in caplog.text


def test_a_task_that_resists_cancellation_does_not_keep_the_server_from_stopping(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        background = TaskSupervisor(limit_seconds=0.05, cancel_seconds=0.05)
        release = asyncio.Event()

        async def resist() -> None:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue

        task = background.start(resist())
        await asyncio.wait_for(background.stop(), 5)
        assert task is not None
        release.set()
        await task

    asyncio.run(work())
    assert "still running" in caplog.text


def test_the_exception_of_a_task_is_logged_and_the_task_is_removed(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("the reason")

    async def work() -> None:
        background = TaskSupervisor()
        task = background.start(fail())
        assert task is not None
        await asyncio.wait([task])
        assert background.tasks == set()
        await background.stop()

    asyncio.run(work())
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "fail" in record.message
    assert "the reason" in caplog.text


def test_nothing_is_started_after_the_end() -> None:
    async def work() -> None:
        background = TaskSupervisor()
        await background.stop()
        assert background.start(asyncio.sleep(0)) is None
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work())
