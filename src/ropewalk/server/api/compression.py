"""Compression of responses by gzip: files of the page when it is built, JSON and text when they are sent."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from .middleware import HttpMiddleware

COMPRESSED_TYPES = ("application/json", "application/x-go-sgf", "text/plain")
COMPRESSED_SUFFIX = ".gz"
MIN_COMPRESSED_BYTES = 2000  # a smaller response fits into one or two packets anyway
MAX_INLINE_BYTES = 32_000  # compressed in the event loop, in about a millisecond
COMPRESSION_LEVEL = 5
ACTIONS_SUFFIX = "/actions"  # moves are answered as fast as possible


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a client accepts gzip, by its header Accept-Encoding; a weight of 0 forbids it."""
    for entry in headers.get("accept-encoding", "").lower().split(","):
        name, _, parameters = entry.partition(";")
        if name.strip() in ("gzip", "*"):
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def find_compressed(file: Path, headers: Headers) -> Path | None:
    """Return the compressed copy of a file that the build has made, None if there is none or the client does not take it."""
    compressed = file.with_name(file.name + COMPRESSED_SUFFIX)
    return compressed if accepts_gzip(headers) and compressed.is_file() else None


class Compression(HttpMiddleware):
    """Compresses responses of JSON and text that are sent in one piece; streams and pictures are passed through."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and compress its response if the client accepts that."""
        if scope["path"].endswith(ACTIONS_SUFFIX) or not accepts_gzip(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        started: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start" and is_compressible(message):
                started = message  # its headers depend on the body
                return
            if started is not None:
                start, started = started, None
                if not message.get("more_body", False) and len(message.get("body", b"")) >= MIN_COMPRESSED_BYTES:
                    message = await compress(start, message)
                await send(start)
            await send(message)

        await self.app(scope, receive, send_compressed)


def is_compressible(start: Message) -> bool:
    """Return whether the response that a message starts is text without an encoding."""
    headers = Headers(raw=start["headers"])
    return headers.get("content-type", "").startswith(COMPRESSED_TYPES) and "content-encoding" not in headers


async def compress(start: Message, body: Message) -> Message:
    """Return the compressed body of a response, and change the headers of the message that starts it."""
    text: bytes = body["body"]
    if len(text) <= MAX_INLINE_BYTES:
        packed = gzip.compress(text, COMPRESSION_LEVEL)
    else:
        packed = await asyncio.to_thread(gzip.compress, text, COMPRESSION_LEVEL)
    headers = MutableHeaders(scope=start)
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(packed))
    headers.add_vary_header("Accept-Encoding")
    return {**body, "body": packed}
