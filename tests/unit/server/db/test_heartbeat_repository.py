"""Heartbeats: a gap is stored as one outage, whichever servers start after it."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import insert, select

from ropewalk.server.clock import ServerClock
from ropewalk.server.db.database import Database
from ropewalk.server.db.heartbeat_repository import KEPT_MS, SERVERS, HeartbeatRepository, HeartbeatWrite
from ropewalk.server.db.tables import heartbeats, outages
from ropewalk.server.heartbeat import ServerHeartbeat

pytestmark = pytest.mark.anyio
OUTAGE_MS = 10_000


def now_ms() -> int:
    return int(time.time() * 1000)


async def store_last(database: Database, alive_ms: int) -> None:
    """Store the last heartbeat of a server that has stopped."""
    async with database.write_transaction() as connection:
        await connection.execute(insert(heartbeats).values(name=SERVERS, alive_ms=alive_ms))


async def beat(repository: HeartbeatRepository, min_outage_ms: int = 3000) -> int:
    """Store a heartbeat, and return the number of outages."""
    return len((await repository.store(HeartbeatWrite(now_ms(), min_outage_ms, lambda: 0.0))).outages)


async def test_of_servers_that_start_at_once_one_stores_the_outage(migrated: Database) -> None:
    last = now_ms() - OUTAGE_MS
    await store_last(migrated, last)
    assert await asyncio.gather(*(beat(HeartbeatRepository(migrated)) for _ in range(4))) == [1] * 4
    async with migrated.read_connection() as connection:
        ((ended, started),) = (await connection.execute(select(outages))).all()
    assert (started, ended) == (last, pytest.approx(now_ms(), abs=5000))
    assert await beat(HeartbeatRepository(migrated)) == 1, "afterwards there is no gap"


async def test_the_first_server_of_a_database_finds_no_outage(migrated: Database) -> None:
    assert await asyncio.gather(*(beat(HeartbeatRepository(migrated)) for _ in range(4))) == [0] * 4


async def test_old_outages_are_forgotten(migrated: Database) -> None:
    await store_last(migrated, now_ms() - OUTAGE_MS)
    async with migrated.write_transaction() as connection:
        await connection.execute(insert(outages).values(started_ms=1, ended_ms=now_ms() - KEPT_MS - OUTAGE_MS))
    assert await beat(HeartbeatRepository(migrated)) == 1


async def test_a_wall_clock_that_was_set_back_while_no_server_ran_is_not_believed(migrated: Database) -> None:
    last = now_ms() + OUTAGE_MS
    await store_last(migrated, last)
    clock = ServerClock()
    heartbeat = ServerHeartbeat(HeartbeatRepository(migrated), clock)
    await heartbeat.start()
    await heartbeat.stop()
    if migrated.is_sqlite:
        assert last <= clock.now_ms() < last + 5000
    else:
        assert clock.now_ms() == pytest.approx(now_ms(), abs=2000), "the database's clock counts"
