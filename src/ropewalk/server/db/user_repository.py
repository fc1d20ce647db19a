"""Users and their sessions."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ...games.registry import games
from ..domain.usernames import generate_guest_name, normalise_name
from ..errors import ApiError
from .database import Database
from .expiring_cache import ExpiringCache
from .identifiers import generate_id, generate_token, hash_token
from .tables import mutes, sessions, users

DAY_MS = 24 * 3600 * 1000
SESSION_MS = 180 * DAY_MS
TOKEN_MS = 3650 * DAY_MS
SESSION_CACHE_SECONDS = 10.0  # after which a session is looked up again
USER_CACHE_SECONDS = 5.0  # the same for users and mutes, which other servers change too; they notify us, as a rule
MAX_CACHED = 20_000
USERS_CHANNEL = "ropewalk_users"  # PostgreSQL: ids of users of whom something has changed
MAX_LEVEL = max(len(entry.bots) for entry in games())
MAX_NAME_ATTEMPTS = 5


@dataclass(frozen=True)
class User:
    """Somebody who can sit at a table: a guest, an account, a bot of others, or one of our levels."""

    id: str
    name: str
    kind: str
    level: int | None = None
    owner_id: str | None = None

    @property
    def is_bot(self) -> bool:
        """Whether no person plays."""
        return self.kind in ("bot", "level")


def now_ms() -> int:
    """The time in milliseconds."""
    return time.time_ns() // 1_000_000


class UserRepository:
    """Who is who; what was read is cached, and forgotten when any server changes it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        max_age = math.inf if database.is_sqlite else USER_CACHE_SECONDS  # a file has one server
        self.session_cache: ExpiringCache[str, User] = ExpiringCache(MAX_CACHED, SESSION_CACHE_SECONDS)  # by hash of session
        self.user_cache: ExpiringCache[str, User] = ExpiringCache(MAX_CACHED, max_age)
        self.mute_cache: ExpiringCache[str, frozenset[str]] = ExpiringCache(
            MAX_CACHED, max_age
        )  # whom each does not want to hear

    async def ensure_builtin_bots(self) -> None:
        """Make the users that our bots play as."""
        for level in range(1, MAX_LEVEL + 1):
            if await self.find(f"level-{level}") is None:
                try:
                    await self.add(User(f"level-{level}", f"Level {level}", "level", level))
                except ApiError as refusal:  # another server was faster
                    if refusal.code != "name-taken":
                        raise

    async def add(self, user: User, password_hash: str | None = None) -> User:
        """A new user, whose name nobody has."""
        row = {
            "id": user.id,
            "name": user.name,
            "name_normalised": normalise_name(user.name),
            "kind": user.kind,
            "level": user.level,
        }
        row |= {"owner_id": user.owner_id, "password_hash": password_hash, "created_at": now_ms()}
        async with unique_name_guard(user.name), self.database.write_transaction() as connection:
            await connection.execute(insert(users).values(row))
        self.user_cache.set(user.id, user)
        return user

    async def add_guest(self) -> User:
        """A guest, under a name that nobody has."""
        for attempt in range(MAX_NAME_ATTEMPTS):
            try:
                return await self.add(User(generate_id(), generate_guest_name(), "guest"))
            except ApiError as refusal:
                if refusal.code != "name-taken" or attempt == MAX_NAME_ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def find(self, user: str) -> User | None:
        """A user by their id."""
        return (await self.find_all([user])).get(user)

    async def find_all(self, wanted: Iterable[str | None]) -> dict[str, User]:
        """Users by their ids."""
        ids = {user for user in wanted if user is not None}
        found = {user: known for user in ids if (known := self.user_cache.get(user)) is not None}
        missing = ids - found.keys()
        if missing:
            generation = self.user_cache.generation
            async with self.database.read_connection() as connection:
                rows = (await connection.execute(select(users).where(users.c.id.in_(missing)))).all()
            for user in map(user_from_row, rows):
                self.user_cache.set(user.id, user, generation)
                found[user.id] = user
        return found

    def invalidate(self, user: str) -> None:
        """A user, or whom they mute, has changed."""
        self.user_cache.discard(user)
        self.mute_cache.discard(user)
        self.session_cache.discard_where(lambda kept: kept.id == user)

    def invalidate_all(self) -> None:
        """Anything may have changed."""
        self.user_cache.clear()
        self.mute_cache.clear()
        self.session_cache.clear()

    async def find_by_name(self, name: str) -> tuple[User, str | None]:
        """A user by their name, and their password's hash."""
        async with self.database.read_connection() as connection:
            row = (await connection.execute(select(users).where(users.c.name_normalised == normalise_name(name)))).first()
        if row is None:
            raise ApiError("not-found", f"there is nobody called {name!r}")
        return user_from_row(row), row.password_hash

    async def upgrade_guest(self, user: User, name: str, password_hash: str) -> User:
        """A guest gets an account, and keeps their games."""
        values = {"name": name, "name_normalised": normalise_name(name), "kind": "account", "password_hash": password_hash}
        async with unique_name_guard(name), self.database.write_transaction() as connection:
            await connection.execute(update(users).where(users.c.id == user.id).values(values))
            await notify_user_changed(connection, user.id)
        self.invalidate(user.id)
        return User(user.id, name, "account")

    async def list_bots(self, owner_id: str) -> list[User]:
        """The bots of an account."""
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(users).where(users.c.owner_id == owner_id))
            return [user_from_row(row) for row in rows]

    # Whom one does not want to hear

    async def load_mutes(self, user: str | None) -> frozenset[str]:
        """The users whose words a user is not shown."""
        known = self.cached_mutes(user)
        if known is None:
            generation = self.mute_cache.generation
            async with self.database.read_connection() as connection:
                found = await connection.execute(select(mutes.c.muted).where(mutes.c.user_id == user))
                known = frozenset(muted for (muted,) in found)
            self.mute_cache.set(str(user), known, generation)
        return known

    def cached_mutes(self, user: str | None) -> frozenset[str] | None:
        """The same, None when the database has to be asked."""
        return self.mute_cache.get(user) if user is not None else frozenset()

    async def set_mute(self, user: str, other: str, *, silent: bool) -> None:
        """Show a user another's words no more, or again."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(mutes).where(mutes.c.user_id == user, mutes.c.muted == other))
            if silent:
                await connection.execute(insert(mutes).values(user_id=user, muted=other))
            await notify_user_changed(connection, user)
        self.mute_cache.discard(user)

    # Sessions

    async def open_session(self, user: User, lasting: int = SESSION_MS) -> str:
        """A new secret by which a user is known."""
        secret, now = generate_token(), now_ms()
        row = {"token_hash": hash_token(secret), "user_id": user.id, "created_at": now, "expires_at": now + lasting}
        async with self.database.write_transaction() as connection:
            await connection.execute(insert(sessions).values(row))
        return secret

    async def find_by_session(self, secret: str) -> User | None:
        """Whose secret this is."""
        key = hash_token(secret)
        user, generation = self.session_cache.get(key), self.session_cache.generation
        if user is None:
            user = await self.load_session_user(key)
            if user is not None:
                self.session_cache.set(key, user, generation)
        return user

    async def load_session_user(self, key: str) -> User | None:
        """Whose session has this hash, unless it has expired."""
        query = select(users).join(sessions, sessions.c.user_id == users.c.id)
        query = query.where(sessions.c.token_hash == key, sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else user_from_row(row)

    async def close_session(self, secret: str) -> None:
        """Nobody is known by this secret any more."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(sessions).where(sessions.c.token_hash == hash_token(secret)))
        self.session_cache.discard(hash_token(secret))


async def notify_user_changed(connection: AsyncConnection, user: str) -> None:
    """On PostgreSQL, notify all servers when the transaction commits: what they have cached of a user is outdated."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_notify(USERS_CHANNEL, user)))


class unique_name_guard:  # noqa: N801  (reads as a sentence where it is used)
    """Turns a name that is taken into a refusal."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __aenter__(self) -> None:
        """Nothing yet."""

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say whose name it is."""
        if isinstance(error, ApiError) and isinstance(error.__cause__, IntegrityError):
            raise ApiError("name-taken", f"somebody is called {self.name!r} already") from None


def user_from_row(row: Any) -> User:
    """A user from the table."""
    return User(row.id, row.name, row.kind, row.level, row.owner_id)
