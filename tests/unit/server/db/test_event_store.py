"""The event store appends each event once, reports it after the commit, and never waits for itself."""

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

ROW = dict.fromkeys(INDEX_COLUMNS) | {"status": "playing", "is_open": False, "is_public": False, "to_move_user_id": "me"}
ROW |= {"move_deadline_ms": 7}


def build_move(match: str, number: int, user: str = "me") -> AppendEvent:
    """Return the request to append a move."""
    return AppendEvent(match, MatchEvent(number, 1000, "move-played", 0, user, {"move": "c3"}), ROW, is_plain_move=True)


def run_with_event_store(url: str, work: Callable[[EventStore, Database], Awaitable[None]]) -> None:
    """Run `work` with an event store whose database has two matches."""

    async def run() -> None:
        database = Database(parse_url(url))
        await migrate(database)
        row = {"spec": "tether-5", "clock": "{}", "is_rated": False, "origin": "user", "created_by": "me", "created_at": 0}
        row |= {"status": "playing", "is_open": False, "is_public": False}
        rows = [{"id": name} | row for name in ("a", "b")]
        async with database.write_transaction() as connection:
            await connection.execute(insert(matches), rows)
        event_store = EventStore(database)
        async with database.read_connection() as connection:
            event_store.epoch = await connection.scalar(
                select(database_metadata.c.value).where(database_metadata.c.name == "epoch")
            )
        try:
            await work(event_store, database)
        finally:
            await event_store.close()
            await database.close()

    asyncio.run(run())


async def load_keys(database: Database) -> list[tuple[str, int, str | None]]:
    """Return all stored events: match or lobby, seq, user."""
    async with database.read_connection() as connection:
        columns = match_events.c.match_id, match_events.c.seq, match_events.c.user_id
        events = [(match, seq, user) for match, seq, user in await connection.execute(select(*columns))]
        lobby = [("lobby", seq, None) for seq in await connection.scalars(select(lobby_events.c.seq))]
        return sorted([*events, *lobby])


