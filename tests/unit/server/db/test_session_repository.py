"""Sessions in the database: their tokens, their end."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from ropewalk.server.db import session_repository
from ropewalk.server.db.database import Database
from ropewalk.server.db.identifiers import hash_token
from ropewalk.server.db.session_repository import SESSION_MS, SessionRepository
from ropewalk.server.db.tables import sessions
from ropewalk.server.db.user_repository import DAY_MS, UserRepository, now_ms

pytestmark = pytest.mark.anyio


async def test_a_session_ends_when_it_is_closed_or_expires(migrated: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    users = UserRepository(migrated)
    repository = SessionRepository(migrated, users)
    user = await users.add_guest()
    first, second = await repository.open(user), await repository.open(user)
    assert first != second
    async with migrated.read_connection() as connection:
        stored = (await connection.execute(select(sessions.c.token_hash))).scalars().all()
    assert sorted(stored) == sorted([hash_token(first), hash_token(second)]), "tokens themselves are not stored"
    await repository.close(first)
    assert await repository.find_user(first) is None
    assert await repository.find_user(second) == user
    monkeypatch.setattr(session_repository, "now_ms", lambda: now_ms() + SESSION_MS + DAY_MS)
    assert await SessionRepository(migrated, users).find_user(second) is None
    assert await repository.find_user("unknown") is None
