"""Connections to PostgreSQL: those that are closed are replaced, and every error of the driver is one of storage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text

from ropewalk.server.db import postgres_connection
from ropewalk.server.db.bulk_append import PostgresBulkAppender
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.errors import ApiError
from tests.support.postgres import Cluster

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(cluster: Cluster) -> AsyncIterator[Database]:
    opened = Database(parse_url(cluster.new_database()))
    yield opened
    await opened.close()


async def read_backend(database: Database) -> int:
    """Return the process id of the backend of a connection of the pool."""
    async with database.read_connection() as connection:
        return int(await connection.scalar(text("SELECT pg_backend_pid()")))


async def end_backend(database: Database, backend: int) -> None:
    """End a backend, as a restart of the database would."""
    connection = await asyncpg.connect(**database.connection_arguments())
    await connection.execute(f"SELECT pg_terminate_backend({backend})")
    await connection.close()


async def test_a_connection_that_the_database_has_closed_is_replaced_without_an_error(database: Database) -> None:
    backend = await read_backend(database)
    assert await read_backend(database) == backend
    await end_backend(database, backend)
    await asyncio.sleep(0.5)  # a restart takes longer: the driver has heard of it by then
    assert await read_backend(database) != backend


async def test_a_connection_is_checked_by_a_statement_only_after_a_pause(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    pings: list[Any] = []
    dialect = database.writer.sync_engine.dialect
    ping = dialect.do_ping

    def count(connection: Any) -> bool:
        pings.append(connection)
        return ping(connection)

    monkeypatch.setattr(dialect, "do_ping", count)
    for _ in range(3):
        await read_backend(database)
    assert not pings
    monkeypatch.setattr(postgres_connection, "MAX_UNCHECKED_SECONDS", -1.0)
    await read_backend(database)
    assert len(pings) == 1


async def test_a_connection_that_does_not_answer_after_a_pause_is_replaced(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = await read_backend(database)
    monkeypatch.setattr(postgres_connection, "MAX_UNCHECKED_SECONDS", -1.0)

    def fail(connection: Any) -> bool:
        raise OSError("no answer")

    monkeypatch.setattr(database.writer.sync_engine.dialect, "do_ping", fail)
    assert await read_backend(database) != backend


async def test_a_read_is_one_statement_without_a_transaction(database: Database) -> None:
    async with database.read_connection() as connection:
        first = await connection.scalar(text("SELECT now()"))
        second = await connection.scalar(text("SELECT now()"))
    assert first < second, "now() is the time at which a transaction begins"


async def test_all_statements_of_a_snapshot_see_one_state(database: Database) -> None:
    assert await database.run_read(lambda connection: connection.scalar(text("SHOW transaction_isolation"))) == (
        "repeatable read"
    )


async def test_an_internal_error_of_the_driver_is_an_error_of_storage(database: Database) -> None:
    class FailingStatement:
        """A statement whose connection the database has ended in the middle of an operation."""

        async def fetch(self, *arguments: Any) -> list[Any]:
            raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")

    appender = PostgresBulkAppender(database)
    appender.connection = await asyncpg.connect(**database.connection_arguments())
    appender.statement = FailingStatement()
    with pytest.raises(ApiError) as caught:
        await appender.append([], "epoch")
    assert caught.value.code == "storage"
    assert appender.connection is None