def test_moves_that_are_queued_together_share_a_commit_and_the_row_names_the_user_to_move(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        assert list(
            await asyncio.gather(event_store.append(build_move("a", 1)), event_store.append(build_move("b", 1)))
        ) == [True, True]
        assert event_store.batch_count == 1
        assert await load_keys(database) == [("a", 1, "me"), ("b", 1, "me")]
        async with database.read_connection() as connection:
            rows = (await connection.execute(select(matches.c.to_move_user_id, matches.c.move_deadline_ms))).all()
        assert rows == [("me", 7), ("me", 7)]

    run_with_event_store(database, work)


def test_of_two_moves_with_one_seq_exactly_one_is_stored(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        assert await event_store.append(build_move("a", 1))
        both = event_store.append(build_move("a", 2, "me")), event_store.append(build_move("a", 2, "you"))
        assert list(await asyncio.gather(*both)) == [True, False]
        late = event_store.append(build_move("a", 2, "late")), event_store.append(build_move("b", 1))
        assert list(await asyncio.gather(*late)) == [False, True], "a conflict does not affect other matches"
        assert await load_keys(database) == [("a", 1, "me"), ("a", 2, "me"), ("b", 1, "me")]

    run_with_event_store(database, work)


def test_a_stored_event_is_reported_although_its_caller_was_cancelled(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        appended: list[str] = []
        event_store.append(build_move("a", 1), lambda: appended.append("a")).cancel()
        assert await event_store.append(build_move("b", 1), lambda: appended.append("b"))
        assert appended == ["a", "b"]

    run_with_event_store(database, work)


def test_after_a_backup_was_restored_nothing_is_appended_to_outdated_matches(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        event_store.epoch = "another past"
        with pytest.raises(ApiError, match="restored"):
            await event_store.append(build_move("a", 1))
        assert await load_keys(database) == []

    run_with_event_store(database, work)


def test_a_move_waits_for_another_transaction_without_blocking_it(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        async with database.write_transaction() as connection:
            await connection.execute(insert(database_metadata).values(name="slow", value="writer"))
            append = event_store.append(build_move("a", 1))
            await asyncio.sleep(0.05)
        assert await asyncio.wait_for(append, 5)

    run_with_event_store(database, work)


def test_an_event_that_ends_a_match_updates_all_columns(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        over = replace(
            build_move("a", 1), index_values=ROW | {"status": "over", "end_reason": "resign"}, is_plain_move=False
        )
        assert list(await asyncio.gather(event_store.append(over), event_store.append(build_move("b", 1)))) == [True, True]
        async with database.read_connection() as connection:
            rows = (await connection.execute(select(matches.c.id, matches.c.status, matches.c.end_reason))).all()
        assert sorted(rows) == [("a", "over", "resign"), ("b", "playing", None)]

    run_with_event_store(database, work)


def build_challenge(match: str) -> CreateMatch:
    """Return the request to create a match that waits for an opponent."""
    row = ROW | {"id": match, "spec": "tether-5", "created_by": "me", "created_at": 0, "invitation_hash": None}
    row |= {"clock": "{}", "is_rated": False, "initial_position": None, "origin": "open", "reserved_for": None}
    row |= {"rematch_of": None, "status": "waiting", "is_open": True, "is_public": False}
    return CreateMatch(row, lobby_event=LobbyEvent(0, 0, "challenge-opened", match))


def test_a_new_match_is_stored_once_with_its_first_events(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        started = replace(
            build_challenge("c"),
            events=[MatchEvent(1, 0, "match-started", None, "me"), MatchEvent(2, 0, "move-played", 0, "you")],
        )
        both = (
            event_store.append(started),
            event_store.append(replace(started, events=[MatchEvent(1, 0, "match-started", None, "another")])),
        )
        assert list(await asyncio.gather(*both, event_store.append(build_move("a", 1)))) == [True, False, True]
        assert await event_store.append(started) is False, "its id is taken"
        assert await load_keys(database) == [("a", 1, "me"), ("c", 1, "me"), ("c", 2, "you"), ("lobby", 1, None)]
        assert (event_store.appended_count, event_store.batch_count) == (3, 2)
        assert await event_store.append(build_move("c", 3))

    run_with_event_store(database, work)


def test_a_match_that_the_database_rejects_does_not_prevent_others_from_being_stored(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        rejected = replace(build_challenge("c"), row={**build_challenge("c").row, "spec": None})
        waiting = (
            event_store.append(build_move("a", 1)),
            event_store.append(rejected),
            event_store.append(build_move("b", 1)),
        )
        first, error, last = await asyncio.gather(*waiting, return_exceptions=True)
        assert (first, last) == (True, True)
        assert isinstance(error, ApiError)
        assert error.code == "storage"
        assert await load_keys(database) == [("a", 1, "me"), ("b", 1, "me")]

    run_with_event_store(database, work)


def test_matches_that_two_servers_create_at_once_all_get_a_number_in_the_lobby(cluster: Cluster) -> None:
    async def create_all(event_store: EventStore, name: str) -> list[bool]:
        at_once = await asyncio.gather(*(event_store.append(build_challenge(f"{name}-{number}")) for number in range(100)))
        in_turn = [await event_store.append(build_challenge(f"{name}-{number}")) for number in range(100, 200)]
        return [*at_once, *in_turn]

    url = cluster.new_database()

    async def work(event_store: EventStore, database: Database) -> None:
        other_database = Database(parse_url(url))
        other = EventStore(other_database)
        try:
            here, there = await asyncio.gather(create_all(event_store, "here"), create_all(other, "there"))
        finally:
            await other.close()
            await other_database.close()
        assert here == there == [True] * 200
        assert [number for match, number, _ in await load_keys(database) if match == "lobby"] == list(range(1, 401))

    run_with_event_store(url, work)


@pytest.mark.parametrize("is_plain", [True, False])
def test_an_event_whose_predecessor_is_missing_is_not_stored(database: str, is_plain: bool) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        assert await event_store.append(build_move("a", 1))
        results = [event_store.append(replace(build_move(*key), is_plain_move=is_plain)) for key in (("a", 3), ("b", 1))]
        assert list(await asyncio.gather(*results)) == [False, True], "the other one of the batch is stored"
        assert await load_keys(database) == [("a", 1, "me"), ("b", 1, "me")]

    run_with_event_store(database, work)


def test_an_event_of_a_match_that_was_loaded_before_a_restore_is_not_stored(database: str) -> None:
    async def work(event_store: EventStore, database: Database) -> None:
        current = event_store.epoch
        old, new = replace(build_move("a", 1), epoch="before"), replace(build_move("b", 1), epoch=current)
        results = await asyncio.gather(event_store.append(old), event_store.append(new), return_exceptions=True)
        assert isinstance(results[0], ApiError)
        assert (results[0].code, results[1]) == ("busy", True)
        assert await load_keys(database) == [("b", 1, "me")]

    run_with_event_store(database, work)


@pytest.mark.parametrize("is_plain_move", [True, False])
def test_the_first_event_of_a_match_that_does_not_exist_is_not_stored(database: str, is_plain_move: bool) -> None:
    """A restored backup may not have a match that a server has loaded; its epoch may have been read after the restore."""

    async def work(event_store: EventStore, opened: Database) -> None:
        missing = replace(build_move("missing", 1), is_plain_move=is_plain_move)
        assert await event_store.append(missing) is False
        assert await event_store.append(replace(build_move("a", 1), is_plain_move=is_plain_move)) is True
        assert [key[:2] for key in await load_keys(opened)] == [("a", 1)]

    run_with_event_store(database, work)
