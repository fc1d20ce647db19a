"""Middleware of HTTP requests: request ids, metrics, security headers, errors, rate limit, origin check, size limit."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections import deque
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import RopewalkError
from ..errors import ApiError, from_domain_error
from ..logs import REQUEST_ID
from ..metrics import Metrics
from .client_address import client_address
from .rate_limit import TokenBucketLimiter

MAX_BODY_BYTES = 256 * 1024
BODY_SECONDS = 30.0  # to send a body
ENGINE_JOBS_PATH = "/api/engine-jobs/"  # its heartbeats are not limited; a wrong token is
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
CSRF_HEADER = "x-ropewalk"  # other sites cannot set it, because browsers ask for permission first
REQUEST_ID_HEADER = "x-request-id"
WELL_FORMED_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
MIN_SERVER_ERROR = 500
log = logging.getLogger("ropewalk.http")

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
EMBED_PATH = re.compile(r"/embed/(match/[0-9a-z-]{1,24}(/\d{1,6})?|position)")
EMBED_HEADERS = {  # of pages that other sites may show in a frame: they only show, and send no cookies
    **{name: value for name, value in SECURITY_HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": SECURITY_HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
}
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


class HttpMiddleware:
    """Base class: passes everything but HTTP requests through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass another connection on."""
        await (self.handle if scope["type"] == "http" else self.app)(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an HTTP request; subclasses implement this."""
        raise NotImplementedError


class RequestIds(HttpMiddleware):
    """Gives every request an id: that of a well-formed X-Request-ID header, or a new one."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the id for the log and for errors, and send it with the response; errors of the server are logged."""
        given = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        request_id = given if WELL_FORMED_ID.fullmatch(given) else secrets.token_hex(8)
        token = REQUEST_ID.set(request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
                if message["status"] >= MIN_SERVER_ERROR:
                    route = getattr(scope.get("route"), "path", "unmatched")  # a path may contain a secret token
                    log.warning("%s %s was answered with status %d", scope["method"], route, message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        finally:
            REQUEST_ID.reset(token)


class RequestMetrics(HttpMiddleware):
    """Counts responses and the time until they start."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self.metrics = metrics

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the response of a request under the path of its route."""
        started = time.perf_counter()

        async def count_and_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "unmatched")
                self.metrics.count_response(scope["method"], route, message["status"], time.perf_counter() - started)
            await send(message)

        await self.app(scope, receive, count_and_send)


class HeadRequests(HttpMiddleware):
    """Answers HEAD like GET, without the body."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a HEAD request on as GET, and send only the headers of its response."""

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {"type": "http.response.body", "more_body": message.get("more_body", False)}
            await send(message)

        is_head = scope["method"] == "HEAD"
        await self.app({**scope, "method": "GET"} if is_head else scope, receive, send_head if is_head else send)


class SecurityHeaders(HttpMiddleware):
    """Adds strict security headers to every response; responses of the API are not cached by default."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to the response of a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                security = EMBED_HEADERS if is_embed_path(scope["path"]) else SECURITY_HEADERS
                for name, value in (security | (HTTPS_HEADERS if scope["scheme"] == "https" else {})).items():
                    headers.setdefault(name, value)  # a route may have a policy of its own
                if scope["path"].startswith("/api"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class ErrorBoundary(HttpMiddleware):
    """Turns every exception into an error response; a traceback goes to the log only."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with an error if the application raises one before its response has started."""
        has_started = False

        async def send_and_track(message: Message) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_and_track)
        except Exception as error:
            if not isinstance(error, RopewalkError):
                log.exception("%s %s failed", scope["method"], scope["path"])
            if has_started:
                raise
            await send_error(send, to_api_error(error))


class RequestRateLimit(HttpMiddleware):
    """Limits the requests of one address."""

    def __init__(self, app: ASGIApp, limiter: TokenBucketLimiter) -> None:
        super().__init__(app)
        self.limiter = limiter

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on within the limit; those of engine workers, which need a token, have none."""
        if not scope["path"].startswith(ENGINE_JOBS_PATH):
            self.limiter.consume("requests", client_address(scope))
        await self.app(scope, receive, send)


class OriginCheck(HttpMiddleware):
    """Rejects requests that another site sends with a user's cookie."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request of this site on."""
        check_origin(scope)
        await self.app(scope, receive, send)


class BodySizeLimit(HttpMiddleware):
    """Rejects bodies that are too large or too slow, while they are received."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body, which was read within the limit."""
        await self.app(scope, await read_body(scope, receive), send)


def is_embed_path(path: str) -> bool:
    """Return whether an address is one that other sites may show in a frame."""
    return EMBED_PATH.fullmatch(path) is not None


def to_api_error(error: Exception) -> ApiError:
    """Return the error that is sent to the client; unexpected ones have no details."""
    if isinstance(error, RopewalkError):
        return from_domain_error(error)
    return ApiError("internal", "internal server error; the details are in the server's log")


async def send_error(send: Send, error: ApiError) -> None:
    """Send an error as a response."""
    body = json.dumps(error.to_json()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in error.headers().items()]
    await send({"type": "http.response.start", "status": error.http_status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def check_origin(scope: Scope) -> None:
    """Check that a request which changes something, or a socket, comes from this site.

    Another site can set neither the Origin header nor the header of CSRF_HEADER.

    Raises:
        ApiError: `forbidden-origin`.
    """
    headers = Headers(scope=scope)
    if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
        return
    origin = headers.get("origin")
    if origin is not None and find_host(origin) != headers.get("host"):
        raise ApiError("forbidden-origin", f"requests from the origin {origin[:100]!r} are not allowed")
    if scope["type"] == "http" and origin is None and "cookie" in headers and CSRF_HEADER not in headers:
        raise ApiError("forbidden-origin", "a request with a cookie must have an Origin header, or the header X-Ropewalk: 1")


def find_host(origin: str) -> str | None:
    """Return host and port of an Origin header, None if it is invalid."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def read_body(scope: Scope, receive: Receive) -> Receive:
    """Read the body, and return a function that receives it again.

    Raises:
        ApiError: `too-large` as soon as the body is too large, `too-slow` if it is not complete in time.
    """
    declared = Headers(scope=scope).get("content-length", "0")
    if declared.isdecimal() and int(declared) > MAX_BODY_BYTES:
        raise build_size_error()
    messages: deque[Message] = deque()
    size, more = 0, scope["method"] not in SAFE_METHODS
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                messages.append(await receive())
                size += len(messages[-1].get("body", b""))
                more = messages[-1].get("more_body", False)
                if size > MAX_BODY_BYTES:
                    raise build_size_error()
    except TimeoutError:
        message = f"the request body was not complete within {BODY_SECONDS:g} s; send it again"
        raise ApiError("too-slow", message, limit=BODY_SECONDS) from None

    async def receive_again() -> Message:
        return messages.popleft() if messages else await receive()

    return receive_again


def build_size_error() -> ApiError:
    """Return the error for a body that is too large."""
    return ApiError(
        "too-large", f"the request body is too large; at most {MAX_BODY_BYTES} bytes are allowed", limit=MAX_BODY_BYTES
    )
