"""Cheap clients for load and fault tests: HTTP requests, and a WebSocket that costs a few kilobytes.

A client can have a local address of its own (any of 127.0.0.0/8), so that a server behind a proxy sees different clients.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

REQUEST_SECONDS = 30.0
# The back-off of the page: see web/src/lib/api/socket.ts and web/src/lib/match/matchStore.svelte.ts.
FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS, STABLE_SECONDS = 0.5, 15.0, 5.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


@dataclass(frozen=True)
class Endpoint:
    """Where a client connects to, and from which local address."""

    port: int
    local_address: str | None = None
    host: str = "127.0.0.1"

    @property
    def local(self) -> tuple[str, int] | None:
        """The local address for asyncio, None for any."""
        return None if self.local_address is None else (self.local_address, 0)


@dataclass(frozen=True)
class Response:
    """The response to an HTTP request."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)

    @property
    def session(self) -> str:
        """The session token that the response sets."""
        return self.headers["set-cookie"].split(";")[0].split("=", 1)[1]


def build_headers(token: str | None) -> dict[str, str]:
    """Return the headers of a request with a session token."""
    return {"X-Ropewalk": "1"} | ({} if token is None else {"Cookie": f"ropewalk_session={token}"})


async def send_request(endpoint: Endpoint, method: str, path: str, token: str | None = None, body: Any = None) -> Response:
    """Send a request on a connection of its own. Raises OSError or TimeoutError if there is no response."""
    content = b"" if body is None else json.dumps(body).encode()
    headers = {"Host": f"{endpoint.host}:{endpoint.port}", "Connection": "close", **build_headers(token)}
    headers |= {} if method == "GET" else {"Content-Type": "application/json", "Content-Length": str(len(content))}
    async with asyncio.timeout(REQUEST_SECONDS):
        reader, writer = await asyncio.open_connection(endpoint.host, endpoint.port, local_addr=endpoint.local)
        try:
            writer.write(format_head(f"{method} {path}", headers) + content)
            return parse_response(await reader.read(-1))
        finally:
            writer.close()


