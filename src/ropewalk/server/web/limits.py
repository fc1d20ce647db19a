"""Rates: a bucket of tokens for each who asks and each kind of thing asked for."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..refusals import Refusal

MOST_BUCKETS = 50_000


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
        self.buckets: dict[tuple[str, str], tuple[float, float]] = {}  # tokens, and when they were counted

    def take(self, kind: str, who: str) -> None:
        """Take a token, or refuse."""
        if self.scale == 0:
            return
        now, a_second = time.monotonic(), RATES[kind].a_minute * self.scale / 60
        tokens = self.tokens(kind, who, now)
        if tokens < 1:
            wait = (1 - tokens) / a_second
            words = f"too many {kind}: {round(a_second * 60)} a minute are fine; wait {wait:.1f} s"
            raise Refusal("too-many", words, limit=round(a_second * 60), retry_after=round(wait, 1))
        if len(self.buckets) >= MOST_BUCKETS:
            self.buckets.clear()
        self.buckets[kind, who] = (tokens - 1, now)

    def has(self, kind: str, who: str) -> bool:
        """Whether there is a token to take."""
        return self.scale == 0 or self.tokens(kind, who, time.monotonic()) >= 1

    def tokens(self, kind: str, who: str, now: float) -> float:
        """What is in a bucket."""
        rate = RATES[kind]
        most = rate.at_once * self.scale
        tokens, since = self.buckets.get((kind, who), (most, now))
        return min(most, tokens + (now - since) * rate.a_minute * self.scale / 60)
