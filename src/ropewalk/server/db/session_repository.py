"""The repository of sessions: opens, finds and ends them by their tokens, of which only hashes are stored.

The id of a session is the beginning of its token's hash: it names the session in lists and notifications, and gives no
access.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, insert, select

from .database import Database
from .expiring_cache import ExpiringCache
from .identifiers import generate_token, hash_token
from .tables import sessions
from .user_repository import DAY_MS, MAX_CACHED, User, UserRepository, now_ms

SESSION_MS = 180 * DAY_MS
TOKEN_MS = 3650 * DAY_MS
SESSION_CACHE_SECONDS = 10.0  # after which a session is read again
SESSION_ID_LENGTH = 24
SESSIONS_CHANNEL = "ropewalk_sessions"  # PostgreSQL: ids of sessions that have ended
MAX_NOTIFIED = 200  # ids in one notification, whose size PostgreSQL limits

SESSION_ID = func.substr(sessions.c.token_hash, 1, SESSION_ID_LENGTH)


@dataclass(frozen=True)
class Session:
    """A session and its user."""

    id: str
    user: User


class SessionRepository:
    """Reads and writes sessions; the users of tokens are cached for a few seconds."""

    def __init__(self, database: Database, users: UserRepository) -> None:
        self.database = database
        self.users = users
        self.cache: ExpiringCache[str, str] = ExpiringCache(MAX_CACHED, SESSION_CACHE_SECONDS)  # user ids by session id
        self.listeners: list[Callable[[Collection[str]], None]] = []

    def subscribe(self, listener: Callable[[Collection[str]], None]) -> None:
        """Call `listener` with the ids of sessions that have ended, on this server or another one."""
        self.listeners.append(listener)

    async def open(self, user: User, duration_ms: int = SESSION_MS) -> str:
        """Store a new session of a user. Returns its token."""
        token, now = generate_token(), now_ms()
        row = {"token_hash": hash_token(token), "user_id": user.id, "created_at": now, "expires_at": now + duration_ms}
        async with self.database.write_transaction() as connection:
            await connection.execute(insert(sessions).values(row))
        return token

    async def find(self, token: str) -> Session | None:
        """Return the session of a token, None if it is invalid, has expired or has ended."""
        token_hash = hash_token(token)
        session_id = token_hash[:SESSION_ID_LENGTH]
        user_id, generation = self.cache.get(session_id), self.cache.generation
        if user_id is None:
            user_id = await self.load_user_id(token_hash)
            if user_id is None:
                return None
            self.cache.set(session_id, user_id, generation)
        user = await self.users.find(user_id)
        return None if user is None or user.kind == "deleted" else Session(session_id, user)

    async def load_user_id(self, token_hash: str) -> str | None:
        """Load the user id of a session that has not expired; None if there is none."""
        query = select(sessions.c.user_id).where(sessions.c.token_hash == token_hash, sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            return await connection.scalar(query)

    async def end(self, token: str) -> None:
        """End the session of a token, which is invalid afterwards."""
        await self.end_where(sessions.c.token_hash == hash_token(token))

    async def end_all(self, user_ids: Sequence[str]) -> None:
        """End all sessions of some users."""
        await self.end_where(sessions.c.user_id.in_(user_ids))

    async def end_where(self, condition: ColumnElement[bool]) -> list[str]:
        """Delete sessions, and announce it on all servers. Returns their ids."""
        async with self.database.write_transaction() as connection:
            ended = list(await connection.scalars(delete(sessions).where(condition).returning(SESSION_ID)))
            if connection.dialect.name == "postgresql":
                for first in range(0, len(ended), MAX_NOTIFIED):
                    payload = " ".join(ended[first : first + MAX_NOTIFIED])
                    await connection.execute(select(func.pg_notify(SESSIONS_CHANNEL, payload)))
        self.announce_end(ended)
        return ended

    def announce_end(self, session_ids: Collection[str]) -> None:
        """Discard ended sessions, and tell the listeners of this server."""
        for session_id in session_ids:
            self.cache.discard(session_id)
        for listener in self.listeners:
            listener(session_ids)

    async def announce_missed(self, session_ids: Collection[str]) -> None:
        """Announce those of the sessions that have ended without a notification."""
        query = select(SESSION_ID).where(SESSION_ID.in_(session_ids), sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            alive = set(await connection.scalars(query))
        self.announce_end([session_id for session_id in session_ids if session_id not in alive])
