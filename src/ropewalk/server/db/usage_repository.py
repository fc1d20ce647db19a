"""What clients have used up lately, counted in the database, so that servers which share it share the limits too."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from .database import Database
from .tables import SELECT_EPOCH, usage

KEEP_SECONDS = 25 * 3600  # longer than any window
PURGE_INTERVAL_SECONDS = 600.0


@dataclass(frozen=True)
class UsageWindow:
    """A limit of what is used in the current period and the `num_periods - 1` periods before it."""

    num_periods: int
    limit: int


@dataclass(frozen=True)
class UsageCharge:
    """An amount of a kind that a client uses, in periods of `period_seconds`, and the limits that it must keep to."""

    kind: str
    client: str
    amount: int
    period_seconds: int
    windows: Sequence[UsageWindow]


@dataclass(frozen=True)
class ExceededUsage:
    """A charge that was refused: the window that it exceeds, and the seconds until the current period ends."""

    charge: UsageCharge
    window: UsageWindow
    retry_after: float


class UsageRepository:
    """Counts what clients use. Their ids and addresses are stored as hashes, and for about a day."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self.database = database
        self.clock = clock
        self.purged_at = 0.0

    async def charge(self, charges: Sequence[UsageCharge]) -> ExceededUsage | None:
        """Count all charges, or none of them if one exceeds a limit. Returns the first one that does, None if none does."""
        return await self.database.run_transaction(lambda connection: self.charge_all(connection, charges))

    def charge_all(self, connection: Connection, charges: Sequence[UsageCharge]) -> ExceededUsage | None:
        """Count charges in a transaction, in one order on all servers, so that they do not block each other."""
        now, salt = self.clock(), str(connection.scalar(SELECT_EPOCH))
        self.purge(connection, now)
        named = sorted(((hash_client(salt, charge.client), charge) for charge in charges), key=lambda pair: pair[0])
        for client, charge in named:
            exceeded = find_exceeded(connection, client, charge, now)
            if exceeded is not None:
                return exceeded
        for client, charge in named:
            add_amount(connection, client, charge, now)
        return None

    def purge(self, connection: Connection, now: float) -> None:
        """Delete what no window contains any more, from time to time."""
        if now - self.purged_at >= PURGE_INTERVAL_SECONDS:
            self.purged_at = now
            connection.execute(delete(usage).where(usage.c.started_at < now - KEEP_SECONDS))


def hash_client(salt: str, client: str) -> str:
    """Return the key of a client, which is useless in another database."""
    return hashlib.sha256(f"{salt} {client}".encode()).hexdigest()[:32]


def find_exceeded(connection: Connection, client: str, charge: UsageCharge, now: float) -> ExceededUsage | None:
    """Return the window that a charge would exceed, None if there is none."""
    current = int(now) // charge.period_seconds * charge.period_seconds
    for window in charge.windows:
        first = current - (window.num_periods - 1) * charge.period_seconds
        rows = (usage.c.kind == charge.kind) & (usage.c.client == client) & (usage.c.started_at >= first)
        used = connection.scalar(select(func.coalesce(func.sum(usage.c.amount), 0)).where(rows)) or 0
        if int(used) + charge.amount > window.limit:
            return ExceededUsage(charge, window, current + charge.period_seconds - now)
    return None


def add_amount(connection: Connection, client: str, charge: UsageCharge, now: float) -> None:
    """Add the amount of a charge to the current period."""
    started_at = int(now) // charge.period_seconds * charge.period_seconds
    values = {"kind": charge.kind, "client": client, "started_at": started_at, "amount": charge.amount}
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(usage).values(values)
    total = usage.c.amount + statement.excluded.amount
    connection.execute(
        statement.on_conflict_do_update(index_elements=["kind", "client", "started_at"], set_={"amount": total})
    )
