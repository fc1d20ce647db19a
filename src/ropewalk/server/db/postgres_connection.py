"""Connections to PostgreSQL with time limits on the server and on the client, so that a database that hangs hangs nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext

CLOSE_SECONDS = 0.2  # for a connection to say goodbye
LOCK_SHARE = 0.6  # of the time of a statement, for which it waits for a lock
IDLE_FACTOR = 3  # a transaction of a server that has stopped in the middle is ended after so many times the limit


class BoundedConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that closes within CLOSE_SECONDS, also when the database does not answer."""

    async def close(self, *, timeout: float | None = None) -> None:
        """Close the connection, at the latest after CLOSE_SECONDS by terminating it."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await super().close(timeout=timeout)
        except (TimeoutError, OSError):
            self.terminate()


def build_connect_arguments(timeout_seconds: float | None) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect` that limit the time of connecting and of every statement.

    The database ends a statement or a wait for a lock that takes too long; the client gives up a little later, in case
    the database does not answer at all.
    """
    if timeout_seconds is None:
        return {"connection_class": BoundedConnection}
    milliseconds = timeout_seconds * 1000
    return {
        "connection_class": BoundedConnection,
        "timeout": timeout_seconds,
        "command_timeout": timeout_seconds * 1.1,
        "server_settings": {
            "statement_timeout": f"{milliseconds:.0f}",
            "lock_timeout": f"{milliseconds * LOCK_SHARE:.0f}",
            "idle_in_transaction_session_timeout": f"{milliseconds * IDLE_FACTOR:.0f}",
        },
    }


def invalidate_after_timeouts(engine: Engine) -> None:
    """Discard a connection whose statement was given up; otherwise its rollback would wait for the database."""

    @event.listens_for(engine, "handle_error")
    def mark_lost(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, TimeoutError):
            context.is_disconnect = True
            context.invalidate_pool_on_disconnect = False
