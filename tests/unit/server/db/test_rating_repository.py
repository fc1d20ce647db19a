"""Ratings are moved and results counted once for each match that has ended, without a look at any other match."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

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

PLAYERS = ("ann", "ben")
OVER: dict[str, Any] = {"status": "over", "is_open": False, "seat0_user_id": "ann", "seat1_user_id": "ben"}
OVER |= {"winner_seat": 0, "end_reason": "resign", "ended_at": 1}
STATEMENTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def match(name: str, *, rated: bool = True, **more: Any) -> dict[str, Any]:
    """A match of two players as the table has it."""
    row = {"id": name, "spec": "tether-5", "clock": '{"kind": "none"}', "is_rated": rated, "origin": "user"}
    row |= {"created_by": "ann", "created_at": 0, "status": "playing", "is_open": False}
    return row | {"seat0_user_id": "ann", "seat1_user_id": "ben"} | more


def ending(name: str, at: int = 1000, winner: int | None = 0, spec: str = "tether-5") -> AppendEvent:
    """The event that ends a rated match."""
    row = dict.fromkeys(INDEX_COLUMNS) | OVER | {"ended_at": at, "winner_seat": winner}
    return AppendEvent(name, MatchEvent(1, at, "resigned", 1, "ben"), row, is_rating_due=True, counted_spec=spec)


def rating_book(database: Database) -> RatingRepository:
    """Ratings, as a server of this database keeps them."""
    return RatingRepository(database, UserRepository(database), MatchRepository(database))


def with_matches(url: str, count: int, work: Callable[[EventStore, Database], Awaitable[None]]) -> None:
    """Do something with two players and that many matches that go on."""

    async def run() -> None:
        database = Database(parse_url(url))
        await migrate(database)
        ledger = EventStore(database)
        try:
            for name in PLAYERS:
                await UserRepository(database).add(User(name, name, "account"))
            async with database.write_transaction() as connection:
                await connection.execute(insert(matches), [match(f"m{number}") for number in range(count)])
            await work(ledger, database)
        finally:
            await ledger.close()
            await database.close()

    asyncio.run(run())


async def rated_matches(database: Database) -> list[tuple[str, int]]:
    """The matches and seats whose ratings have changed, in the order in which the ratings changed."""
    wanted = select(rating_changes.c.match_id, rating_changes.c.seat).order_by(
        rating_changes.c.timestamp_ms, rating_changes.c.seat
    )
    async with database.read_connection() as connection:
        return [(name, seat) for name, seat in await connection.execute(wanted)]


def test_matches_are_rated_in_the_order_in_which_they_ended(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        await asyncio.gather(ledger.append(ending("m0", 2000)), ledger.append(ending("m1", 1000)))
        await rating_book(database).rate_pending()
        assert await rated_matches(database) == [("m1", 0), ("m1", 1), ("m0", 0), ("m0", 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(pending_ratings))).all() == []
            games = (await connection.execute(select(ratings.c.user_id, ratings.c.games).order_by(ratings.c.user_id))).all()
        assert games == [("ann", 2), ("ben", 2)]

    with_matches(database, 3, work)


def test_two_servers_that_rate_at_once_rate_each_match_once(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def work(ledger: EventStore, database: Database) -> None:
        await asyncio.gather(*(ledger.append(ending(f"m{number}", 1000 + number)) for number in range(20)))
        other = Database(parse_url(url))
        try:
            await asyncio.gather(rating_book(database).rate_pending(), rating_book(other).rate_pending())
        finally:
            await other.close()
        assert await rated_matches(database) == [(f"m{number}", seat) for number in range(20) for seat in (0, 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(ratings.c.games))).all() == [(20,), (20,)]

    with_matches(url, 20, work)


def test_a_match_that_is_pending_although_it_was_rated_is_not_rated_again(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        book = rating_book(database)
        await ledger.append(ending("m0", 1000))
        await book.rate_pending()
        async with database.write_transaction() as connection:  # as if a server of an earlier version had rated it
            await connection.execute(insert(pending_ratings).values(match_id="m0", ended_at=1000))
        await book.rate_pending()
        assert await rated_matches(database) == [("m0", 0), ("m0", 1)]
        async with database.read_connection() as connection:
            assert (await connection.execute(select(pending_ratings))).all() == []

    with_matches(database, 1, work)


def test_rating_reads_matches_by_their_ids_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "matches.db")
    statements: list[tuple[str, Any]] = []

    async def work(ledger: EventStore, database: Database) -> None:
        await ledger.append(ending("m0", 1000))
        note_statements(database, statements)
        await rating_book(database).rate_pending()
        assert len(await rated_matches(database)) == 2

    with_matches(file, 100, work)
    accesses = [line for one in statements for line in query_plan(file, *one) if re.match(r"(SCAN|SEARCH) matches\b", line)]
    assert accesses, "the matches to be rated were read"
    assert all(re.search(r"USING INDEX \S+ \(id=\?\)$", line) for line in accesses), accesses


def note_statements(database: Database, statements: list[tuple[str, Any]]) -> None:
    """From now on, note every statement on a database with its parameters."""

    def note(connection: object, cursor: object, statement: str, parameters: Any, *more: object) -> None:
        if statement.startswith(STATEMENTS):
            statements.append((statement, parameters))

    for engine in (database.reader, database.writer):
        event.listen(engine.sync_engine, "before_cursor_execute", note)


def query_plan(file: str, statement: str, parameters: Any) -> list[str]:
    """How SQLite finds the rows of a statement, table by table."""
    with closing(sqlite3.connect(file)) as connection:
        return [line for _, _, _, line in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]


def test_results_are_counted_by_game_without_reading_a_match(database: str) -> None:
    statements: list[tuple[str, Any]] = []

    async def work(ledger: EventStore, database: Database) -> None:
        over = [ending("m0"), ending("m1", winner=1), ending("m2", spec="tether-7"), ending("m3", winner=None)]
        over += [ending("m4", spec="cube-lariat-2"), ending("m5", spec="no-such-game-3")]
        await asyncio.gather(*map(ledger.append, over))
        assert not await ledger.append(over[0]), "it is written already, and counted"
        note_statements(database, statements)
        found = await rating_book(database).compute_first_seat_advantages()
        assert found["tether"] == estimate_advantage(2, 1, 1)
        assert found["cube-lariat"] == estimate_advantage(1, 0, 0)
        assert found["lariat"] == estimate_advantage(0, 0, 0)

    with_matches(database, 6, work)
    assert len(statements) == 1
    assert not re.search(r"\bmatches\b", statements[0][0])


def test_results_of_two_servers_are_all_counted(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def end_all(ledger: EventStore, first: int) -> None:
        for number in range(first, first + 40, 2):
            specs = ("tether-5", "liger-4") if first else ("liger-4", "tether-5")
            await asyncio.gather(*(ledger.append(ending(f"m{number + one}", spec=specs[one])) for one in (0, 1)))

    async def work(ledger: EventStore, database: Database) -> None:
        other_database = Database(parse_url(url))
        other = EventStore(other_database)
        try:
            await asyncio.gather(end_all(ledger, 0), end_all(other, 40))
        finally:
            await other.close()
            await other_database.close()
        async with database.read_connection() as connection:
            counts = (await connection.execute(select(result_counts).order_by(result_counts.c.spec))).all()
        assert counts == [("liger-4", 40, 0, 0), ("tether-5", 40, 0, 0)]

    with_matches(url, 80, work)
