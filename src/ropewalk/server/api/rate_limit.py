"""Rates: a bucket of tokens for each who asks and each kind of thing asked for."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass

from ..errors import ApiError

MAX_CONNECTIONS = 20  # for one address, times the rates' scale; 0 lifts it
MAX_BUCKETS = 50_000
MAX_SECOND_CHANCES = 8  # buckets that one eviction passes over, at most


@dataclass(frozen=True)
class RateLimit:
    """So many at once, and so many more a minute."""

    burst: int
    per_minute: int


RATE_LIMITS = {
    "requests": RateLimit(300, 1200),  # by address
    "guests": RateLimit(30, 30),  # new ones, by address
    "passwords": RateLimit(10, 10),  # tried, by address
    "matches": RateLimit(20, 20),  # new ones, by user
    "deeds": RateLimit(60, 600),  # by user
    "chat": RateLimit(8, 20),  # by user
    "analyses": RateLimit(20, 60),  # by user
    "records": RateLimit(10, 10),  # imported, by user
    "pictures": RateLimit(5, 10),  # whole games drawn, by address
}


class TokenBucketLimiter:
    """Takes tokens; refuses when a bucket is empty. `scale` widens all rates, 0 lifts them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        # Tokens, and when they were counted; the least recently used bucket comes first.
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def consume(self, kind: str, who: str) -> None:
        """Take a token, or refuse."""
        if self.scale == 0:
            return
        now, a_second = time.monotonic(), RATE_LIMITS[kind].per_minute * self.scale / 60
        tokens = self.count_tokens(kind, who, now)
        is_allowed = tokens >= 1
        self.store((kind, who), tokens - 1 if is_allowed else tokens, now)
        if not is_allowed:
            wait = math.ceil(10 * (1 - tokens) / a_second) / 10
            words = f"too many {kind}: {round(a_second * 60)} a minute are fine; wait {wait:.1f} s"
            raise ApiError("too-many", words, limit=round(a_second * 60), retry_after=wait)

    def store(self, key: tuple[str, str], tokens: float, now: float) -> None:
        """Set what is in a bucket, as the most recently used one; evict another if there are too many."""
        self.buckets[key] = (tokens, now)
        self.buckets.move_to_end(key)
        if len(self.buckets) > MAX_BUCKETS:
            self.evict(now)

    def evict(self, now: float) -> None:
        """Remove the least recently used bucket that is at least half full, or any after `SECOND_CHANCES` that are not.

        A full bucket carries no information. One that is nearly empty holds somebody back, whom a flood of other keys must
        not set free: it becomes the most recently used one, as in the CLOCK algorithm.
        """
        for _ in range(MAX_SECOND_CHANCES):
            kind, who = next(iter(self.buckets))
            if self.count_tokens(kind, who, now) >= RATE_LIMITS[kind].burst * self.scale / 2:
                break
            self.buckets.move_to_end((kind, who))
        self.buckets.popitem(last=False)

    def has_token(self, kind: str, who: str) -> bool:
        """Whether there is a token to take."""
        return self.scale == 0 or self.count_tokens(kind, who, time.monotonic()) >= 1

    def count_tokens(self, kind: str, who: str, now: float) -> float:
        """What is in a bucket."""
        rate = RATE_LIMITS[kind]
        most = rate.burst * self.scale
        tokens, since = self.buckets.get((kind, who), (most, now))
        return min(most, tokens + (now - since) * rate.per_minute * self.scale / 60)


class ConnectionLimiter:
    """How many sockets each address has."""

    def __init__(self, scale: float) -> None:
        self.limit = int(MAX_CONNECTIONS * scale)
        self.counts: dict[str, int] = {}

    def enter(self, where: str) -> None:
        """One more, or a refusal."""
        if self.limit and self.counts.get(where, 0) >= self.limit:
            raise ApiError("too-many", f"one address may have {self.limit} sockets", limit=self.limit)
        self.counts[where] = self.counts.get(where, 0) + 1

    def leave(self, where: str) -> None:
        """One less."""
        self.counts[where] -= 1
        if not self.counts[where]:
            del self.counts[where]
