"""Sessions in the database: their tokens, their end."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from ropewalk.server.db import session_repository
from ropewalk.server.db.database import Database
from ropewalk.server.db.identifiers import hash_token
from ropewalk.server.db.session_repository import SESSION_ID_LENGTH, SESSION_MS, TOKEN_MS, SessionRepository, UserSession
from ropewalk.server.db.tables import sessions
from ropewalk.server.db.user_repository import DAY_MS, User, UserRepository, now_ms

pytestmark = pytest.mark.anyio


async def test_a_session_ends_when_it_is_closed_or_expires(migrated: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    users = UserRepository(migrated)
    repository = SessionRepository(migrated, users)
    user = await users.add_guest()
    first, second = await repository.open_session(user), await repository.open_session(user)
    assert first != second
    async with migrated.read_connection() as connection:
        stored = (await connection.execute(select(sessions.c.token_hash))).scalars().all()
    assert sorted(stored) == sorted([hash_token(first), hash_token(second)]), "tokens themselves are not stored"
    ended: list[str] = []
    repository.subscribe(ended.extend)
    await repository.end(first)
    assert await repository.find(first) is None
    assert await repository.find(second) == UserSession(hash_token(second)[:SESSION_ID_LENGTH], user)
    assert ended == [hash_token(first)[:SESSION_ID_LENGTH]]
    monkeypatch.setattr(session_repository, "now_ms", lambda: now_ms() + SESSION_MS + DAY_MS)
    assert await SessionRepository(migrated, users).find(second) is None
    assert await repository.find("unknown") is None


async def test_the_token_of_a_bot_lasts_as_long_as_it_is_used(migrated: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    users = UserRepository(migrated)
    bot = await users.add(User("bot", "Lasting Bot", "external-bot", owner_id="owner"))
    token = await SessionRepository(migrated, users).open_session(bot)
    start = now_ms()
    for days in (80, 160, 240):
        monkeypatch.setattr(session_repository, "now_ms", lambda days=days: start + days * DAY_MS)
        assert await SessionRepository(migrated, users).find(token) is not None
    (details,) = await SessionRepository(migrated, users).list_by_user(bot.id)
    assert details.last_used_at == start + 240 * DAY_MS
    assert details.expires_at == start + 240 * DAY_MS + TOKEN_MS
    monkeypatch.setattr(session_repository, "now_ms", lambda: start + 240 * DAY_MS + TOKEN_MS)
    assert await SessionRepository(migrated, users).find(token) is None
    assert await SessionRepository(migrated, users).list_by_user(bot.id) == []


async def test_all_sessions_of_users_end_and_a_missed_end_is_found(migrated: Database) -> None:
    users = UserRepository(migrated)
    repository, elsewhere = SessionRepository(migrated, users), SessionRepository(migrated, users)
    user, other = await users.add_guest(), await users.add_guest()
    tokens = [await repository.open_session(user) for _ in range(3)]
    kept = await repository.open_session(other)
    ids = [hash_token(token)[:SESSION_ID_LENGTH] for token in (*tokens, kept)]
    assert [await elsewhere.find(token) is not None for token in (*tokens, kept)] == [True] * 4
    await repository.end_all([user.id])
    assert [await repository.find(token) is not None for token in (*tokens, kept)] == [False, False, False, True]
    ended: list[str] = []
    elsewhere.subscribe(ended.extend)
    await elsewhere.announce_missed(ids)
    assert ended == ids[:3]
    assert [await elsewhere.find(token) is not None for token in (*tokens, kept)] == [False, False, False, True]
