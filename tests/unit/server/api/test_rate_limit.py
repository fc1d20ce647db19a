"""Rate limits: token buckets that cannot be reset by a flood, and limits of open sockets."""

from __future__ import annotations

import time

import pytest

from ropewalk.server.api import rate_limit
from ropewalk.server.api.client_address import client_address
from ropewalk.server.api.rate_limit import (
    MAX_BUCKETS,
    OPEN_LIMITS,
    RATE_LIMITS,
    ConnectionLimiter,
    TokenBucketLimiter,
)
from ropewalk.server.errors import HTTP_STATUS, ApiError
from tests.support.match_log import expect_error


class FakeClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr(rate_limit, "time", clock)
    return clock


def exhaust(limiter: TokenBucketLimiter, kind: str, client: str = "somebody") -> ApiError:
    """Take all tokens of a client, and return the error of the next request."""
    for _ in range(round(RATE_LIMITS[kind].burst * limiter.scale)):
        limiter.consume(kind, client)
    with expect_error("too-many") as caught:
        limiter.consume(kind, client)
    return caught.value


@pytest.mark.parametrize("kind", RATE_LIMITS)
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_bucket_has_its_burst_and_is_refilled_in_time(clock: FakeClock, kind: str, scale: float) -> None:
    limiter = TokenBucketLimiter(scale)
    limit = RATE_LIMITS[kind]
    for _ in range(int(limit.burst * scale)):
        limiter.consume(kind, "somebody")
    with expect_error("too-many") as caught:
        limiter.consume(kind, "somebody")
    details = caught.value.details
    assert details["limit"] == round(limit.per_minute * scale)
    limiter.consume(kind, "somebody else")
    clock.seconds += details["retry_after"]
    limiter.consume(kind, "somebody")
    clock.seconds += 3600
    assert limiter.count_tokens(kind, "somebody", clock.seconds) == limit.burst * scale, "never more than the burst"


def test_a_scale_of_zero_disables_the_limits() -> None:
    limiter = TokenBucketLimiter(0)
    for _ in range(1000):
        limiter.consume("chat", "somebody")
    assert len(limiter.buckets) == 0


@pytest.mark.parametrize("kind", ["passwords", "records"])
def test_a_client_without_tokens_is_not_forgotten_in_a_flood_of_others(kind: str) -> None:
    limiter = TokenBucketLimiter(1.0)
    exhaust(limiter, kind)
    for number in range(60_000):
        limiter.consume(kind, f"other {number}")
    assert len(limiter.buckets) <= MAX_BUCKETS
    assert limiter.count_tokens(kind, "somebody", time.monotonic()) < 1
    with expect_error("too-many"):
        limiter.consume(kind, "somebody")


def test_a_client_is_limited_also_when_all_buckets_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_BUCKETS", 100)
    limiter = TokenBucketLimiter(1.0)
    for number in range(200):
        exhaust(limiter, "chat", f"other {number}")
    exhaust(limiter, "chat")
    assert len(limiter.buckets) == 100


def test_what_is_open_is_counted_by_user_and_by_address() -> None:
    limiter = ConnectionLimiter(0.1)
    by_user, by_address = OPEN_LIMITS["WebSockets"].by_user // 10, OPEN_LIMITS["WebSockets"].by_address // 10
    held = [limiter.enter("WebSockets", "a", "somebody") for _ in range(by_user)]
    with expect_error("too-many") as caught:
        limiter.enter("WebSockets", "b", "somebody")
    assert caught.value.details == {"limit": by_user}
    held += [limiter.enter("WebSockets", "a", f"user {number}") for number in range(by_address - by_user)]
    with expect_error("too-many") as caught:
        limiter.enter("WebSockets", "a", "one more")
    assert caught.value.details == {"limit": by_address}
    with limiter.hold("event streams", "a", "somebody"), limiter.hold("WebSockets", "b", None):
        assert len(limiter.counts) > 4
    for keys in held:
        limiter.leave(keys)
    assert limiter.counts == {}
    unlimited = ConnectionLimiter(0)
    for _ in range(1000):
        unlimited.enter("WebSockets", "a", None)


def test_a_club_behind_one_address_can_watch_and_play() -> None:
    limiter = ConnectionLimiter(1.0)
    for number in range(25):
        for _ in range(7):  # the page of matches in progress, and one match
            limiter.enter("WebSockets", "the club", f"user {number}")


def test_a_request_takes_its_cost_and_at_most_a_full_bucket(clock: FakeClock) -> None:
    limiter, kind = TokenBucketLimiter(1.0), "units of work"
    limit = RATE_LIMITS[kind]
    limiter.consume(kind, "somebody", limit.burst - 10)
    limiter.consume(kind, "somebody", 10)
    with expect_error("too-many") as caught:
        limiter.consume(kind, "somebody", 100)
    assert caught.value.details["limit"] == limit.per_minute
    clock.seconds += caught.value.details["retry_after"]
    limiter.consume(kind, "somebody", 100)
    clock.seconds += 3600
    limiter.consume(kind, "somebody", 1e9)
    with expect_error("too-many"):
        limiter.consume(kind, "somebody")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("unix socket", "unix socket"),
    ],
)
def test_ipv6_addresses_of_one_network_count_as_one(address: str, key: str) -> None:
    assert client_address({"type": "http", "client": (address, 1)}) == key


def test_an_error_names_the_time_to_wait_in_whole_seconds() -> None:
    assert ApiError("too-many", "one address may have 20 sockets", limit=20).headers() == {"Retry-After": "10"}
    assert ApiError("too-many", "wait", retry_after=0.0).headers() == {"Retry-After": "1"}
    assert ApiError("too-many", "wait", retry_after=6.1).headers() == {"Retry-After": "7"}
    assert ApiError("busy", "wait", limit=4, retry_after=6.1).headers() == {"Retry-After": "7"}
    assert ApiError("busy", "a backup was restored").headers() == {}


def test_every_code_has_a_status_of_an_error() -> None:
    assert all(400 <= status < 600 for status in HTTP_STATUS.values())
