"""The repository of heartbeats and outages. All servers of a database share one heartbeat; a gap in it is an outage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from ..domain.clocks import DAY_MS
from ..domain.outages import Outage
from .database import Database
from .tables import heartbeats, outages

SERVERS = "servers"
KEPT_MS = 60 * DAY_MS  # longer than a turn of a correspondence match
SELECT_TIME = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision")


@dataclass(frozen=True)
class HeartbeatWrite:
    """A heartbeat to store: the time of the server, and the shortest gap that counts as an outage."""

    now_ms: int
    min_outage_ms: int
    monotonic_ms: Callable[[], float]


@dataclass(frozen=True)
class StoredHeartbeat:
    """The result of a heartbeat: all outages, and on PostgreSQL the database's time with the readings around it."""

    outages: tuple[Outage, ...]
    database_ms: float | None = None
    sent_ms: float = 0.0
    received_ms: float = 0.0


class HeartbeatRepository:
    """Stores heartbeats and outages."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.kind = sqlite if database.is_sqlite else postgresql

    async def find_last(self) -> int | None:
        """Return the time of the last heartbeat of any server, None if there was none."""
        async with self.database.read_connection() as connection:
            last: int | None = await connection.scalar(select(heartbeats.c.alive_ms).where(heartbeats.c.name == SERVERS))
        return last

    async def store(self, request: HeartbeatWrite) -> StoredHeartbeat:
        """Store a heartbeat, and an outage if the last one is too old.

        The row of the heartbeat is locked, so that of several servers that start at once one stores the outage.
        """
        return await self.database.run_transaction(partial(self.transact, request))

    def transact(self, request: HeartbeatWrite, connection: Connection) -> StoredHeartbeat:
        """Store a heartbeat in a transaction; on PostgreSQL its time is that of the database."""
        last = connection.scalar(select(heartbeats.c.alive_ms).where(heartbeats.c.name == SERVERS).with_for_update())
        sent = request.monotonic_ms()
        database_ms = None if self.database.is_sqlite else connection.scalar(SELECT_TIME)
        received = request.monotonic_ms()
        now = request.now_ms if database_ms is None else int(database_ms)
        if last is None:
            first = self.kind.insert(heartbeats).values(name=SERVERS, alive_ms=now)
            connection.execute(first.on_conflict_do_nothing())  # another server may insert it at the same time
        elif now > last:
            if now - last > request.min_outage_ms:
                insert_outage(connection, Outage(last, now))
            connection.execute(update(heartbeats).where(heartbeats.c.name == SERVERS).values(alive_ms=now))
        rows = connection.execute(select(outages.c.started_ms, outages.c.ended_ms).order_by(outages.c.ended_ms))
        return StoredHeartbeat(tuple(Outage(*row) for row in rows), database_ms, sent, received)


def insert_outage(connection: Connection, outage: Outage) -> None:
    """Store an outage, and forget those that no match can need any more."""
    connection.execute(delete(outages).where(outages.c.ended_ms < outage.ended_ms - KEPT_MS))
    is_known = connection.scalar(select(func.count()).where(outages.c.ended_ms == outage.ended_ms))
    if not is_known:
        connection.execute(insert(outages).values(outage._asdict()))
