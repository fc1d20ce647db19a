"""Background tasks end before the database is closed, and none of them is cut off while it writes."""

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

SOON = 0.3  # seconds in which a server that waits for nothing is closed


def with_house(url: str, work: Callable[[AppServices], Awaitable[None]]) -> None:
    """Do something with a house, which the work closes."""

    async def run() -> None:
        house = AppServices(ServerSettings(database_url=url, engine_workers=1, warm_up=False))
        await house.start()
        await work(house)

    asyncio.run(run())


async def correspondence(house: AppServices) -> tuple[User, User, LiveMatch]:
    """Two users and their match with days for a turn."""
    first, second = await house.users.add_guest(), await house.users.add_guest()
    wish = CreateMatchRequest(spec="tether-5", opponent=ByInvitation(), seat=0, clock=Days(days=2))
    table, _ = await house.matchmaker.create_match(first, wish)
    await house.matches.join(table, second)
    return first, second, table


async def play(house: AppServices, table: LiveMatch, user: User, move: str) -> None:
    """One move."""
    await house.matches.perform(table, Actor(user.id), Move(move=move, position_version=table.state.position_version))


async def moves_of(url: str, match: str) -> list[str]:
    """The moves of a match as the database has them."""
    database = Database(parse_url(url))
    try:
        events = await MatchRepository(database).load_events(match)
        return [one.data["move"] for one in events if one.type == "move-played"]
    finally:
        await database.close()


def statements_of(database: Database) -> list[str]:
    """A list that grows with every statement that is executed from now on."""
    executed: list[str] = []

    def note(connection: object, cursor: object, statement: str, *more: Any) -> None:
        executed.append(statement)

    for engine in {database.reader.sync_engine, database.writer.sync_engine}:
        event.listen(engine, "before_cursor_execute", note)
    return executed


async def is_waited_for(closing: asyncio.Task[None]) -> bool:
    """Whether closing takes longer than it would if nothing were under way."""
    _, pending = await asyncio.wait([closing], timeout=SOON)
    return bool(pending)


async def assert_nothing_goes_on(database: Database) -> None:
    """No task is left, and nothing touches the database."""
    executed = statements_of(database)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await asyncio.sleep(0.1)
    assert executed == []
    assert database.reader.pool.checkedout() == database.writer.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_a_planned_move_that_waits_for_its_turn_is_written_before_the_database_is_closed(database: str) -> None:
    async def work(house: AppServices) -> None:
        first, second, table = await correspondence(house)
        await play(house, table, first, "c3")
        await house.conditional_moves.save(table.id, first.id, table.state.position_version, [["b2", "d4"]])
        await play(house, table, second, "b2")
        async with table.write_lock:  # as whoever writes has it
            closing = asyncio.create_task(house.stop())
            assert await is_waited_for(closing)
        await closing
        await assert_nothing_goes_on(house.database)
        assert await moves_of(database, table.id) == ["c3", "b2", "d4"]

    with_house(database, work)


def test_planned_moves_that_answer_each_other_are_all_played_while_the_server_stops(database: str) -> None:
    async def work(house: AppServices) -> None:
        first, second, table = await correspondence(house)
        await play(house, table, first, "c3")
        after = table.state.position_version
        await house.conditional_moves.save(table.id, first.id, after, [["b2", "d4", "d3", "e2"]])
        await house.conditional_moves.save(table.id, second.id, after, [["b2", "d4", "d3", "e2"]])
        await play(house, table, second, "b2")
        await house.stop()
        await assert_nothing_goes_on(house.database)
        assert await moves_of(database, table.id) == ["c3", "b2", "d4", "d3", "e2"]

    with_house(database, work)


def test_a_refresh_of_the_lobby_ends_before_the_database_is_closed(database: str) -> None:
    async def work(house: AppServices) -> None:
        async with house.lobby.refresh_lock:
            house.lobby.schedule_refresh()
            closing = asyncio.create_task(house.stop())
            assert await is_waited_for(closing)
        await closing
        await assert_nothing_goes_on(house.database)
        house.lobby.schedule_refresh()  # as a listener would after the last write
        await assert_nothing_goes_on(house.database)

    with_house(database, work)


def test_a_task_in_the_middle_of_a_transaction_is_awaited(database: str) -> None:
    async def work(house: AppServices) -> None:
        is_writing = asyncio.Event()

        async def write() -> None:
            async with house.database.write_transaction() as connection:
                await connection.execute(insert(database_metadata).values(name="slow", value="first"))
                is_writing.set()
                await asyncio.sleep(2 * SOON)
                await connection.execute(insert(database_metadata).values(name="slower", value="second"))

        house.background.start(write())
        await is_writing.wait()
        await house.stop()
        await assert_nothing_goes_on(house.database)
        assert await metadata_names(database) >= {"slow", "slower"}

    with_house(database, work)


async def metadata_names(url: str) -> set[str]:
    """The names of all rows of metadata."""
    database = Database(parse_url(url))
    try:
        async with database.read_connection() as connection:
            return {name for (name,) in await connection.execute(select(database_metadata.c.name))}
    finally:
        await database.close()


def test_a_move_of_a_task_that_is_cancelled_is_written_all_the_same(database: str) -> None:
    async def work(house: AppServices) -> None:
        first, _, table = await correspondence(house)
        house.background.start(play(house, table, first, "c3"), interruptible=True)
        while not table.needs_refresh:  # until it is handed to the ledger
            await asyncio.sleep(0)
        await house.stop()
        await assert_nothing_goes_on(house.database)
        assert await moves_of(database, table.id) == ["c3"]

    with_house(database, work)


def test_a_bot_that_is_thinking_does_not_keep_the_server_from_stopping(database: str) -> None:
    async def work(house: AppServices) -> None:
        user = await house.users.add_guest()
        await house.matchmaker.create_match(
            user, CreateMatchRequest(spec="tether-5", opponent=AgainstLevel(level=8), seat=1)
        )
        (thought,) = house.bot_player.turns.values()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(house.stop(), STOP_SECONDS)
        assert thought.cancelled()
        await assert_nothing_goes_on(house.database)

    with_house(database, work)


def test_a_house_that_nobody_has_used_leaves_nothing_behind(database: str) -> None:
    async def work(house: AppServices) -> None:
        await house.stop()
        await assert_nothing_goes_on(house.database)

    with_house(database, work)


def test_interruptible_tasks_are_cancelled_at_once_and_others_after_the_time_limit(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> None:
        background = TaskSupervisor(limit_seconds=SOON)
        endless, slow = asyncio.Event(), asyncio.Event()
        loop = background.start(endless.wait(), interruptible=True)
        late = background.start(slow.wait())
        stopping = asyncio.create_task(background.stop())
        await asyncio.sleep(SOON / 3)
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


def test_the_exception_of_a_task_is_logged_and_its_task_forgotten(caplog: pytest.LogCaptureFixture) -> None:
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
