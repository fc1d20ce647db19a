"""The ledger writes each event once, tells after that, and never waits for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy import insert, select

from ropewalk.server.db.append_request import INDEX_COLUMNS, AppendEvent, CreateMatch
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.event_store import EventStore
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.tables import database_metadata, lobby_events, match_events, matches
from ropewalk.server.domain.events import LobbyEvent, MatchEvent
from ropewalk.server.errors import ApiError
from tests.support.postgres import Cluster

ROW = dict.fromkeys(INDEX_COLUMNS) | {"status": "playing", "is_open": False, "to_move_user_id": "me", "move_deadline_ms": 7}


def turn(match: str, number: int, user: str = "me") -> AppendEvent:
    """A step of a match."""
    return AppendEvent(match, MatchEvent(number, 1000, "move-played", 0, user, {"move": "c3"}), ROW, is_plain_move=True)


def with_ledger(url: str, work: Callable[[EventStore, Database], Awaitable[None]]) -> None:
    """Do something with a ledger that has two matches and knows its database."""

    async def run() -> None:
        database = Database(parse_url(url))
        await migrate(database)
        row = {"spec": "tether-5", "clock": "{}", "is_rated": False, "origin": "user", "created_by": "me", "created_at": 0}
        row |= {"status": "playing", "is_open": False}
        rows = [{"id": name} | row for name in ("a", "b")]
        async with database.write_transaction() as connection:
            await connection.execute(insert(matches), rows)
        ledger = EventStore(database)
        async with database.read_connection() as connection:
            ledger.epoch = await connection.scalar(
                select(database_metadata.c.value).where(database_metadata.c.name == "epoch")
            )
        try:
            await work(ledger, database)
        finally:
            await ledger.close()
            await database.close()

    asyncio.run(run())


async def written(database: Database) -> list[tuple[str, int, str | None]]:
    """All that is in the table: match, number, user."""
    async with database.read_connection() as connection:
        columns = match_events.c.match_id, match_events.c.seq, match_events.c.user_id
        events = [(match, seq, user) for match, seq, user in await connection.execute(select(*columns))]
        lobby = [("lobby", seq, None) for seq in await connection.scalars(select(lobby_events.c.seq))]
        return sorted([*events, *lobby])


def test_turns_that_wait_together_share_a_commit_and_the_row_says_whose_turn_it_is(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        assert list(await asyncio.gather(ledger.append(turn("a", 1)), ledger.append(turn("b", 1)))) == [True, True]
        assert ledger.batch_count == 1
        assert await written(database) == [("a", 1, "me"), ("b", 1, "me")]
        async with database.read_connection() as connection:
            rows = (await connection.execute(select(matches.c.to_move_user_id, matches.c.move_deadline_ms))).all()
        assert rows == [("me", 7), ("me", 7)]

    with_ledger(database, work)


def test_of_two_turns_with_one_number_exactly_one_is_written(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        assert await ledger.append(turn("a", 1))
        both = ledger.append(turn("a", 2, "me")), ledger.append(turn("a", 2, "you"))
        assert list(await asyncio.gather(*both)) == [True, False]
        late = ledger.append(turn("a", 2, "late")), ledger.append(turn("b", 1))
        assert list(await asyncio.gather(*late)) == [False, True], "who was too late does not hinder others"
        assert await written(database) == [("a", 1, "me"), ("a", 2, "me"), ("b", 1, "me")]

    with_ledger(database, work)


def test_what_is_written_is_noted_although_nobody_waits_for_it_any_more(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        noted: list[str] = []
        ledger.append(turn("a", 1), lambda: noted.append("a")).cancel()
        assert await ledger.append(turn("b", 1), lambda: noted.append("b"))
        assert noted == ["a", "b"]

    with_ledger(database, work)


def test_after_a_backup_was_restored_nothing_is_written_on_top_of_what_is_gone(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        ledger.epoch = "another past"
        with pytest.raises(ApiError, match="restored"):
            await ledger.append(turn("a", 1))
        assert await written(database) == []

    with_ledger(database, work)


def test_a_turn_waits_for_whoever_else_writes_without_keeping_them_from_it(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        async with database.write_transaction() as connection:
            await connection.execute(insert(database_metadata).values(name="slow", value="writer"))
            settled = ledger.append(turn("a", 1))
            await asyncio.sleep(0.05)
        assert await asyncio.wait_for(settled, 5)

    with_ledger(database, work)


def test_an_event_that_changes_more_than_the_turn_is_written_whole(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        over = replace(turn("a", 1), index_values=ROW | {"status": "over", "end_reason": "resign"}, is_plain_move=False)
        assert list(await asyncio.gather(ledger.append(over), ledger.append(turn("b", 1)))) == [True, True]
        async with database.read_connection() as connection:
            rows = (await connection.execute(select(matches.c.id, matches.c.status, matches.c.end_reason))).all()
        assert sorted(rows) == [("a", "over", "resign"), ("b", "playing", None)]

    with_ledger(database, work)


def challenge(match: str) -> CreateMatch:
    """A new match that waits for anybody."""
    row = ROW | {"id": match, "spec": "tether-5", "created_by": "me", "created_at": 0, "invitation_hash": None}
    row |= {"clock": "{}", "is_rated": False, "initial_position": None, "origin": "open", "reserved_for": None}
    row |= {"rematch_of": None, "status": "waiting", "is_open": True}
    return CreateMatch(row, lobby_event=LobbyEvent(0, 0, "challenge-opened", match))


def test_a_new_match_is_written_once_with_its_first_events(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        begun = replace(
            challenge("c"), events=[MatchEvent(1, 0, "match-started", None, "me"), MatchEvent(2, 0, "move-played", 0, "you")]
        )
        both = (
            ledger.append(begun),
            ledger.append(replace(begun, events=[MatchEvent(1, 0, "match-started", None, "another")])),
        )
        assert list(await asyncio.gather(*both, ledger.append(turn("a", 1)))) == [True, False, True]
        assert await ledger.append(begun) is False, "its id is taken"
        assert await written(database) == [("a", 1, "me"), ("c", 1, "me"), ("c", 2, "you"), ("lobby", 1, None)]
        assert (ledger.appended_count, ledger.batch_count) == (3, 2)
        assert await ledger.append(turn("c", 3))

    with_ledger(database, work)


def test_a_match_that_the_database_rejects_does_not_keep_others_from_being_written(database: str) -> None:
    async def work(ledger: EventStore, database: Database) -> None:
        rejected = replace(challenge("c"), row={**challenge("c").row, "spec": None})
        waiting = ledger.append(turn("a", 1)), ledger.append(rejected), ledger.append(turn("b", 1))
        first, error, last = await asyncio.gather(*waiting, return_exceptions=True)
        assert (first, last) == (True, True)
        assert isinstance(error, ApiError)
        assert error.code == "storage"
        assert await written(database) == [("a", 1, "me"), ("b", 1, "me")]

    with_ledger(database, work)


def test_matches_that_two_servers_create_at_once_all_get_a_number_in_the_lobby(cluster: Cluster) -> None:
    async def create_all(ledger: EventStore, name: str) -> list[bool]:
        at_once = await asyncio.gather(*(ledger.append(challenge(f"{name}-{number}")) for number in range(100)))
        in_turn = [await ledger.append(challenge(f"{name}-{number}")) for number in range(100, 200)]
        return [*at_once, *in_turn]

    url = cluster.new_database()

    async def work(ledger: EventStore, database: Database) -> None:
        other_database = Database(parse_url(url))
        other = EventStore(other_database)
        try:
            here, there = await asyncio.gather(create_all(ledger, "here"), create_all(other, "there"))
        finally:
            await other.close()
            await other_database.close()
        assert here == there == [True] * 200
        assert [number for match, number, _ in await written(database) if match == "lobby"] == list(range(1, 401))

    with_ledger(url, work)
