"""A small HTTP client of one server: JSON requests with a bearer token, each on a connection of its own.

A request can be cancelled at any time, which closes its connection: a long poll ends at once.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import h11

from ... import __version__
from ...errors import RopewalkError

CHUNK_BYTES = 1 << 16
MAX_BODY_BYTES = 1 << 20
DEFAULT_PORTS = {"http": 80, "https": 443}
CONNECTION_ERRORS = (OSError, h11.RemoteProtocolError)  # TimeoutError and SSLError are OSErrors


class ServerUrlError(RopewalkError):
    """The address of a server is not valid."""


class ServerResponse(NamedTuple):
    """The response of a server: its HTTP status, and its JSON, None without a body."""

    status: int
    body: Any

    @property
    def code(self) -> str:
        """The code of an error, "" if there is none."""
        return self.body.get("code", "") if isinstance(self.body, dict) else ""

    @property
    def message(self) -> str:
        """The message of an error."""
        return self.body.get("message", "") if isinstance(self.body, dict) else f"status {self.status}"


class ServerClient:
    """Sends requests to the server at `url`. Raises ServerUrlError for an invalid one."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.token = token
        parts = urlsplit(self.url)
        try:
            port = parts.port
        except ValueError:
            port = None
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
            raise ServerUrlError(f"invalid address {url!r} of a server; expected http://HOST:PORT or https://HOST")
        self.host, self.port, self.prefix = parts.hostname, port or DEFAULT_PORTS[parts.scheme], parts.path
        self.host_header = parts.netloc.rpartition("@")[2]
        self.ssl_context = ssl.create_default_context() if parts.scheme == "https" else None

    async def post(self, path: str, body: dict[str, Any], seconds: float) -> ServerResponse:
        """Send a request and return its response. Raises one of CONNECTION_ERRORS."""
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(self.host, self.port, ssl=self.ssl_context)
            try:
                connection = h11.Connection(h11.CLIENT)
                writer.write(self.encode(connection, path, json.dumps(body).encode()))
                await writer.drain()
                return await read_response(connection, reader)
            finally:
                writer.close()
                with suppress(*CONNECTION_ERRORS):
                    await writer.wait_closed()

    def encode(self, connection: h11.Connection, path: str, body: bytes) -> bytes:
        """Return the bytes of a request."""
        headers = [
            ("Host", self.host_header),
            ("Authorization", f"Bearer {self.token}"),
            ("User-Agent", f"ropewalk-engine-worker/{__version__}"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
        ]
        request = h11.Request(method="POST", target=f"{self.prefix}{path}", headers=headers)
        parts = [connection.send(event) for event in (request, h11.Data(data=body), h11.EndOfMessage())]
        return b"".join(part or b"" for part in parts)


async def read_response(connection: h11.Connection, reader: asyncio.StreamReader) -> ServerResponse:
    """Read a response. Raises h11.RemoteProtocolError if it is not valid or too long."""
    status, body = 0, b""
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(CHUNK_BYTES))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > MAX_BODY_BYTES:
                raise h11.RemoteProtocolError(f"the response has more than {MAX_BODY_BYTES} bytes")
        elif isinstance(event, h11.EndOfMessage):
            return ServerResponse(status, parse_body(body))
        elif isinstance(event, h11.ConnectionClosed):
            raise h11.RemoteProtocolError("the connection was closed before the response")


def parse_body(body: bytes) -> Any:
    """Return the JSON of a body, None if it is empty or not JSON, as the page of a proxy."""
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None
