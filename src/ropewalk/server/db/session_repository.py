"""The repository of sessions: opens, finds and ends them by their tokens, of which only hashes are stored.

The id of a session is the beginning of its token's hash: it names the session in lists and notifications, and gives no
access.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from ..errors import ApiError
from .batch_loader import BatchLoader, pad_keys
from .database import Database
from .expiring_cache import ExpiringCache
from .identifiers import generate_token, hash_token
from .tables import SELECT_DEVICE_SECRET, push_subscriptions, sessions, users
from .user_repository import DAY_MS, MAX_CACHED, User, UserRepository, now_ms, user_from_row

SESSION_MS = 180 * DAY_MS
TOKEN_MS = 90 * DAY_MS  # of a bot; every use extends it
TOUCH_MS = 600 * 1000  # uses within this time are stored once
SESSION_CACHE_SECONDS = 10.0  # after which a session is read again
SESSION_ID_LENGTH = 24
SESSIONS_CHANNEL = "ropewalk_sessions"  # PostgreSQL: ids of sessions that have ended
MAX_NOTIFIED = 200  # ids in one notification, whose size PostgreSQL limits
MAX_LOADED = 128  # sessions that one query loads

SESSION_ID = func.substr(sessions.c.token_hash, 1, SESSION_ID_LENGTH)


@dataclass(frozen=True)
class UserSession:
    """A session of a browser or of a bot, with its user."""

    id: str
    user: User


class SessionUse(NamedTuple):
    """The user of a session, and when it was last used."""

    user_id: str
    last_used_at: int


@dataclass(frozen=True)
class SessionDetails:
    """A session as its owner sees it in a list."""

    id: str
    created_at: int
    last_used_at: int
    expires_at: int
    client: str | None


class SessionRepository:
    """Reads and writes sessions; the users of tokens are cached for a few seconds."""

    def __init__(self, database: Database, users: UserRepository) -> None:
        self.database = database
        self.users = users
        self.cache: ExpiringCache[str, str] = ExpiringCache(MAX_CACHED, SESSION_CACHE_SECONDS)  # user ids by session id
        self.loader: BatchLoader[str, SessionUse] = BatchLoader(self.load_many, MAX_LOADED)  # by the hash of the token
        self.device_secret: str | None = None  # when it was read
        self.listeners: list[Callable[[Collection[str]], None]] = []

    def subscribe(self, listener: Callable[[Collection[str]], None]) -> None:
        """Call `listener` with the ids of sessions that have ended, on this server or another one."""
        self.listeners.append(listener)

    async def open_session(self, user: User, client: str = "") -> str:
        """Store a new session of a user, which lasts longer if it is not a bot's. Returns its token."""
        token, now = generate_token(), now_ms()
        row = {"token_hash": hash_token(token), "user_id": user.id, "created_at": now, "last_used_at": now}
        row |= {"expires_at": now + (TOKEN_MS if user.is_bot else SESSION_MS), "client": client or None}
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(sessions).where(sessions.c.user_id == user.id, sessions.c.expires_at <= now))
            await connection.execute(insert(sessions).values(row))
        return token

    async def find(self, token: str) -> UserSession | None:
        """Return the session of a token, None if it is invalid, has expired or has ended."""
        token_hash = hash_token(token)
        session_id = token_hash[:SESSION_ID_LENGTH]
        user_id = self.cache.get(session_id)
        last_used_at = None
        if user_id is None:
            use = await self.loader.load(token_hash)
            if use is None:
                return None
            user_id, last_used_at = use
        user = await self.users.find(user_id)
        if user is None or user.kind == "deleted" or user.is_closed:
            return None
        if last_used_at is not None and now_ms() - last_used_at >= TOUCH_MS:
            await self.touch(token_hash, user)
        return UserSession(session_id, user)

    async def load_many(self, token_hashes: Sequence[str]) -> dict[str, SessionUse]:
        """Load and cache sessions that have not expired, with their users. Returns their uses by the hash of the token."""
        generation, user_generation = self.cache.generation, self.users.user_cache.generation
        query = select(sessions.c.token_hash, sessions.c.last_used_at, users).join(users, users.c.id == sessions.c.user_id)
        query = query.where(sessions.c.token_hash.in_(pad_keys(token_hashes)), sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(query)).all()
        for row in rows:
            self.cache.set(row.token_hash[:SESSION_ID_LENGTH], row.id, generation)
            self.users.user_cache.set(row.id, user_from_row(row), user_generation)
        return {row.token_hash: SessionUse(row.id, row.last_used_at) for row in rows}

    async def touch(self, token_hash: str, user: User) -> None:
        """Store that a session is used, which extends the token of a bot; a database that cannot be written is ignored."""
        now = now_ms()
        values = {"last_used_at": now} | ({"expires_at": now + TOKEN_MS} if user.is_bot else {})
        with suppress(ApiError):
            async with self.database.write_transaction() as connection:
                await connection.execute(update(sessions).where(sessions.c.token_hash == token_hash).values(values))

    async def load_device_secret(self) -> str:
        """Return the secret that signs the cookies of known devices."""
        if self.device_secret is None:
            async with self.database.read_connection() as connection:
                self.device_secret = str(await connection.scalar(SELECT_DEVICE_SECRET))
        return self.device_secret

    async def list_by_user(self, user_id: str) -> list[SessionDetails]:
        """Return the sessions of a user that have not expired, the last used first."""
        query = select(SESSION_ID, sessions.c.created_at, sessions.c.last_used_at, sessions.c.expires_at, sessions.c.client)
        query = query.where(sessions.c.user_id == user_id, sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            rows = await connection.execute(query.order_by(sessions.c.last_used_at.desc(), sessions.c.created_at.desc()))
            return [SessionDetails(*row) for row in rows]

    async def end(self, token: str) -> None:
        """End the session of a token, which is invalid afterwards."""
        await self.end_where(sessions.c.token_hash == hash_token(token))

    async def end_all(self, user_ids: Sequence[str]) -> None:
        """End all sessions of some users."""
        await self.end_where(sessions.c.user_id.in_(user_ids))

    async def end_one(self, user_id: str, session_id: str) -> None:
        """End one session of a user. Raises ApiError `not-found`."""
        if not await self.end_where((sessions.c.user_id == user_id) & SESSION_ID.in_([session_id])):
            raise ApiError("not-found", "session not found")

    async def end_others(self, session: UserSession) -> None:
        """End all sessions of a user but one."""
        await self.end_where((sessions.c.user_id == session.user.id) & SESSION_ID.not_in([session.id]))

    async def end_where(self, condition: ColumnElement[bool]) -> list[str]:
        """Delete sessions, and announce it on all servers. Returns their ids."""
        async with self.database.write_transaction() as connection:
            ended = list(await connection.scalars(delete(sessions).where(condition).returning(SESSION_ID)))
            if ended:
                is_ended = push_subscriptions.c.session_id.in_(ended)
                await connection.execute(delete(push_subscriptions).where(is_ended))
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
