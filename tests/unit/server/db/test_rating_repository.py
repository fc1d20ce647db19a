"""Ratings are updated and results counted once for each match that has ended, without reading other matches."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert, select

from ropewalk.server.db.append_request import INDEX_COLUMNS, AppendEvent
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.event_store import EventStore
from ropewalk.server.db.match_repository import MatchRepository
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.rating_repository import RatingRepository
from ropewalk.server.db.tables import matches, pending_ratings, rating_changes, ratings, result_counts
from ropewalk.server.db.user_repository import User, UserRepository
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.glicko2 import estimate_advantage
from tests.support.postgres import Cluster

pytestmark = pytest.mark.anyio
PLAYERS = ("ann", "ben")
OVER: dict[str, Any] = {
    "status": "over",
    "is_open": False,
    "is_public": False,
    "seat0_user_id": "ann",
    "seat1_user_id": "ben",
}
OVER |= {"winner_seat": 0, "end_reason": "resign", "ended_at": 1}
STATEMENTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def build_row(name: str, *, rated: bool = True, **more: Any) -> dict[str, Any]:
    """Return the row of a match of two players."""
    row = {"id": name, "spec": "tether-5", "clock": '{"kind": "none"}', "is_rated": rated, "origin": "user"}
    row |= {"created_by": "ann", "created_at": 0, "status": "playing", "is_open": False, "is_public": False}
    return row | {"seat0_user_id": "ann", "seat1_user_id": "ben"} | more


def build_ending(name: str, at: int = 1000, winner: int | None = 0, spec: str = "tether-5") -> AppendEvent:
    """Return the request to append the event that ends a rated match."""
    row = dict.fromkeys(INDEX_COLUMNS) | OVER | {"ended_at": at, "winner_seat": winner}
    return AppendEvent(name, MatchEvent(1, at, "resigned", 1, "ben"), row, is_rating_due=True, counted_spec=spec)


def make_repository(database: Database) -> RatingRepository:
    """Return the rating repository of a server with this database."""
    return RatingRepository(database, UserRepository(database), MatchRepository(database))


async def test_matches_of_the_same_players_with_exchanged_seats_are_rated_at_once(migrated: Database) -> None:
    count = 16
    for name in PLAYERS:
        await UserRepository(migrated).add(User(name, name, "account"))
    exchanged: dict[str, Any] = {"seat0_user_id": "ben", "seat1_user_id": "ann"}
    async with migrated.write_transaction() as connection:
        rows = [build_row(f"m{number}", **exchanged if number % 2 else {}) for number in range(count)]
        await connection.execute(insert(matches), rows)
        await connection.execute(insert(pending_ratings), [{"match_id": row["id"], "ended_at": 1000} for row in rows])
    found = [await MatchRepository(migrated).find(row["id"]) for row in rows]
    repositories = [make_repository(migrated) for _ in range(2)]
    rated = [repository.rate_match(row, 0, 1000) for row in found for repository in repositories if row is not None]
    assert sum(await asyncio.gather(*rated)) == count
    for name in PLAYERS:
        (rating,) = await repositories[0].list_by_user(name)
        assert rating.games == count, "no change is lost"


def run_with_matches(url: str, count: int, work: Callable[[EventStore, Database], Awaitable[None]]) -> None:
    """Run `work` with two players and `count` matches in progress."""

    async def run() -> None:
        database = Database(parse_url(url))
        await migrate(database)
        event_store = EventStore(database)
        try:
            for name in PLAYERS:
                await UserRepository(database).add(User(name, name, "account"))
            async with database.write_transaction() as connection:
                await connection.execute(insert(matches), [build_row(f"m{number}") for number in range(count)])
            await work(event_store, database)
        finally:
            await event_store.close()
            await database.close()

    asyncio.run(run())


async def list_rated_matches(database: Database) -> list[tuple[str, int]]:
    """Return the matches and seats whose ratings have changed, in the order of the changes."""
    query = select(rating_changes.c.match_id, rating_changes.c.seat).order_by(
        rating_changes.c.timestamp_ms, rating_changes.c.seat
    )
    async with database.read_connection() as connection:
        return [(name, seat) for name, seat in await connection.execute(query)]


def test_matches_are_rated_in_the_order_in_which_they_ended(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        await asyncio.gather(event_store.append(build_ending("m0", 2000)), event_store.append(build_ending("m1", 1000)))
        await make_repository(database).rate_pending()
        assert await list_rated_matches(database) == [("m1", 0), ("m1", 1), ("m0", 0), ("m0", 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(pending_ratings))).all() == []
            games = (await connection.execute(select(ratings.c.user_id, ratings.c.games).order_by(ratings.c.user_id))).all()
        assert games == [("ann", 2), ("ben", 2)]

    run_with_matches(database, 3, work)


def test_two_servers_that_rate_at_once_rate_each_match_once(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def work(event_store: EventStore, database: Database) -> None:
        await asyncio.gather(*(event_store.append(build_ending(f"m{number}", 1000 + number)) for number in range(20)))
        other = Database(parse_url(url))
        try:
            await asyncio.gather(make_repository(database).rate_pending(), make_repository(other).rate_pending())
        finally:
            await other.close()
        assert await list_rated_matches(database) == [(f"m{number}", seat) for number in range(20) for seat in (0, 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(ratings.c.games))).all() == [(20,), (20,)]

    run_with_matches(url, 20, work)


def test_a_match_that_is_pending_although_it_was_rated_is_not_rated_again(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        repository = make_repository(database)
        await event_store.append(build_ending("m0", 1000))
        await repository.rate_pending()
        async with database.write_transaction() as connection:  # as if a server of an earlier version had rated it
            await connection.execute(insert(pending_ratings).values(match_id="m0", ended_at=1000))
        await repository.rate_pending()
        assert await list_rated_matches(database) == [("m0", 0), ("m0", 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(pending_ratings))).all() == []

    run_with_matches(database, 1, work)


def test_rating_reads_matches_by_their_ids_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "matches.db")
    statements: list[tuple[str, Any]] = []

    async def work(event_store: EventStore, database: Database) -> None:
        await event_store.append(build_ending("m0", 1000))
        record_statements(database, statements)
        await make_repository(database).rate_pending()
        assert len(await list_rated_matches(database)) == 2

    run_with_matches(file, 100, work)
    accesses = [
        line for one in statements for line in explain_query(file, *one) if re.match(r"(SCAN|SEARCH) matches\b", line)
    ]
    assert accesses, "the matches to be rated were read"
    assert all(re.search(r"USING INDEX \S+ \(id=\?\)$", line) for line in accesses), accesses


def record_statements(database: Database, statements: list[tuple[str, Any]]) -> None:
    """Add every statement from now on with its parameters to a list."""

    def record(connection: object, cursor: object, statement: str, parameters: Any, *more: object) -> None:
        if statement.startswith(STATEMENTS):
            statements.append((statement, parameters))

    for engine in (database.reader, database.writer) if database.is_sqlite else (database.writer,):
        event.listen(engine.sync_engine, "before_cursor_execute", record)


def explain_query(file: str, statement: str, parameters: Any) -> list[str]:
    """Return the query plan of SQLite for a statement, one line per table."""
    with closing(sqlite3.connect(file)) as connection:
        return [line for _, _, _, line in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]


def test_results_are_counted_by_game_without_reading_a_match(database: str) -> None:
    statements: list[tuple[str, Any]] = []

    async def work(event_store: EventStore, database: Database) -> None:
        over = [
            build_ending("m0"),
            build_ending("m1", winner=1),
            build_ending("m2", spec="tether-7"),
            build_ending("m3", winner=None),
        ]
        over += [build_ending("m4", spec="cube-lariat-2"), build_ending("m5", spec="no-such-game-3")]
        await asyncio.gather(*map(event_store.append, over))
        assert not await event_store.append(over[0]), "it is stored and counted already"
        record_statements(database, statements)
        advantages = await make_repository(database).compute_first_seat_advantages()
        assert advantages["tether"] == estimate_advantage(2, 1, 1)
        assert advantages["cube-lariat"] == estimate_advantage(1, 0, 0)
        assert advantages["lariat"] == estimate_advantage(0, 0, 0)

    run_with_matches(database, 6, work)
    assert len(statements) == 1
    assert not re.search(r"\bmatches\b", statements[0][0])


def test_results_of_two_servers_are_all_counted(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def end_all(event_store: EventStore, first: int) -> None:
        for number in range(first, first + 40, 2):
            specs = ("tether-5", "liger-4") if first else ("liger-4", "tether-5")
            await asyncio.gather(*(event_store.append(build_ending(f"m{number + one}", spec=specs[one])) for one in (0, 1)))

    async def work(event_store: EventStore, database: Database) -> None:
        other_database = Database(parse_url(url))
        other = EventStore(other_database)
        try:
            await asyncio.gather(end_all(event_store, 0), end_all(other, 40))
        finally:
            await other.close()
            await other_database.close()
        async with database.read_connection() as connection:
            counts = (await connection.execute(select(result_counts).order_by(result_counts.c.spec))).all()
        assert counts == [("liger-4", 40, 0, 0), ("tether-5", 40, 0, 0)]

    run_with_matches(url, 80, work)
