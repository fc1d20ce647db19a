"""The repository of sessions: opens, finds and closes them by their tokens, of which only hashes are stored."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from .database import Database
from .expiring_cache import ExpiringCache
from .identifiers import generate_token, hash_token
from .tables import sessions
from .user_repository import DAY_MS, MAX_CACHED, User, UserRepository, now_ms

SESSION_MS = 180 * DAY_MS
TOKEN_MS = 3650 * DAY_MS
SESSION_CACHE_SECONDS = 10.0  # after which a session is read again


class SessionRepository:
    """Reads and writes sessions; the users of tokens are cached for a few seconds."""

    def __init__(self, database: Database, users: UserRepository) -> None:
        self.database = database
        self.users = users
        self.cache: ExpiringCache[str, str] = ExpiringCache(MAX_CACHED, SESSION_CACHE_SECONDS)  # user ids by token hash

    async def open(self, user: User, duration_ms: int = SESSION_MS) -> str:
        """Store a new session of a user. Returns its token."""
        token, now = generate_token(), now_ms()
        row = {"token_hash": hash_token(token), "user_id": user.id, "created_at": now, "expires_at": now + duration_ms}
        async with self.database.write_transaction() as connection:
            await connection.execute(insert(sessions).values(row))
        return token

    async def find_user(self, token: str) -> User | None:
        """Return the user of a session token, None if it is invalid or has expired."""
        token_hash = hash_token(token)
        user_id, generation = self.cache.get(token_hash), self.cache.generation
        if user_id is None:
            user_id = await self.load_user_id(token_hash)
            if user_id is None:
                return None
            self.cache.set(token_hash, user_id, generation)
        return await self.users.find(user_id)

    async def load_user_id(self, token_hash: str) -> str | None:
        """Load the user id of a session that has not expired; None if there is none."""
        query = select(sessions.c.user_id).where(sessions.c.token_hash == token_hash, sessions.c.expires_at > now_ms())
        async with self.database.read_connection() as connection:
            return await connection.scalar(query)

    async def close(self, token: str) -> None:
        """Delete a session; its token is invalid afterwards."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(sessions).where(sessions.c.token_hash == hash_token(token)))
        self.cache.discard(hash_token(token))

    def invalidate_user(self, user_id: str) -> None:
        """Discard the cached sessions of a user, after they were deleted."""
        self.cache.discard_where(lambda cached: cached == user_id)