def format_head(request: str, headers: dict[str, str]) -> bytes:
    """Return the head of an HTTP request."""
    lines = [f"{request} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def parse_response(text: bytes) -> Response:
    """Return the response of a connection that was read to its end. Raises ConnectionError if it is not complete."""
    head, separator, body = text.partition(b"\r\n\r\n")
    if not separator:
        raise ConnectionResetError("the connection was closed before the response")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "content-length" in headers and len(body) < int(headers["content-length"]):
        raise ConnectionResetError("the connection was closed in the middle of the response")
    return Response(int(status.split()[1]), headers, body)


class LightSocket(asyncio.Protocol):
    """The client's side of one WebSocket connection; messages are texts of one frame each."""

    def __init__(self, request: bytes, on_open: Callable[[], None], on_text: Callable[[bytes], None]) -> None:
        self.request = request
        self.on_open = on_open
        self.on_text = on_text
        self.on_lost: Callable[[], None] = lambda: None
        self.buffer = bytearray()
        self.is_open = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def connection_lost(self, error: Exception | None) -> None:
        """Report the end of the connection."""
        self.is_open = False
        self.transport = None
        self.on_lost()

    def data_received(self, data: bytes) -> None:
        """Handle the response to the handshake, then all complete frames."""
        self.buffer += data
        if not self.is_open and not self.read_handshake():
            return
        while (frame := self.take_frame()) is not None:
            self.handle_frame(*frame)

    def read_handshake(self) -> bool:
        """Read the response to the handshake. Returns whether the socket is open; a refused one is closed."""
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        if b" 101 " not in self.buffer[:20]:
            self.close()
            return False
        del self.buffer[: end + 4]
        self.is_open = True
        self.on_open()
        return True

    def take_frame(self) -> tuple[int, bytes] | None:
        """Remove the next frame from the buffer. Returns its opcode and content, None if it is not complete."""
        buffer = self.buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length:
            return None
        opcode, content = buffer[0] & 15, bytes(buffer[start : start + length])
        del buffer[: start + length]
        return opcode, content

    def handle_frame(self, opcode: int, content: bytes) -> None:
        """Handle a frame: report a text, answer a ping, close."""
        if opcode == TEXT:
            self.on_text(content)
        elif opcode == PING:
            self.send_frame(PONG, content)
        elif opcode == CLOSE:
            self.close()

    def send(self, message: Any) -> None:
        """Send a message as JSON; it is lost if the connection is."""
        self.send_frame(TEXT, json.dumps(message).encode())

    def send_frame(self, opcode: int, content: bytes) -> None:
        """Send a frame; its mask is zero, so that the content is sent as it is."""
        if self.transport is None:
            return
        length = len(content)
        size = bytes([128 | length]) if length < 126 else bytes([128 | 126]) + length.to_bytes(2, "big")
        self.transport.write(bytes([128 | opcode]) + size + bytes(4) + content)

    def close(self) -> None:
        """Close the connection without a closing handshake."""
        if self.transport is not None:
            self.transport.abort()


def build_handshake(endpoint: Endpoint, path: str, token: str | None) -> bytes:
    """Return the request that opens a WebSocket."""
    headers = {"Host": f"{endpoint.host}:{endpoint.port}", "Upgrade": "websocket", "Connection": "Upgrade"}
    headers |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": os.urandom(16).hex()[:22] + "=="}
    return format_head(f"GET {path}", headers | build_headers(token))


class ReconnectingClient:
    """A socket that connects again by itself, with the back-off of the page, until it is closed.

    `path` is called at every attempt. `on_message` is called with every message, `on_back` with the seconds without a
    connection when the first message after a loss has arrived.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        path: Callable[[], str],
        token: str | None,
        on_message: Callable[[Any], None],
        on_back: Callable[[float | None], None] = lambda seconds: None,
    ) -> None:
        self.endpoint = endpoint
        self.path = path
        self.token = token
        self.on_message = on_message
        self.on_back = on_back
        self.socket: LightSocket | None = None
        self.is_back = False  # connected, and a message has arrived
        self.is_closed = False
        self.failures = 0
        self.opened_at = float("inf")
        self.lost_at: float | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def connect(self) -> None:
        """Try to connect once; later attempts follow by themselves."""
        request = build_handshake(self.endpoint, self.path(), self.token)
        socket = self.socket = LightSocket(request, self.handle_open, self.handle_text)
        socket.on_lost = lambda: self.retry_later(socket)
        try:
            loop, endpoint = asyncio.get_running_loop(), self.endpoint
            await loop.create_connection(lambda: socket, endpoint.host, endpoint.port, local_addr=endpoint.local)
        except OSError:
            self.retry_later(socket)

    def handle_open(self) -> None:
        """Note when the connection was opened."""
        self.opened_at = time.monotonic()

    def handle_text(self, text: bytes) -> None:
        """Report a message; the first one also that the client is back."""
        if self.is_closed:
            return
        message = json.loads(text)
        self.on_message(message)
        if not self.is_back and not self.is_closed and message["type"] != "error":
            self.is_back = True
            away = None if self.lost_at is None else time.monotonic() - self.lost_at
            self.lost_at = None
            self.on_back(away)

    def retry_later(self, socket: LightSocket) -> None:
        """Connect again after a delay, which doubles unless the last connection was stable."""
        if self.is_closed or socket is not self.socket:
            return
        now = time.monotonic()
        self.socket, self.is_back = None, False
        self.lost_at = now if self.lost_at is None else self.lost_at
        self.failures = 0 if now - self.opened_at >= STABLE_SECONDS else self.failures + 1
        self.opened_at = float("inf")
        delay = min(FIRST_DELAY_SECONDS * 2**self.failures, MAX_DELAY_SECONDS) * random.uniform(0.5, 1.0)
        asyncio.get_running_loop().call_later(delay, self.start_attempt)

    def start_attempt(self) -> None:
        """Connect in a task, which is kept until it ends."""
        if self.is_closed:
            return
        task = asyncio.create_task(self.connect())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def send(self, message: Any) -> None:
        """Send a message; it is lost without a connection."""
        if self.socket is not None:
            self.socket.send(message)

    def close(self) -> None:
        """Close for good."""
        self.is_closed = True
        if self.socket is not None:
            self.socket.close()
