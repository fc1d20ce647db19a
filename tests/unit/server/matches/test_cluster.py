"""Two servers with one PostgreSQL database: a server loads the events of the other one, those of many matches together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.event_reader import StoredLog
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.user_repository import UserRepository
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.matches.live_match import LiveMatch, Subscriber
from ropewalk.server.services import AppServices
from tests.support.postgres import Cluster
from tests.support.services import play, start_match
from tests.unit.server.conftest import build_settings, use_fake_engine

pytestmark = pytest.mark.anyio
Pair = tuple[AppServices, AppServices]


@asynccontextmanager
async def run_services(url: str, folder: Path) -> AsyncIterator[AppServices]:
    started = AppServices(build_settings(folder / "none").model_copy(update={"database_url": url}))
    use_fake_engine(started)
    await started.start()
    try:
        yield started
    finally:
        await started.stop()


@pytest.fixture
async def servers(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Pair]:
    """The services of two servers with one database."""
    url = cluster.new_database()
    database = Database(parse_url(url))
    await migrate(database)
    await UserRepository(database).ensure_builtin_bots()
    await database.close()
    async with AsyncExitStack() as stack:
        first, second = [await stack.enter_async_context(run_services(url, tmp_path)) for _ in range(2)]
        async with asyncio.timeout(10):
            while first.cluster.connection is None or second.cluster.connection is None:
                await asyncio.sleep(0.02)
        yield first, second


async def follow(services: AppServices, match: LiveMatch) -> LiveMatch:
    """Load a match on a server and keep it loaded."""
    loaded = await services.registry.get(match.id)
    loaded.subscribers.add(Subscriber(None, loaded.state.seq))
    return loaded


async def wait_for_seq(match: LiveMatch, seq: int) -> None:
    async with asyncio.timeout(10):
        while match.state.seq < seq:
            await asyncio.sleep(0.01)


class CountingReader:
    """Delegates to a reader, after a delay, and notes how many matches each query is for."""

    def __init__(self, services: AppServices) -> None:
        self.reader = services.match_repository.event_reader
        self.sizes: list[int] = []
        services.match_repository.event_reader = self  # type: ignore[assignment]

    async def read(self, last_seqs: Mapping[str, int]) -> dict[str, StoredLog]:
        self.sizes.append(len(last_seqs))
        await asyncio.sleep(0.2)
        return await self.reader.read(last_seqs)

    def close(self) -> None:
        self.reader.close()


async def test_events_that_are_announced_during_a_query_are_loaded_together(servers: Pair) -> None:
    first, second = servers
    started = [await start_match(first) for _ in range(6)]
    copies = [await follow(second, match) for _, _, match in started]
    reader = CountingReader(second)
    for user, _, match in started:
        await play(first, match, user, "a1")
    for copy, (_, _, match) in zip(copies, started, strict=True):
        await wait_for_seq(copy, match.state.seq)
        assert copy.log == match.log
    assert sum(reader.sizes) >= 6
    assert len(reader.sizes) < 6, "most of them came by one query"


async def test_an_event_that_is_announced_while_its_match_is_loaded_is_not_missed(
    servers: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = servers
    user, _, match = await start_match(first)
    load_log = second.match_repository.load_log

    async def load_slowly(match_id: str, after: int = 0) -> tuple[str, list[MatchEvent]]:
        found = await load_log(match_id, after)
        if after == 0:
            await play(first, match, user, "a1")
            async with asyncio.timeout(10):
                while match_id not in second.registry.changed_while_loading:
                    await asyncio.sleep(0.01)
        return found

    monkeypatch.setattr(second.match_repository, "load_log", load_slowly)
    loaded = await second.registry.load_current(match.id)
    assert loaded.log == match.log
    assert not second.registry.loading | second.registry.changed_while_loading


async def test_a_match_that_is_loaded_for_a_socket_is_read_once(servers: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = servers
    _, _, match = await start_match(first)
    load_log, calls = second.match_repository.load_log, []

    async def count(match_id: str, after: int = 0) -> tuple[str, list[MatchEvent]]:
        calls.append(after)
        return await load_log(match_id, after)

    monkeypatch.setattr(second.match_repository, "load_log", count)
    await second.registry.load_current(match.id)
    assert calls == [0]
    await second.registry.load_current(match.id)
    assert calls == [0, match.state.seq]


async def test_a_match_that_is_being_written_does_not_delay_others(servers: Pair) -> None:
    first, second = servers
    (busy_user, _, busy), (user, _, other) = await start_match(first), await start_match(first)
    busy_copy, other_copy = await follow(second, busy), await follow(second, other)
    async with busy_copy.write_lock:
        before = busy_copy.state.seq
        await play(first, busy, busy_user, "a1")
        await play(first, other, user, "a1")
        await wait_for_seq(other_copy, other.state.seq)
        assert busy_copy.state.seq == before
    await wait_for_seq(busy_copy, busy.state.seq)


async def test_events_are_loaded_after_the_connection_of_the_reader_is_lost(servers: Pair) -> None:
    first, second = servers
    user, other_user, match = await start_match(first)
    copy = await follow(second, match)
    await play(first, match, user, "a1")
    await wait_for_seq(copy, match.state.seq)
    assert second.match_repository.event_reader.connection is not None
    second.match_repository.event_reader.connection.terminate()
    await play(first, match, other_user, "b1")
    await wait_for_seq(copy, match.state.seq)
    assert copy.log == match.log
