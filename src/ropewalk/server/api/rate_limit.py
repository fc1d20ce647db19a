"""Rate limits: a token bucket for each client and kind of request, and a limit of open sockets."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass

from ..errors import ApiError

MAX_CONNECTIONS = 20  # sockets of one address, times the scale of all limits; a scale of 0 disables the limit
MAX_BUCKETS = 50_000
MAX_SECOND_CHANCES = 8  # buckets that an eviction skips


@dataclass(frozen=True)
class RateLimit:
    """A limit: the size of the bucket, and the tokens that are added in a minute."""

    burst: int
    per_minute: int


RATE_LIMITS = {
    "requests": RateLimit(300, 1200),  # by address
    "guests": RateLimit(30, 30),  # created, by address
    "passwords": RateLimit(10, 10),  # attempts, by address
    "matches": RateLimit(20, 20),  # created, by user
    "actions": RateLimit(60, 600),  # by user
    "chat": RateLimit(8, 20),  # by user
    "analyses": RateLimit(20, 60),  # by user
    "records": RateLimit(10, 10),  # imported, by user
    "pictures": RateLimit(5, 10),  # animations, by address
}


class TokenBucketLimiter:
    """Limits requests by token buckets. `scale` multiplies all limits; 0 disables them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        # By kind and client: tokens, and when they were counted. The least recently used bucket comes first.
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def consume(self, kind: str, client: str) -> None:
        """Take a token from the bucket of a client. Raises ApiError `too-many` if it is empty."""
        if self.scale == 0:
            return
        now, per_second = time.monotonic(), RATE_LIMITS[kind].per_minute * self.scale / 60
        tokens = self.count_tokens(kind, client, now)
        is_allowed = tokens >= 1
        self.store((kind, client), tokens - 1 if is_allowed else tokens, now)
        if not is_allowed:
            wait = math.ceil(10 * (1 - tokens) / per_second) / 10
            message = f"too many {kind}: {round(per_second * 60)} a minute are fine; wait {wait:.1f} s"
            raise ApiError("too-many", message, limit=round(per_second * 60), retry_after=wait)

    def store(self, key: tuple[str, str], tokens: float, now: float) -> None:
        """Set the tokens of a bucket as the most recently used one; evict another if there are too many."""
        self.buckets[key] = (tokens, now)
        self.buckets.move_to_end(key)
        if len(self.buckets) > MAX_BUCKETS:
            self.evict(now)

    def evict(self, now: float) -> None:
        """Remove the least recently used bucket that is at least half full, or the one after `MAX_SECOND_CHANCES` others.

        A full bucket carries no information. One that is nearly empty limits a client, which must not escape the limit by
        a flood of other keys: it becomes the most recently used one, as in the CLOCK algorithm.
        """
        for _ in range(MAX_SECOND_CHANCES):
            kind, client = next(iter(self.buckets))
            if self.count_tokens(kind, client, now) >= RATE_LIMITS[kind].burst * self.scale / 2:
                break
            self.buckets.move_to_end((kind, client))
        self.buckets.popitem(last=False)

    def count_tokens(self, kind: str, client: str, now: float) -> float:
        """Return the tokens in a bucket now; a new bucket is full."""
        limit = RATE_LIMITS[kind]
        capacity = limit.burst * self.scale
        tokens, since = self.buckets.get((kind, client), (capacity, now))
        return min(capacity, tokens + (now - since) * limit.per_minute * self.scale / 60)


class ConnectionLimiter:
    """Limits the open sockets of each address."""

    def __init__(self, scale: float) -> None:
        self.limit = int(MAX_CONNECTIONS * scale)
        self.counts: dict[str, int] = {}

    def enter(self, address: str) -> None:
        """Count a new socket of an address. Raises ApiError `too-many` if there are too many."""
        if self.limit and self.counts.get(address, 0) >= self.limit:
            raise ApiError(
                "too-many", f"too many WebSockets from this address; at most {self.limit} are allowed", limit=self.limit
            )
        self.counts[address] = self.counts.get(address, 0) + 1

    def leave(self, address: str) -> None:
        """Count a socket of an address as closed."""
        self.counts[address] -= 1
        if not self.counts[address]:
            del self.counts[address]
