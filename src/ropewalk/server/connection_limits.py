"""Limits of TCP connections: how many may be open, and how long a client may take to send a request or to read a response.

uvicorn limits neither, so a client could hold all file descriptors with requests that it never completes.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from .api.client_address import group_address
from .errors import ApiError

MAX_ADDRESS_CONNECTIONS = 100  # HTTP connections of one address, times the scale of all limits; 0 disables the limit
RESERVED_FILES = 200  # file descriptors for the database, engines, pictures and the page
MIN_CONNECTIONS = 50
LOG_INTERVAL_SECONDS = 10.0
REASONS = ("all", "address", "slow-request", "slow-reader")
log = logging.getLogger("ropewalk.connections")


class TransportLimits:
    """Counts the open connections in all and by address, and those that were refused or ended.

    The connections of a trusted proxy are not counted by address: they carry the requests of many clients.
    """

    def __init__(self, max_connections: int, scale: float, trusted_proxy: str | None = None) -> None:
        self.max_connections = max_connections
        self.max_address_connections = int(MAX_ADDRESS_CONNECTIONS * scale)
        self.proxies = parse_proxies(trusted_proxy or "")
        self.open_count = 0
        self.by_address: Counter[str] = Counter()
        self.ended: Counter[str] = Counter(dict.fromkeys(REASONS, 0))  # refused and ended connections by reason
        self.logged_at: dict[str, float] = {}
        self.unlogged: Counter[str] = Counter()

    def find_key(self, host: str | None) -> str | None:
        """Return the key under which a connection is counted by address, None if it is not."""
        if host is None or not self.max_address_connections or self.is_proxy(host):
            return None
        return group_address(host)

    def is_proxy(self, host: str) -> bool:
        """Return whether a connection comes from the trusted proxy."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)

    def enter(self, key: str | None) -> ApiError | None:
        """Count a new connection; returns the error if it is refused."""
        if self.open_count >= self.max_connections:
            self.report("all")
            message = f"the server has {self.max_connections} open connections, which is its limit; try again later"
            return ApiError("busy", message, limit=self.max_connections)
        limit = self.max_address_connections
        if key is not None and self.by_address[key] >= limit:
            self.report("address")
            message = f"too many connections from this address; at most {limit} are allowed at a time: close some"
            return ApiError("too-many", message, limit=limit)
        self.open_count += 1
        if key is not None:
            self.by_address[key] += 1
        return None

    def leave(self, key: str | None) -> None:
        """Count a connection as closed."""
        self.open_count -= 1
        if key is not None:
            self.by_address[key] -= 1
            if not self.by_address[key]:
                del self.by_address[key]

    def report(self, reason: str) -> None:
        """Count a connection that was refused or ended, and log such connections every LOG_INTERVAL_SECONDS at most."""
        self.ended[reason] += 1
        self.unlogged[reason] += 1
        now = time.monotonic()
        if now - self.logged_at.get(reason, -LOG_INTERVAL_SECONDS) >= LOG_INTERVAL_SECONDS:
            self.logged_at[reason] = now
            count, words = self.unlogged.pop(reason), self.describe(reason)
            log.warning("connections ended: %d (%s); open: %d", count, words, self.open_count)

    def describe(self, reason: str) -> str:
        """Return a reason in words, with its limit."""
        return {
            "all": f"more than {self.max_connections} in all",
            "address": f"more than {self.max_address_connections} of one address",
            "slow-request": "the request was not complete in time",
            "slow-reader": "the client did not read the response in time",
        }[reason]


def parse_proxies(text: str) -> list[IPv4Network | IPv6Network]:
    """Return the networks of trusted proxies: addresses and networks, separated by commas, or * for all."""
    everything = ["0.0.0.0/0", "::/0"]
    networks = []
    for part in everything if text.strip() == "*" else text.split(","):
        with suppress(ValueError):
            networks.append(ip_network(part.strip(), strict=False))
    return networks


def raise_file_limit(wanted: int) -> int:
    """Allow this process as many open files as the system permits. Returns how many connections of `wanted` fit."""
    try:
        import resource
    except ImportError:  # on Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVED_FILES
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(MIN_CONNECTIONS, min(wanted, soft - RESERVED_FILES))


def format_response(error: ApiError) -> bytes:
    """Return an error as a complete HTTP response, after which the connection is closed."""
    body = json.dumps(error.to_json()).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
    } | error.headers()
    lines = [f"HTTP/1.1 {error.http_status} {HTTPStatus(error.http_status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body
