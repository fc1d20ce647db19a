"""What every request passes: sizes, rates, who sends it, strict headers on the way out, and no traceback ever."""

from __future__ import annotations

import json
import logging
from collections import deque
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import RopewalkError
from ..errors import ApiError, from_domain_error
from ..metrics import Metrics
from .rate_limit import TokenBucketLimiter

MAX_BODY_BYTES = 256 * 1024
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
CSRF_HEADER = "x-ropewalk"  # no other site can send it in somebody's name
log = logging.getLogger("ropewalk.web")

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # an invitation's address is a secret
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Frame-Options": "DENY",
}
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


class RequestGuard:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, limiter: TokenBucketLimiter, metrics: Metrics) -> None:
        self.app = app
        self.rates = limiter
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request and its answer."""
        answer = ResponseGuard(scope, send, self.metrics)
        try:
            self.rates.consume("requests", client_address(scope))
            check_origin(scope)
            await self.app(scope, await read_body(scope, receive), answer.send)
        except RopewalkError as error:
            await answer.send_error(from_domain_error(error))
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            await answer.send_error(ApiError("internal", "something went wrong here, and was written to the server's log"))


class ResponseGuard:
    """Sends an answer with strict headers."""

    def __init__(self, scope: Scope, send: Send, metrics: Metrics) -> None:
        self.scope = scope
        self.raw_send = send
        self.metrics = metrics
        self.has_started = False

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on."""
        if message["type"] == "http.response.start":
            self.has_started = True
            self.metrics.count_response(message["status"])
            headers = MutableHeaders(scope=message)
            for name, value in (SECURITY_HEADERS | (HTTPS_HEADERS if self.scope["scheme"] == "https" else {})).items():
                headers[name] = value
            if self.scope["path"].startswith("/api"):
                headers.setdefault("Cache-Control", "no-store")
        await self.raw_send(message)

    async def send_error(self, error: ApiError) -> None:
        """A refusal as an answer, unless the answer is half sent."""
        if self.has_started:
            raise error
        body = json.dumps(error.to_json()).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in error.headers().items()]
        await self.send({"type": "http.response.start", "status": error.http_status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def client_address(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return client[0] if client else "unknown"


def check_origin(scope: Scope) -> None:
    """Refuse what another site sends with a visitor's cookie: it can set neither our header nor its origin."""
    headers = Headers(scope=scope)
    if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
        return
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        raise ApiError("forbidden-origin", f"this site does not take requests from {origin[:100]!r}")
    if scope["type"] == "http" and origin is None and "cookie" in headers and CSRF_HEADER not in headers:
        raise ApiError("forbidden-origin", "a request with a cookie needs an Origin, or the header X-Ropewalk: 1")


async def read_body(scope: Scope, receive: Receive) -> Receive:
    """The body, read before anybody else does, and refused as soon as it is too large."""
    declared = Headers(scope=scope).get("content-length", "0")
    if declared.isdecimal() and int(declared) > MAX_BODY_BYTES:
        raise body_too_large()
    messages: deque[Message] = deque()
    size, more = 0, scope["method"] not in SAFE_METHODS
    while more:
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        more = messages[-1].get("more_body", False)
        if size > MAX_BODY_BYTES:
            raise body_too_large()

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def body_too_large() -> ApiError:
    """Says how large a body may be."""
    return ApiError("too-large", f"a request has at most {MAX_BODY_BYTES} bytes", limit=MAX_BODY_BYTES)
