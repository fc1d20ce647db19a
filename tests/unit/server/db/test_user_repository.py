"""Users, sessions and mutes in the database, and the data that is exported and deleted."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from ropewalk.server.db import user_repository
from ropewalk.server.db.database import Database
from ropewalk.server.db.identifiers import hash_token
from ropewalk.server.db.session_repository import SessionRepository
from ropewalk.server.db.tables import conditional_moves, match_events, matches, mutes, ratings, users
from ropewalk.server.db.user_data import delete_user_data, export_user_data
from ropewalk.server.db.user_repository import MAX_LEVEL, User, UserRepository
from ropewalk.server.domain.usernames import DELETED_NAME
from tests.support.match_log import expect_error

pytestmark = pytest.mark.anyio


async def test_the_built_in_bots_exist_once(migrated: Database) -> None:
    for _ in range(2):
        await UserRepository(migrated).ensure_builtin_bots()
    async with migrated.read_connection() as connection:
        levels = (await connection.execute(select(users.c.id).where(users.c.kind == "builtin-bot"))).scalars().all()
    assert sorted(levels) == [f"level-{level}" for level in range(1, MAX_LEVEL + 1)]


async def test_a_name_belongs_to_one_user_however_it_is_written(migrated: Database) -> None:
    repository = UserRepository(migrated)
    user = await repository.add(User("one", "Ann-Marie", "account"), "a hash")
    for name in ("Ann-Marie", "ANN MARIE", "ann_marie."):
        assert await repository.find_by_name(name) == (user, "a hash")
        with expect_error("name-taken"):
            await repository.add(User("two", name, "account"))
    with expect_error("not-found"):
        await repository.find_by_name("Anne Marie")
    assert await repository.find("two") is None


async def test_a_guest_becomes_an_account_in_every_cache(migrated: Database) -> None:
    repository = UserRepository(migrated)
    guest = await repository.add_guest()
    sessions = SessionRepository(migrated, repository)
    token = await sessions.open_session(guest)
    assert await find_user(sessions, token) == guest
    account = await repository.upgrade_guest(guest, "Member", "a hash")
    assert (account.id, account.kind) == (guest.id, "account")
    assert await repository.find(guest.id) == await find_user(sessions, token) == account
    other = await repository.add_guest()
    with expect_error("name-taken"):
        await repository.upgrade_guest(other, "member", "a hash")
    assert await UserRepository(migrated).find(other.id) == other


async def test_a_guest_gets_another_name_if_the_first_is_taken(migrated: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = UserRepository(migrated)
    names = iter(["Same Name", "Same Name", "Other Name"])
    monkeypatch.setattr(user_repository, "generate_guest_name", lambda: next(names))
    assert (await repository.add_guest()).name == "Same Name"
    assert (await repository.add_guest()).name == "Other Name"
    monkeypatch.setattr(user_repository, "generate_guest_name", lambda: "Same Name")
    with expect_error("name-taken"):
        await repository.add_guest()


async def test_several_users_are_found_at_once_and_unknown_ones_are_missing(migrated: Database) -> None:
    repository = UserRepository(migrated)
    first, second = await repository.add_guest(), await repository.add_guest()
    fresh = UserRepository(migrated)
    await fresh.find(first.id)
    assert await fresh.find_all([first.id, None, "unknown", second.id]) == {first.id: first, second.id: second}
    assert await fresh.find_all([]) == {}


async def test_mutes_are_set_and_removed(migrated: Database) -> None:
    repository = UserRepository(migrated)
    user, other = await repository.add_guest(), await repository.add_guest()
    assert await repository.load_mutes(None) == await repository.load_mutes(user.id) == frozenset()
    for _ in range(2):
        await repository.set_mute(user.id, other.id, muted=True)
    assert await repository.load_mutes(user.id) == await UserRepository(migrated).load_mutes(user.id) == {other.id}
    assert await repository.load_mutes(other.id) == frozenset()
    await repository.set_mute(user.id, other.id, muted=False)
    assert await repository.load_mutes(user.id) == frozenset()


async def test_bots_belong_to_their_owner(migrated: Database) -> None:
    repository = UserRepository(migrated)
    owner = await repository.add(User("owner", "Owner", "account"))
    bot = await repository.add(User("bot", "Robot", "external-bot", owner_id=owner.id))
    assert await repository.list_bots(owner.id) == [bot]
    assert await repository.list_bots(bot.id) == []
    assert (bot.is_bot, owner.is_bot) == (True, False)


async def find_user(repository: SessionRepository, token: str) -> User | None:
    """Return the user of a session."""
    session = await repository.find(token)
    return None if session is None else session.user


async def add_data(database: Database, user: User) -> None:
    """Store a row about a user in every table that has some."""
    row = {"id": "m", "spec": "tether-5", "clock": "{}", "is_rated": False, "origin": "user", "created_by": user.id}
    row |= {"created_at": 0, "status": "playing", "is_open": False, "is_public": False, "seat0_user_id": user.id}
    row |= {"invitation_hash": "secret", "spectator_key": "secret"}
    event = {"match_id": "m", "timestamp_ms": 1, "seat": 0, "user_id": user.id}
    rating = {"user_id": user.id, "game": "tether", "pool": "people", "rating": 1500.0, "deviation": 350.0}
    async with database.write_transaction() as connection:
        await connection.execute(insert(matches).values(row))
        await connection.execute(insert(match_events).values(event | {"seq": 1, "type": "move-played", "payload": "{}"}))
        chat = {"seq": 2, "type": "chat-posted", "payload": '{"text": "my address"}'}
        await connection.execute(insert(match_events).values(event | chat))
        await connection.execute(insert(mutes).values(user_id=user.id, muted="somebody"))
        await connection.execute(insert(mutes).values(user_id="somebody", muted=user.id))
        await connection.execute(insert(ratings).values(rating | {"volatility": 0.06, "games": 1, "updated_at": 0}))
        lines = {"match_id": "m", "user_id": user.id, "position_version": 1, "lines": "[]"}
        await connection.execute(insert(conditional_moves).values(lines))


async def test_all_data_of_a_user_are_exported_without_secrets(migrated: Database) -> None:
    repository = UserRepository(migrated)
    user = await repository.add(User("user", "Leaving", "account"), "a password hash")
    token = await SessionRepository(migrated, repository).open_session(user)
    await add_data(migrated, user)
    exported = await export_user_data(migrated, user)
    assert {name: len(rows) for name, rows in exported.items()} == {
        "user": 1, "sessions": 1, "matches": 1, "events": 2, "conditional_moves": 1, "mutes": 1, "blocks": 0, "reports": 0,
        "tournaments": 0, "tournament_events": 0, "ratings": 1, "rating_changes": 0,
        "puzzle_attempts": 0, "puzzle_ratings": 0, "push_subscriptions": 0, "email_addresses": 0,
        "analyses": 0,
    }  # fmt: skip
    text = str(exported)
    assert not [secret for secret in ("password", "secret", token, hash_token(token)) if secret in text]


async def test_deleted_data_are_gone_and_moves_stay(migrated: Database) -> None:
    repository = UserRepository(migrated)
    user = await repository.add(User("user", "Leaving", "account"), "a password hash")
    token = await SessionRepository(migrated, repository).open_session(user)
    await add_data(migrated, user)
    await delete_user_data(repository, user)
    fresh = UserRepository(migrated)
    assert await SessionRepository(migrated, fresh).find(token) is None
    assert await fresh.find(user.id) == User(user.id, DELETED_NAME, "deleted")
    assert {name: len(rows) for name, rows in (await export_user_data(migrated, user)).items() if rows} == {
        "user": 1,
        "matches": 1,
        "events": 2,
    }
    async with migrated.read_connection() as connection:
        payloads = (await connection.execute(select(match_events.c.payload).order_by(match_events.c.seq))).scalars().all()
        assert (await connection.execute(select(mutes))).all() == []
    assert "address" not in payloads[1]
    for imitation in ("Leaving", "LEAVlNG", "L\u0435av\u0456ng"):
        with expect_error("name-taken"):
            await repository.add(User("next", imitation, "account"))
        with expect_error("name-taken"):
            await repository.upgrade_guest(await repository.add_guest(), imitation, "a hash")
