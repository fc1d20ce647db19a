"""What clients have used up: counted in the database, by period, by several servers together, and without addresses."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.tables import usage
from ropewalk.server.db.usage_repository import UsageCharge, UsageRepository, UsageWindow

pytestmark = pytest.mark.anyio
HOUR = 3600


def build_charge(amount: int, client: str = "address 192.0.2.7") -> UsageCharge:
    """Return a charge with limits of 100 an hour and 150 a day."""
    return UsageCharge("bytes", client, amount, HOUR, [UsageWindow(1, 100), UsageWindow(24, 150)])


async def test_amounts_are_limited_by_hour_and_by_day_on_all_servers(database: str) -> None:
    opened = [Database(parse_url(database)) for _ in range(2)]
    now = 1_000_000.0 * HOUR
    try:
        await migrate(opened[0])
        one, other = (UsageRepository(each, lambda: now) for each in opened)
        assert await one.charge([build_charge(60)]) is None
        exceeded = await other.charge([build_charge(60)])
        assert exceeded is not None
        assert (exceeded.window.limit, exceeded.retry_after) == (100, HOUR)
        assert await other.charge([build_charge(40)]) is None
        assert await other.charge([build_charge(60, "address 192.0.2.8")]) is None, "another client"
        now += HOUR
        assert await one.charge([build_charge(50)]) is None
        exceeded = await one.charge([build_charge(1)])
        assert exceeded is not None
        assert exceeded.window.limit == 150
        refused = await one.charge([build_charge(1, "somebody"), build_charge(1)])
        assert refused is not None
        assert await one.charge([build_charge(100, "somebody")]) is None, "nothing was counted for the refused charge"
        async with opened[0].read_connection() as connection:
            rows = (await connection.execute(select(usage))).all()
        assert "192.0.2" not in str(rows)
        now += 30 * HOUR
        assert await one.charge([build_charge(100)]) is None
        async with opened[0].read_connection() as connection:
            assert len((await connection.execute(select(usage))).all()) == 1, "old rows are deleted"
    finally:
        await asyncio.gather(*(each.close() for each in opened))


async def test_charges_at_the_same_time_are_all_counted(database: str) -> None:
    opened = [Database(parse_url(database)) for _ in range(2)]
    try:
        await migrate(opened[0])
        repositories = [UsageRepository(each) for each in opened]
        charges = [
            [build_charge(1, "user a"), build_charge(1, "guests")],
            [build_charge(1, "guests"), build_charge(1, "user a")],
        ]
        await asyncio.gather(*(repositories[number % 2].charge(charges[number % 2]) for number in range(40)))
        async with opened[0].read_connection() as connection:
            amounts = [row.amount for row in await connection.execute(select(usage))]
        assert sum(amounts) == 80
    finally:
        await asyncio.gather(*(each.close() for each in opened))
