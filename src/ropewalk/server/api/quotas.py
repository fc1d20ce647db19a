"""Quotas that all servers of a database share: attempts to log in, and bytes that users store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..db.usage_repository import ExceededUsage, UsageCharge, UsageRepository, UsageWindow
from ..db.user_repository import User
from ..errors import ApiError
from .rate_limit import RATE_LIMITS

HOUR_SECONDS, MINUTE_SECONDS = 3600, 60
HOURS_PER_DAY = 24
MATCH_BYTES = 1000  # of a new match besides its position


@dataclass(frozen=True)
class StorageQuota:
    """Bytes that may be stored in an hour and in a day."""

    per_hour: int
    per_day: int


STORAGE_QUOTAS = {
    "user": StorageQuota(5_000_000, 20_000_000),
    "address": StorageQuota(20_000_000, 100_000_000),
    "guests": StorageQuota(200_000_000, 1_000_000_000),  # all of them together
}


class SharedQuotas:
    """Charges the clients of requests in the database. `scale` multiplies all quotas; 0 disables them."""

    def __init__(self, repository: UsageRepository, scale: float) -> None:
        self.repository = repository
        self.scale = scale

    async def charge_password(self, address: str) -> None:
        """Count an attempt to log in or to register. Raises ApiError `too-many`."""
        per_minute = round(RATE_LIMITS["passwords"].per_minute * self.scale)
        window = UsageWindow(1, max(1, per_minute))
        await self.charge([UsageCharge("passwords", f"address {address}", 1, MINUTE_SECONDS, [window])])

    async def charge_storage(self, user: User, address: str, num_bytes: int) -> None:
        """Count bytes that a user stores. Raises ApiError `too-many`."""
        clients = {"user": user.id, "address": address}
        clients |= {"guests": "all"} if user.kind == "guest" else {}
        await self.charge([self.build_storage_charge(kind, client, num_bytes) for kind, client in clients.items()])

    def build_storage_charge(self, owner: str, client: str, num_bytes: int) -> UsageCharge:
        """Return the charge for bytes of a user, an address, or all guests."""
        quota = STORAGE_QUOTAS[owner]
        windows = [
            UsageWindow(1, int(quota.per_hour * self.scale)),
            UsageWindow(HOURS_PER_DAY, int(quota.per_day * self.scale)),
        ]
        return UsageCharge("bytes", f"{owner} {client}", num_bytes, HOUR_SECONDS, windows)

    async def charge(self, charges: Sequence[UsageCharge]) -> None:
        """Count charges. Raises ApiError `too-many` with the limit that one of them exceeds."""
        if self.scale:
            exceeded = await self.repository.charge(charges)
            if exceeded is not None:
                raise build_quota_error(exceeded)


def build_quota_error(exceeded: ExceededUsage) -> ApiError:
    """Return the error of a charge that exceeds a limit."""
    charge, window = exceeded.charge, exceeded.window
    owner = charge.client.partition(" ")[0]
    period = {MINUTE_SECONDS: "minute", HOUR_SECONDS: "hour"}[charge.period_seconds] if window.num_periods == 1 else "day"
    wait = math.ceil(exceeded.retry_after)
    words = "stored bytes" if charge.kind == "bytes" else charge.kind
    who = "all guests" if owner == "guests" else f"this {owner}"
    article = "an" if period == "hour" else "a"
    message = f"too many {words} of {who}: {window.limit} {article} {period} are fine; wait {wait} s"
    return ApiError("too-many", message, limit=window.limit, retry_after=float(wait))
