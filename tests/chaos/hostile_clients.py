"""Clients that do not keep to the protocol: slow, broken or greedy. Their numbers are bounded."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from tests.support.light_client import Endpoint, build_handshake, format_head

CONNECTIONS = 30
FLOOD_CONNECTIONS = 300
HUGE_BYTES = 4 << 20
RECEIVE_BUFFER_BYTES = 4096


async def send_half_requests(endpoint: Endpoint, path: str, seconds: float, rng: random.Random) -> None:
    """Send the first part of requests, and keep the connections open."""
    whole = format_head("POST /api/guests", {"Host": "localhost", "Content-Length": "1000"}) + b"{" * 500
    await hold_connections(endpoint, [whole[: rng.randrange(1, len(whole))] for _ in range(CONNECTIONS)], seconds)


async def send_garbage(endpoint: Endpoint, path: str, seconds: float, rng: random.Random) -> None:
    """Open sockets of a match, and send bytes that are no frames, or frames that are no messages."""
    handshake = build_handshake(endpoint, path, None)
    frames = [b"\x81\xfe\x00\x7e" + bytes(4) + rng.randbytes(126) for _ in range(CONNECTIONS // 2)]
    noise = [os.urandom(rng.randrange(1, 5000)) for _ in range(CONNECTIONS // 2)]
    await hold_connections(endpoint, [handshake + content for content in (*frames, *noise)], seconds)


async def send_huge_bodies(endpoint: Endpoint, path: str, seconds: float, rng: random.Random) -> None:
    """Send requests whose bodies exceed the limit."""
    head = format_head("POST /api/positions", {"Host": "localhost", "Content-Length": str(HUGE_BYTES)})
    await hold_connections(endpoint, [head + bytes(HUGE_BYTES)] * 4, seconds)


async def read_slowly(endpoint: Endpoint, path: str, seconds: float, rng: random.Random) -> None:
    """Open sockets of a match and read nothing, so that the buffers of the server fill up."""
    await hold_connections(endpoint, [build_handshake(endpoint, path, None)] * CONNECTIONS, seconds, reads=False)


async def flood(endpoint: Endpoint, path: str, seconds: float, rng: random.Random) -> None:
    """Open many connections at once, and send nothing."""
    await hold_connections(endpoint, [b""] * FLOOD_CONNECTIONS, seconds)


HostileClient = Callable[[Endpoint, str, float, random.Random], Coroutine[Any, Any, None]]
HOSTILE_CLIENTS: dict[str, HostileClient] = {
    "half-sent-requests": send_half_requests,
    "garbage-on-sockets": send_garbage,
    "huge-bodies": send_huge_bodies,
    "slow-readers": read_slowly,
    "connection-flood": flood,
}


async def hold_connections(endpoint: Endpoint, contents: list[bytes], seconds: float, *, reads: bool = True) -> None:
    """Open a connection for each content, send it, and keep all open for some seconds; errors are expected."""
    await asyncio.gather(*(hold_connection(endpoint, content, seconds, reads) for content in contents))


async def hold_connection(endpoint: Endpoint, content: bytes, seconds: float, reads: bool) -> None:
    """Open a connection, send a content, and keep it open for some seconds."""
    loop = asyncio.get_running_loop()
    with socket.socket() as connection, suppress(OSError, TimeoutError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
        connection.setblocking(False)
        connection.bind((endpoint.local_address or "127.0.0.1", 0))
        async with asyncio.timeout(seconds):
            await loop.sock_connect(connection, (endpoint.host, endpoint.port))
            await loop.sock_sendall(connection, content)
            while reads and await loop.sock_recv(connection, 65536):
                pass
            await asyncio.sleep(seconds)
