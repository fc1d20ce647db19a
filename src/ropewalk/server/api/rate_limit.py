"""Rate limits: token buckets in units of cost for each client and kind of request, and limits of open connections."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..errors import ApiError

VISITOR_FACTOR = 2  # visitors of an address without a session may have this many times as much as one user
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
    "reports": RateLimit(5, 5),  # by user
    "tournaments": RateLimit(5, 5),  # created, by user
    "notifications": RateLimit(10, 10),  # push subscriptions, by user
    "e-mails": RateLimit(3, 1),  # that confirm an address, by user and by address
    "actions": RateLimit(60, 600),  # by user
    "actions of an address": RateLimit(600, 3000),
    "chat": RateLimit(8, 20),  # by user
    "analyses": RateLimit(20, 60),  # by user
    "puzzle moves": RateLimit(60, 120),  # and hints, by user
    "reviews": RateLimit(6, 6),  # started, by account, or address for guests
    "saved analyses": RateLimit(20, 20),  # stored, by user
    "records": RateLimit(10, 10),  # imported, by user
    "pictures": RateLimit(5, 10),  # animations, by address
    "boards": RateLimit(40, 40),  # that no request has used lately, by address
    "units of work": RateLimit(12_000, 12_000),  # with the rules of games, by user; see `work.py`
    "units of work of an address": RateLimit(36_000, 36_000),
}


@dataclass(frozen=True)
class OpenLimit:
    """A limit of what may be open at a time, by user and by address."""

    by_user: int
    by_address: int


OPEN_LIMITS = {
    "WebSockets": OpenLimit(30, 200),  # a page has up to 7
    "event streams": OpenLimit(4, 40),
}


class TokenBucketLimiter:
    """Limits requests by token buckets. `scale` multiplies all limits; 0 disables them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        # By kind and client: tokens, and when they were counted. The least recently used bucket comes first.
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def consume(self, kind: str, client: str, cost: float = 1.0) -> None:
        """Take `cost` tokens from the bucket of a client, all of them if the cost is greater than a full bucket.

        Raises:
            ApiError: `too-many` if the bucket has too few tokens; the message says how long to wait.
        """
        if self.scale == 0:
            return
        now, per_second = time.monotonic(), RATE_LIMITS[kind].per_minute * self.scale / 60
        tokens = self.count_tokens(kind, client, now)
        cost = min(cost, max(1.0, RATE_LIMITS[kind].burst * self.scale))
        is_allowed = tokens >= cost
        self.store((kind, client), tokens - cost if is_allowed else tokens, now)
        if not is_allowed:
            wait = math.ceil(10 * (cost - tokens) / per_second) / 10
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
    """Limits what each user and each address may have open. `scale` multiplies all limits; 0 disables them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.counts: Counter[tuple[str, str]] = Counter()  # by kind and client

    @contextmanager
    def hold(self, kind: str, address: str, user_id: str | None) -> Iterator[None]:
        """Count something of a kind as open during the block. Raises ApiError `too-many` if too much is open."""
        keys = self.enter(kind, address, user_id)
        try:
            yield
        finally:
            self.leave(keys)

    def enter(self, kind: str, address: str, user_id: str | None) -> list[tuple[str, str]]:
        """Count something as open, and return the keys to leave with. Raises ApiError `too-many`."""
        limit, owner = OPEN_LIMITS[kind], "user" if user_id is not None else "address without a session"
        by_owner = limit.by_user if user_id is not None else limit.by_user * VISITOR_FACTOR
        clients = {f"{owner} {user_id or address}": (owner, by_owner), f"address {address}": ("address", limit.by_address)}
        for client, (word, allowed) in clients.items():
            scaled = max(1, int(allowed * self.scale))
            if self.scale and self.counts[kind, client] >= scaled:
                message = f"too many {kind} of this {word}; at most {scaled} may be open at a time: close some"
                raise ApiError("too-many", message, limit=scaled)
        keys = [(kind, client) for client in clients]
        self.counts.update(keys)
        return keys

    def leave(self, keys: Iterable[tuple[str, str]]) -> None:
        """Count something as closed, by the keys of `enter`."""
        for key in keys:
            self.counts[key] -= 1
            if not self.counts[key]:
                del self.counts[key]
