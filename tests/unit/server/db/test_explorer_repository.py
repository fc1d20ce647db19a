"""The counts of the opening explorer in both databases: every game counts once, on any number of servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert

from ropewalk.games.canonical_key import OpeningStep
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.explorer_repository import (
    MAX_LAST_GAMES,
    MAX_LAST_MATCHES,
    ExplorerRepository,
    OpeningGame,
    OpeningMatch,
    OpeningRecord,
    OpeningValue,
    PlayedOpeningMove,
)
from ropewalk.server.db.tables import explorer_pending, matches, users
from ropewalk.server.db.user_repository import User

pytestmark = pytest.mark.anyio
START, AFTER = -5, 7
STEPS = [OpeningStep(START, 3, AFTER), OpeningStep(AFTER, 1, 8)]


def build_games(*winners: int | None) -> list[OpeningGame]:
    """Return games with the same opening."""
    return [OpeningGame(f"m{number}", STEPS, winner, f"m{number}", 100 + number) for number, winner in enumerate(winners, 1)]


async def test_results_and_last_games_of_each_move_are_added(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    games = build_games(0, None, 1, 1, 0, 0, 1)
    assert await explorer.count_games(games[:3]) == 3
    assert await explorer.count_games(games[3:]) == 4
    (move,) = (await explorer.find(START)).moves
    last = tuple(f"m{number}" for number in (7, 6, 5, 4, 3))
    assert len(last) == MAX_LAST_GAMES
    assert move == PlayedOpeningMove(3, (3, 1, 3), 107, last, None, False)
    assert [each.move for each in (await explorer.find(AFTER)).moves] == [1]
    assert await explorer.find(8) == OpeningRecord([], None, [])


async def test_a_game_is_counted_once_by_any_number_of_servers(migrated: Database) -> None:
    first, second = ExplorerRepository(migrated), ExplorerRepository(Database(migrated.url))
    async with migrated.write_transaction() as connection:
        await connection.execute(insert(explorer_pending), [{"match_id": f"m{n}", "ended_at": n} for n in range(1, 21)])
    games = build_games(*[0] * 20)
    counts = await asyncio.gather(
        *(each.count_games(games[at : at + 5], [f"m{at + 1}"]) for each in (first, second) for at in (0, 5, 10, 15))
    )
    assert sum(counts) == 20
    assert [move.results for move in (await first.find(START)).moves] == [(20, 0, 0)]
    assert await first.count_pending() == 16
    await second.database.close()


async def test_an_imported_game_is_counted_but_cannot_be_listed(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    imported = OpeningGame("f" * 64, STEPS, None)
    assert [await explorer.count_games([imported]) for _ in range(2)] == [1, 0]
    (move,) = (await explorer.find(START)).moves
    assert (move.results, move.last_games, move.last_played_at) == ((0, 1, 0), (), 0)


async def test_a_proven_value_is_not_replaced_by_an_estimate(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    await explorer.count_games(build_games(0))
    await explorer.save_values([OpeningValue(AFTER, 0.6, is_proven=False)], 1)
    await explorer.save_values([OpeningValue(AFTER, 1.0, is_proven=True)], 2)
    await explorer.save_values([OpeningValue(AFTER, 0.4, is_proven=False)], 3)
    assert (await explorer.find(AFTER)).value == OpeningValue(AFTER, 1.0, is_proven=True)
    (move,) = (await explorer.find(START)).moves
    assert (move.value, move.is_proven) == (1.0, True)
    assert (await explorer.find(START)).value is None
    await explorer.save_values([OpeningValue(8, 0.5, is_proven=False)], 4)
    assert await explorer.find(8) == OpeningRecord([], OpeningValue(8, 0.5, is_proven=False), []), "nobody played on"


async def test_matches_that_ended_first_are_counted_first(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    async with migrated.write_transaction() as connection:
        await connection.execute(insert(explorer_pending), [{"match_id": f"m{at}", "ended_at": at} for at in (3, 1, 2)])
    assert await explorer.list_pending(2) == ["m1", "m2"]


async def store_matches(database: Database, count: int) -> list[OpeningGame]:
    """Store users and public matches of them, and return these as games with different first moves."""
    async with database.write_transaction() as connection:
        await connection.execute(insert(users), [build_user_row(name, "account") for name in ("ann", "bob")])
        await connection.execute(insert(users), build_user_row("gone", "deleted"))
        rows = [build_match_row(number, "gone" if number == count else "ann") for number in range(1, count + 1)]
        await connection.execute(insert(matches), rows)
    steps = [[OpeningStep(START, number % 50, AFTER)] for number in range(count + 1)]
    return [OpeningGame(f"m{number}", steps[number], 0, f"m{number}", number) for number in range(1, count + 1)]


def build_user_row(name: str, kind: str) -> dict[str, Any]:
    """Return the row of a user whose id is the name."""
    return {"id": name, "name": name.title(), "name_normalised": name, "kind": kind, "created_at": 1}


def build_match_row(number: int, first: str) -> dict[str, Any]:
    """Return the row of a public match that is over."""
    return {
        "id": f"m{number}", "spec": "tether-5", "clock": '{"kind":"none"}', "is_rated": False, "origin": "open",
        "created_by": "ann", "created_at": 1, "seat0_user_id": first, "seat1_user_id": "bob", "is_open": False,
        "is_public": number % 7 != 0, "status": "over", "winner_seat": 0, "end_reason": "resign", "ended_at": number,
    }  # fmt: skip


@contextmanager
def record_statements(database: Database) -> Iterator[list[str]]:
    """Yield the list of the statements that are run for reading, without those that begin a transaction."""
    engine = database.snapshot_reader.sync_engine if database.sync_reader is None else database.sync_reader
    statements: list[str] = []

    def record(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        if statement != "BEGIN":
            statements.append(statement)

    event.listen(engine, "before_cursor_execute", record)
    yield statements
    event.remove(engine, "before_cursor_execute", record)


async def test_a_position_is_read_with_two_statements_however_many_moves_and_matches_it_has(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    games = await store_matches(migrated, 200)
    await explorer.count_games(games)
    with record_statements(migrated) as statements:
        found = await explorer.find(START)
    assert len(statements) == 2
    assert (len(found.moves), sum(sum(move.results) for move in found.moves)) == (50, 200)
    players = (User("ann", "Ann", "account"), User("bob", "Bob", "account"))
    shown = [number for number in range(199, 0, -1) if number % 7][:MAX_LAST_MATCHES]
    assert found.last_matches == [OpeningMatch(f"m{number}", players, 0, number) for number in shown]
    with record_statements(migrated) as statements:
        assert await explorer.find(AFTER) == OpeningRecord([], None, [])
    assert len(statements) == 1


async def test_reading_a_position_uses_the_indices(database_file: Path) -> None:
    database = Database(parse_url(str(database_file)))  # PostgreSQL reads small tables as a whole
    explorer = ExplorerRepository(database)
    await explorer.count_games(await store_matches(database, 60))
    with record_statements(database) as statements:
        await explorer.find(START)
    async with database.read_connection() as connection:
        for statement in statements:
            values = ("m1",) * statement.count("?")
            plan = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
            scanned = [row.detail for row in plan if row.detail.startswith("SCAN") and "CONSTANT" not in row.detail]
            assert scanned in ([], ["SCAN asked"])
    await database.close()
