"""Rates: a bucket of tokens for each who asks and each kind of thing asked for."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass

from ..errors import ApiError

MOST_BUCKETS = 50_000
SECOND_CHANCES = 8  # buckets that one eviction passes over, at most


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many more a minute."""

    at_once: int
    a_minute: int


RATES = {
    "requests": Rate(300, 1200),  # by address
    "guests": Rate(30, 30),  # new ones, by address
    "passwords": Rate(10, 10),  # tried, by address
    "matches": Rate(20, 20),  # new ones, by user
    "deeds": Rate(60, 600),  # by user
    "chat": Rate(8, 20),  # by user
    "analyses": Rate(20, 60),  # by user
    "records": Rate(10, 10),  # imported, by user
    "pictures": Rate(5, 10),  # whole games drawn, by address
}


class Rates:
    """Takes tokens; refuses when a bucket is empty. `scale` widens all rates, 0 lifts them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        # Tokens, and when they were counted; the least recently used bucket comes first.
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str) -> None:
        """Take a token, or refuse."""
        if self.scale == 0:
            return
        now, a_second = time.monotonic(), RATES[kind].a_minute * self.scale / 60
        tokens = self.tokens(kind, who, now)
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
        if len(self.buckets) > MOST_BUCKETS:
            self.evict(now)

    def evict(self, now: float) -> None:
        """Remove the least recently used bucket that is at least half full, or any after `SECOND_CHANCES` that are not.

        A full bucket carries no information. One that is nearly empty holds somebody back, whom a flood of other keys must
        not set free: it becomes the most recently used one, as in the CLOCK algorithm.
        """
        for _ in range(SECOND_CHANCES):
            kind, who = next(iter(self.buckets))
            if self.tokens(kind, who, now) >= RATES[kind].at_once * self.scale / 2:
                break
            self.buckets.move_to_end((kind, who))
        self.buckets.popitem(last=False)

    def has(self, kind: str, who: str) -> bool:
        """Whether there is a token to take."""
        return self.scale == 0 or self.tokens(kind, who, time.monotonic()) >= 1

    def tokens(self, kind: str, who: str, now: float) -> float:
        """What is in a bucket."""
        rate = RATES[kind]
        most = rate.at_once * self.scale
        tokens, since = self.buckets.get((kind, who), (most, now))
        return min(most, tokens + (now - since) * rate.a_minute * self.scale / 60)
