"""Connections to PostgreSQL with time limits on the server and on the client, so that a database that hangs hangs nobody."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext
from sqlalchemy.exc import DisconnectionError

# What the driver raises; the last one when the database ends a connection in the middle of an operation.
DRIVER_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
CLOSE_SECONDS = 0.2  # for a connection to say goodbye
LOCK_SHARE = 0.6  # of the time of a statement, for which it waits for a lock
MAX_UNCHECKED_SECONDS = 1.0  # since its last use, after which a connection is checked by a statement
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


def check_before_use(engine: Engine) -> None:
    """Replace a connection of the pool that is closed, or does not answer after a pause, when it is taken from the pool.

    The pool's own check (`pool_pre_ping`) costs a statement for every use; a closed connection is known without one.
    """

    @event.listens_for(engine, "checkin")
    def note_use(connection: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, proxy: object) -> None:
        used_at = record.info.pop("used_at", None)
        if used_at is None:  # a new connection
            return
        if connection.driver_connection.is_closed():
            raise DisconnectionError("the connection is closed")
        if time.monotonic() - used_at > MAX_UNCHECKED_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except Exception as error:
                raise DisconnectionError("the database does not answer") from error
