"""The repository of users and their mutes."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ...games.registry import games
from ..domain.usernames import generate_guest_name, normalise_name
from ..errors import ApiError
from .database import Database
from .expiring_cache import ExpiringCache
from .identifiers import generate_id, hash_token
from .tables import blocks, mutes, reserved_names, users

DAY_MS = 24 * 3600 * 1000
USER_CACHE_SECONDS = 5.0  # after which users and mutes are read again; other servers usually notify us of changes
MAX_CACHED = 20_000
USERS_CHANNEL = "ropewalk_users"  # PostgreSQL: what has changed, the id of the user, and which server has changed it
MAX_LEVEL = max(len(entry.bots) for entry in games())
MAX_NAME_ATTEMPTS = 5


UserChange = Literal["renamed", "muted", "erased"]  # a new name; other users muted or not; name and words deleted


@dataclass(frozen=True)
class User:
    """A user: a guest, an account, an external bot or a built-in bot."""

    id: str
    name: str
    kind: str
    level: int | None = None
    owner_id: str | None = None
    is_silenced: bool = False  # an operator forbids chat messages
    is_closed: bool = False  # an operator has closed the account

    @property
    def is_bot(self) -> bool:
        """Whether the user is an external or a built-in bot."""
        return self.kind in ("external-bot", "builtin-bot")


def now_ms() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class UserRepository:
    """Reads and writes users; users are cached until any server changes them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.server_id = secrets.token_hex(4)  # sent with notifications, to recognise those of this server
        max_age = math.inf if database.is_sqlite else USER_CACHE_SECONDS  # a file has one server
        self.user_cache: ExpiringCache[str, User] = ExpiringCache(MAX_CACHED, max_age)
        self.mute_cache: ExpiringCache[str, frozenset[str]] = ExpiringCache(MAX_CACHED, max_age)  # muted users, by user id

    async def ensure_builtin_bots(self) -> None:
        """Create the users of the built-in bots that do not exist yet."""
        for level in range(1, MAX_LEVEL + 1):
            if await self.find(f"level-{level}") is None:
                try:
                    await self.add(User(f"level-{level}", f"Level {level}", "builtin-bot", level))
                except ApiError as error:  # another server may create them at the same time
                    if error.code != "name-taken":
                        raise

    async def add(self, user: User, password_hash: str | None = None) -> User:
        """Store a new user. Raises ApiError `name-taken` if the name is taken."""
        row = {
            "id": user.id,
            "name": user.name,
            "name_normalised": normalise_name(user.name),
            "kind": user.kind,
            "level": user.level,
        }
        row |= {"owner_id": user.owner_id, "password_hash": password_hash, "created_at": now_ms()}
        async with unique_name_guard(user.name), self.database.write_transaction() as connection:
            await require_free_name(connection, user.name)
            await connection.execute(insert(users).values(row))
        self.user_cache.set(user.id, user)
        return user

    async def add_guest(self) -> User:
        """Store a new guest with a generated name."""
        for attempt in range(MAX_NAME_ATTEMPTS):
            try:
                return await self.add(User(generate_id(), generate_guest_name(), "guest"))
            except ApiError as error:
                if error.code != "name-taken" or attempt == MAX_NAME_ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def find(self, user_id: str) -> User | None:
        """Return a user by their id, None if there is none."""
        return (await self.find_all([user_id])).get(user_id)

    async def find_all(self, user_ids: Iterable[str | None]) -> dict[str, User]:
        """Return the users that exist, by their ids; None is ignored."""
        ids = {user_id for user_id in user_ids if user_id is not None}
        known = {user_id: user for user_id in ids if (user := self.user_cache.get(user_id)) is not None}
        missing = ids - known.keys()
        if missing:
            generation = self.user_cache.generation
            async with self.database.read_connection() as connection:
                rows = (await connection.execute(select(users).where(users.c.id.in_(missing)))).all()
            for user in map(user_from_row, rows):
                self.user_cache.set(user.id, user, generation)
                known[user.id] = user
        return known

    def invalidate(self, user_id: str) -> None:
        """Discard cached data of a user, after they or their mutes have changed."""
        self.user_cache.discard(user_id)
        self.mute_cache.discard(user_id)

    def invalidate_all(self) -> None:
        """Discard all cached data, when notifications may have been missed or a backup was restored."""
        self.user_cache.clear()
        self.mute_cache.clear()

    async def find_by_name(self, name: str) -> tuple[User, str | None]:
        """Return a user by their name, and the hash of their password. Raises ApiError `not-found`."""
        async with self.database.read_connection() as connection:
            row = (await connection.execute(select(users).where(users.c.name_normalised == normalise_name(name)))).first()
        if row is None:
            raise ApiError("not-found", f"user {name!r} not found")
        return user_from_row(row), row.password_hash

    async def upgrade_guest(self, user: User, name: str, password_hash: str) -> User:
        """Turn a guest into an account, which keeps the matches. Raises ApiError `name-taken`."""
        values = {"name": name, "name_normalised": normalise_name(name), "kind": "account", "password_hash": password_hash}
        async with unique_name_guard(name), self.database.write_transaction() as connection:
            await require_free_name(connection, name)
            await connection.execute(update(users).where(users.c.id == user.id).values(values))
            await self.notify(connection, "renamed", user.id)
        self.invalidate(user.id)
        return User(user.id, name, "account")

    async def set_password(self, user_id: str, password_hash: str) -> None:
        """Replace the password of an account."""
        async with self.database.write_transaction() as connection:
            await connection.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))

    async def list_bots(self, owner_id: str) -> list[User]:
        """Return the external bots of an account."""
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(users).where(users.c.owner_id == owner_id))
            return [user_from_row(row) for row in rows]

    async def notify(self, connection: AsyncConnection, change: UserChange, user_id: str) -> None:
        """Notify the other servers on PostgreSQL, when the transaction commits, of a change of a user."""
        if connection.dialect.name == "postgresql":
            await connection.execute(select(func.pg_notify(USERS_CHANNEL, f"{change} {user_id} {self.server_id}")))

    # Mutes

    async def load_mutes(self, user_id: str | None) -> frozenset[str]:
        """Return the ids of the users whose chat messages are hidden from a user: those whom they have muted or blocked."""
        if user_id is None:
            return frozenset()
        muted_ids = self.mute_cache.get(user_id)
        if muted_ids is None:
            generation = self.mute_cache.generation
            async with self.database.read_connection() as connection:
                muted = select(mutes.c.muted).where(mutes.c.user_id == user_id)
                blocked = select(blocks.c.blocked).where(blocks.c.user_id == user_id)
                rows = await connection.execute(muted.union(blocked))
                muted_ids = frozenset(muted for (muted,) in rows)
            self.mute_cache.set(user_id, muted_ids, generation)
        return muted_ids

    async def set_mute(self, user_id: str, other_id: str, *, muted: bool) -> None:
        """Hide or show the chat messages of another user."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(mutes).where(mutes.c.user_id == user_id, mutes.c.muted == other_id))
            if muted:
                await connection.execute(insert(mutes).values(user_id=user_id, muted=other_id))
            await self.notify(connection, "muted", user_id)
        self.mute_cache.discard(user_id)


def hash_name(name: str) -> str:
    """Return the hash under which the name of an erased user is reserved."""
    return hash_token(normalise_name(name))


async def reserve_name(connection: AsyncConnection, name: str) -> None:
    """Reserve the name of a user who is erased, so that nobody else can take it; only its hash is stored."""
    query = select(reserved_names.c.name_hash).where(reserved_names.c.name_hash == hash_name(name))
    if await connection.scalar(query) is None:
        await connection.execute(insert(reserved_names).values(name_hash=hash_name(name), reserved_at=now_ms()))


async def require_free_name(connection: AsyncConnection, name: str) -> None:
    """Raise ApiError `name-taken` if a name is reserved because its user was erased."""
    query = select(reserved_names.c.name_hash).where(reserved_names.c.name_hash == hash_name(name))
    if await connection.scalar(query) is not None:
        raise ApiError("name-taken", f"the user name {name!r} is already taken")


@asynccontextmanager
async def unique_name_guard(name: str) -> AsyncIterator[None]:
    """Translate the violation of the unique name in its block into ApiError `name-taken`."""
    try:
        yield
    except ApiError as error:
        if isinstance(error.__cause__, IntegrityError):
            raise ApiError("name-taken", f"the user name {name!r} is already taken") from None
        raise


def user_from_row(row: Any) -> User:
    """Return the user that a row stores."""
    return User(
        row.id,
        row.name,
        row.kind,
        row.level,
        row.owner_id,
        is_silenced=row.silenced_at is not None,
        is_closed=row.closed_at is not None,
    )
