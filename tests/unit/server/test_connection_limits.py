"""Limits of connections: in all and by address, the trusted proxy excepted, with a line in the log from time to time."""

from __future__ import annotations

import json

import pytest

from ropewalk.server import connection_limits
from ropewalk.server.connection_limits import MAX_ADDRESS_CONNECTIONS, TransportLimits, format_response
from ropewalk.server.errors import ApiError


def open_all(limits: TransportLimits, host: str, count: int) -> list[ApiError | None]:
    """Open connections of an address, and return the errors."""
    return [limits.enter(limits.find_key(host)) for _ in range(count)]


def test_connections_are_limited_by_address_and_in_all(caplog: pytest.LogCaptureFixture) -> None:
    limits = TransportLimits(MAX_ADDRESS_CONNECTIONS + 1, 1.0)
    *accepted, refused = open_all(limits, "2001:db8::1", MAX_ADDRESS_CONNECTIONS + 1)
    assert set(accepted) == {None}
    assert refused is not None
    assert (refused.code, refused.details) == ("too-many", {"limit": MAX_ADDRESS_CONNECTIONS})
    assert limits.enter(limits.find_key("2001:db8::2")) is not None, "the same network"
    assert limits.enter(limits.find_key("192.0.2.1")) is None
    full = limits.enter(limits.find_key("192.0.2.2"))
    assert full is not None
    assert (full.code, full.details) == ("busy", {"limit": MAX_ADDRESS_CONNECTIONS + 1})
    limits.leave(limits.find_key("192.0.2.1"))
    assert limits.enter(limits.find_key("192.0.2.2")) is None
    assert (limits.ended["address"], limits.ended["all"]) == (2, 1)
    assert [record.getMessage().split(";")[0] for record in caplog.records] == [
        f"connections ended: 1 (more than {MAX_ADDRESS_CONNECTIONS} of one address)",
        f"connections ended: 1 (more than {MAX_ADDRESS_CONNECTIONS + 1} in all)",
    ]


def test_the_log_counts_what_it_has_not_listed(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    limits = TransportLimits(10, 1.0)
    for _ in range(5):
        limits.report("slow-request")
    monkeypatch.setattr(connection_limits, "LOG_INTERVAL_SECONDS", 0.0)
    limits.report("slow-request")
    assert [record.getMessage().split(" (")[0] for record in caplog.records] == [
        "connections ended: 1",
        "connections ended: 5",
    ]


@pytest.mark.parametrize("proxy", ["192.0.2.1", "198.51.100.1, 192.0.2.0/24", "*"])
def test_a_trusted_proxy_is_not_limited_by_address(proxy: str) -> None:
    limits = TransportLimits(10_000, 1.0, proxy)
    assert set(open_all(limits, "192.0.2.1", 2 * MAX_ADDRESS_CONNECTIONS)) == {None}
    assert limits.by_address == {}


def test_a_scale_of_zero_disables_the_limit_of_an_address() -> None:
    assert set(open_all(TransportLimits(10_000, 0.0), "192.0.2.1", 2 * MAX_ADDRESS_CONNECTIONS)) == {None}


def test_a_refusal_is_a_complete_response() -> None:
    head, _, body = format_response(ApiError("too-many", "too many", limit=3, retry_after=2.5)).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "HTTP/1.1 429 Too Many Requests"
    assert {"Retry-After: 3", "Connection: close", f"Content-Length: {len(body)}"} <= {*lines}
    assert json.loads(body)["details"] == {"limit": 3, "retry_after": 2.5}
