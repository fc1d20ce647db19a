"""uvicorn's protocols with the limits of connections: time to send a request and to read a response, and their number."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from h11 import Request
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .api.middleware import BODY_SECONDS
from .connection_limits import TransportLimits, format_response
from .errors import ApiError
from .http_protocol import EofAwareH11Protocol

HEADER_SECONDS = 10.0  # from the first byte of a request, or from the opening of its connection, to the end of its headers
BODY_GRACE_SECONDS = 5.0  # the application itself answers a body that is too slow
DRAIN_SECONDS = 5.0  # to send the rest of a body that was answered early
WRITE_SECONDS = 60.0  # that a client may leave a response unread
REFUSAL_SECONDS = 1.0  # a refused connection is closed when its request arrives, so that the client can read the reason
INVALID_UTF_8 = 1007  # close code


class LimitedHttpProtocol(EofAwareH11Protocol):
    """An HTTP connection within the limits. Its stage says what the client has to do next, and has a deadline."""

    limits: ClassVar[TransportLimits]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        self.stage = ""
        self.deadline: asyncio.TimerHandle | None = None
        self.write_deadline: asyncio.TimerHandle | None = None
        self.key = self.limits.find_key(None if self.client is None else self.client[0])
        refusal = self.limits.enter(self.key)
        self.is_counted = refusal is None
        if refusal is None:
            self.enter_stage("header")
        else:
            self.refuse(refusal)

    def refuse(self, error: ApiError) -> None:
        """Answer a connection that is one too many, and close it; at once if there are too many in all."""
        self.transport.write(format_response(error))
        if error.code == "busy":
            self.transport.close()
        else:
            self.deadline = self.loop.call_later(REFUSAL_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as closed."""
        self.release()
        super().connection_lost(exc)

    def release(self) -> None:
        """Stop all deadlines, and count the connection as closed."""
        self.enter_stage("")
        self.stop_write_deadline()
        if self.is_counted:
            self.is_counted = False
            self.limits.leave(self.key)

    def data_received(self, data: bytes) -> None:
        """Handle data of a request, and set the deadline of what the client has to send next."""
        if not self.is_counted:
            self.transport.close()
            return
        super().data_received(data)
        if self.is_counted and not self.transport.is_closing():
            stage = self.find_stage()
            self.enter_stage("header" if stage == "idle" else stage)

    def on_response_complete(self) -> None:
        """Set the deadline for the rest of the request, if it was answered early."""
        super().on_response_complete()
        if self.is_counted:
            self.enter_stage(self.find_stage())

    def find_stage(self) -> str:
        """Return what the client has to do next."""
        cycle: RequestResponseCycle | None = getattr(self, "cycle", None)  # None before the first request
        if cycle is None:
            return "idle"
        if cycle.response_complete:
            return "drain" if cycle.more_body else "idle"
        return "body" if cycle.more_body else "response"

    def enter_stage(self, stage: str) -> None:
        """Set the deadline of a stage; in the same stage the deadline stays."""
        if stage == self.stage:
            return
        self.stage = stage
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
        seconds = {"header": HEADER_SECONDS, "body": BODY_SECONDS + BODY_GRACE_SECONDS, "drain": DRAIN_SECONDS}.get(stage)
        if seconds is not None:
            self.deadline = self.loop.call_later(seconds, self.end_slow_request)

    def end_slow_request(self) -> None:
        """Close the connection of a client that did not send its request in time."""
        if self.transport.is_closing():
            return
        if self.stage != "drain":
            self.limits.report("slow-request")
        if self.stage == "header":
            message = f"the request was not complete within {HEADER_SECONDS:g} s; send it again"
            self.transport.write(format_response(ApiError("too-slow", message, limit=HEADER_SECONDS)))
        self.transport.close()

    def handle_websocket_upgrade(self, event: Request) -> None:
        """Hand the connection over; from now on it counts as a socket."""
        self.release()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Set the deadline for a client that does not read."""
        super().pause_writing()
        if self.write_deadline is None:
            self.write_deadline = self.loop.call_later(WRITE_SECONDS, self.end_slow_reader)

    def resume_writing(self) -> None:
        """Stop the deadline of a client that has read."""
        self.stop_write_deadline()
        super().resume_writing()

    def stop_write_deadline(self) -> None:
        """Stop the deadline for reading."""
        if self.write_deadline is not None:
            self.write_deadline.cancel()
            self.write_deadline = None

    def end_slow_reader(self) -> None:
        """Close the connection of a client that does not read its response."""
        self.limits.report("slow-reader")
        self.transport.abort()


class LimitedSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that counts as a connection; the application limits how many a client may have."""

    limits: ClassVar[TransportLimits]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, which was counted as an HTTP connection until now."""
        super().connection_made(transport)
        self.limits.open_count += 1

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as closed."""
        self.limits.open_count -= 1
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; one with invalid UTF-8 closes the socket, without a traceback in the log."""
        if self.close_sent or self.conn.state is not State.OPEN:
            self.frames = []
            return
        if self.curr_msg_data_type == "text" and not is_utf_8(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(INVALID_UTF_8, "invalid UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. Raises ClientDisconnected if this side has closed the socket because of an invalid frame.

        uvicorn raises RuntimeError then, as if the application had closed it.
        """
        if self.close_sent and message["type"] in ("websocket.send", "websocket.close"):
            raise ClientDisconnected
        await super().send(message)


def is_utf_8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def bind_protocols(limits: TransportLimits) -> tuple[type[LimitedHttpProtocol], type[LimitedSocketProtocol]]:
    """Return protocol classes of HTTP and WebSocket connections that share limits."""
    http = type("BoundHttpProtocol", (LimitedHttpProtocol,), {"limits": limits})
    socket = type("BoundSocketProtocol", (LimitedSocketProtocol,), {"limits": limits})
    return http, socket
