"""Connections that end with their session: sockets register here, and are interrupted when the session has ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from ..errors import ApiError


class SessionWatchers:
    """The running connections of each session."""

    def __init__(self) -> None:
        self.scopes: dict[str, set[asyncio.Timeout]] = {}  # by session id

    @asynccontextmanager
    async def watch(self, session_id: str) -> AsyncIterator[None]:
        """Run the block until the session ends.

        Raises:
            ApiError: `no-session`: the session has ended; the block was cancelled.
        """
        scope = asyncio.timeout(None)
        self.scopes.setdefault(session_id, set()).add(scope)
        try:
            async with scope:
                yield
        except TimeoutError:
            if not scope.expired():
                raise
            raise ApiError("no-session", "the session has ended; log in again") from None
        finally:
            self.scopes[session_id].discard(scope)
            if not self.scopes[session_id]:
                del self.scopes[session_id]

    def end_sessions(self, session_ids: Collection[str]) -> None:
        """Interrupt the connections of sessions that have ended."""
        now = asyncio.get_running_loop().time()
        for session_id in session_ids:
            for scope in self.scopes.get(session_id, ()):
                if not scope.expired():
                    scope.reschedule(now)
