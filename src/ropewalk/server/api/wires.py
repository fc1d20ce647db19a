"""Wires: uvicorn's sockets with a short way for short messages, which are nearly all that a match consists of.

A frame that comes whole and a text that goes out need none of the layers between; whatever else a client sends (parts of
frames, pings, closing, garbage) goes the long way, which knows the whole protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "ropewalk.wire"  # under which an application finds the wire of its socket
TEXT = 0x81  # the first byte of a text in one frame
FINAL, MASKED, LENGTH = 0x80, 0x80, 0x7F
TWO_BYTES, EIGHT_BYTES = 126, 127  # a length that follows in so many
MOST_WAITING = 8  # messages that nobody has read yet; then the client has to wait


class Wire(WebSocketsSansIOProtocol):
    """One socket."""

    is_between_frames = True  # all frames so far came whole, so that the next data begins with one
    listener: Callable[[str], bool] | None = None  # hears a text at once, or says that it has to be received

    def handle_connect(self, event: Request) -> None:
        """Let the application find this wire."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][EXTENSION] = cast(Any, self)

    def data_received(self, data: bytes) -> None:
        """Take one short text the short way, everything else the long one."""
        if self.handshake_complete and self.is_between_frames:
            if is_short_text(data, self.config.ws_max_size) and self.hear(data):
                return
            self.is_between_frames = ends_whole(data)
        elif not data.endswith(b"\r\n\r\n"):
            self.is_between_frames = False
        super().data_received(data)

    def hear(self, data: bytes) -> bool:
        """Hand a text to the application; False if it is none."""
        try:
            text = unmasked(data).decode()
        except UnicodeDecodeError:
            return False
        if self.listener is not None and self.queue.empty() and self.listener(text):
            return True
        if not self.close_sent:
            self.queue_up(text)
            if self.queue.qsize() >= MOST_WAITING and not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        return True

    def queue_up(self, text: str) -> None:
        """Let the application receive a text after all that waits already."""
        self.queue.put_nowait({"type": "websocket.receive", "text": text})

    @property
    def is_writable(self) -> bool:
        """Whether the client keeps up with what is sent."""
        return self.writable.is_set()

    async def say(self, text: str) -> None:
        """Send a text as soon as the client keeps up."""
        if not self.writable.is_set():
            await self.writable.wait()
        self.put(text)

    def put(self, text: str) -> None:
        """Send a text now; to who has left it is not sent, and the next `receive` says so."""
        if not self.close_sent and not self.disconnected and not self.transport.is_closing():
            payload = text.encode()
            self.transport.write(head(len(payload)) + payload)


def wire_of(scope: Mapping[str, Any]) -> Wire:
    """The wire of a socket."""
    found: Wire = scope["extensions"][EXTENSION]
    return found


def head(size: int) -> bytes:
    """What comes before a text of so many bytes."""
    if size < TWO_BYTES:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, TWO_BYTES)) + size.to_bytes(2, "big")
    return bytes((TEXT, EIGHT_BYTES)) + size.to_bytes(8, "big")


def is_short_text(data: bytes, most: int) -> bool:
    """Whether these are one whole frame with a text that is not too long, and nothing else."""
    if len(data) < 6 or data[0] != TEXT or not data[1] & MASKED:
        return False
    size = data[1] & LENGTH
    if size < TWO_BYTES:
        return len(data) == 6 + size <= 6 + most
    return size == TWO_BYTES and len(data) >= 8 and len(data) - 8 == int.from_bytes(data[2:4], "big") <= most


def ends_whole(data: bytes) -> bool:
    """Whether these are whole frames and nothing else, each of them a message or a control frame of its own."""
    while len(data) >= 6:
        size = data[1] & LENGTH
        if size >= TWO_BYTES or not data[0] & FINAL or not data[1] & MASKED or len(data) < 6 + size:
            return False
        data = data[6 + size :]
    return not data


def unmasked(data: bytes) -> bytes:
    """What a whole frame says."""
    first = 6 if data[1] & LENGTH < TWO_BYTES else 8
    size = len(data) - first
    mask = data[first - 4 : first] * (size // 4 + 1)
    return (int.from_bytes(data[first:], "big") ^ int.from_bytes(mask[:size], "big")).to_bytes(size, "big")
