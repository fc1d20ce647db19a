"""The counts of the opening explorer in both databases: every game counts once, on any number of servers."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import insert

from ropewalk.games.canonical_key import OpeningStep
from ropewalk.server.db.database import Database
from ropewalk.server.db.explorer_repository import (
    MAX_LAST_GAMES,
    ExplorerRepository,
    OpeningGame,
    OpeningValue,
    PlayedOpeningMove,
)
from ropewalk.server.db.tables import explorer_pending

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
    (move,) = await explorer.list_moves(START)
    last = tuple(f"m{number}" for number in (7, 6, 5, 4, 3))
    assert len(last) == MAX_LAST_GAMES
    assert move == PlayedOpeningMove(3, (3, 1, 3), 107, last, None, False)
    assert [each.move for each in await explorer.list_moves(AFTER)] == [1]
    assert await explorer.list_moves(8) == []


async def test_a_game_is_counted_once_by_any_number_of_servers(migrated: Database) -> None:
    first, second = ExplorerRepository(migrated), ExplorerRepository(Database(migrated.url))
    async with migrated.write_transaction() as connection:
        await connection.execute(insert(explorer_pending), [{"match_id": f"m{n}", "ended_at": n} for n in range(1, 21)])
    games = build_games(*[0] * 20)
    counts = await asyncio.gather(
        *(each.count_games(games[at : at + 5], [f"m{at + 1}"]) for each in (first, second) for at in (0, 5, 10, 15))
    )
    assert sum(counts) == 20
    assert [move.results for move in await first.list_moves(START)] == [(20, 0, 0)]
    assert await first.count_pending() == 16
    await second.database.close()


async def test_an_imported_game_is_counted_but_cannot_be_listed(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    imported = OpeningGame("f" * 64, STEPS, None)
    assert [await explorer.count_games([imported]) for _ in range(2)] == [1, 0]
    (move,) = await explorer.list_moves(START)
    assert (move.results, move.last_games, move.last_played_at) == ((0, 1, 0), (), 0)


async def test_a_proven_value_is_not_replaced_by_an_estimate(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    await explorer.count_games(build_games(0))
    await explorer.save_values([OpeningValue(AFTER, 0.6, is_proven=False)], 1)
    await explorer.save_values([OpeningValue(AFTER, 1.0, is_proven=True)], 2)
    await explorer.save_values([OpeningValue(AFTER, 0.4, is_proven=False)], 3)
    assert await explorer.find_value(AFTER) == OpeningValue(AFTER, 1.0, is_proven=True)
    (move,) = await explorer.list_moves(START)
    assert (move.value, move.is_proven) == (1.0, True)
    assert await explorer.find_value(START) is None


async def test_matches_that_ended_first_are_counted_first(migrated: Database) -> None:
    explorer = ExplorerRepository(migrated)
    async with migrated.write_transaction() as connection:
        await connection.execute(insert(explorer_pending), [{"match_id": f"m{at}", "ended_at": at} for at in (3, 1, 2)])
    assert await explorer.list_pending(2) == ["m1", "m2"]
