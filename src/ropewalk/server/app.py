"""The ASGI application: routes, error handlers, middleware and the static files of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from .. import __version__
from ..errors import RopewalkError
from .api import analysis_stream, websocket
from .api.compression import Compression
from .api.link_previews import load_preview
from .api.login_backoff import LoginBackoff
from .api.middleware import (
    BodySizeLimit,
    ErrorBoundary,
    HeadRequests,
    OriginCheck,
    RequestIds,
    RequestMetrics,
    RequestRateLimit,
    SecurityHeaders,
)
from .api.openapi import install_openapi
from .api.quotas import SharedQuotas
from .api.rate_limit import ConnectionLimiter, TokenBucketLimiter
from .api.routes import (
    account,
    analyses,
    engine_jobs,
    explorer,
    game_reports,
    games,
    known,
    matches,
    moderation,
    notifications,
    operations,
    puzzles,
    reviews,
    tournaments,
    users,
)
from .api.static_files import add_static_files, list_methods
from .connection_limits import TransportLimits
from .db.usage_repository import UsageRepository
from .errors import ApiError, from_domain_error
from .metrics import Metrics
from .services import AppServices
from .settings import ServerSettings

DESCRIPTION = (
    "A server for Lariat, Cube Lariat, Tether and Liger by Mark Steere and laoCoon by Alain Couchot and Bernard Klein. "
    "Seats, colours and users are three different things: a swap exchanges colours, never seats. Every error has a stable "
    "`code`, a `message`, the `request_id` of the HTTP request, and `details`, which contain the `limit` that was "
    "exceeded if there is one."
)


ROUTERS = (
    websocket.router,  # first: routes are tried in order, and many clients connect at once after a server was lost
    games.router,
    matches.router,
    tournaments.router,
    moderation.router,
    notifications.router,
    users.router,
    account.router,
    puzzles.router,
    reviews.router,
    explorer.router,
    analyses.router,
    known.router,
    game_reports.router,
    analysis_stream.router,
    operations.router,
    engine_jobs.router,
)
ERROR_STATUSES = (401, 403, 404, 408, 409, 413, 422, 429, 503)


class ErrorView(BaseModel):
    """An error: a stable code, a message, details that depend on the code, and the id of the request."""

    code: str
    message: str
    details: dict[str, Any] = {}
    request_id: str | None = None  # the header X-Request-ID of the response, by which the log is searched


def create_app(settings: ServerSettings) -> FastAPI:
    """Return the server as an ASGI application; its services start and stop with it."""
    services = AppServices(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await services.start()
        yield
        await services.stop()

    app = FastAPI(
        title="Ropewalk",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={status: {"model": ErrorView} for status in ERROR_STATUSES},
    )
    app.state.services = services
    app.state.limiter = TokenBucketLimiter(settings.rate_limit_scale)
    app.state.login_backoff = LoginBackoff(settings.rate_limit_scale)
    app.state.quotas = SharedQuotas(UsageRepository(services.database), settings.rate_limit_scale)
    app.state.connections = ConnectionLimiter(settings.rate_limit_scale)
    app.state.transport_limits = TransportLimits(settings.max_connections, settings.rate_limit_scale, settings.trusted_proxy)
    app.state.metrics = Metrics(services, app.state.transport_limits)
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(RopewalkError, handle_domain_error)
    app.add_exception_handler(RequestValidationError, handle_validation_error)
    app.add_exception_handler(HTTPException, handle_http_error)
    install_openapi(app)
    app.state.api_routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    add_static_files(app, settings.page_folder, app.state.api_routes, partial(load_preview, services))
    add_middleware(app)
    return app


def add_middleware(app: FastAPI) -> None:
    """Add the middleware; the last one that is added sees a request first."""
    app.add_middleware(Compression)
    app.add_middleware(HeadRequests)
    app.add_middleware(BodySizeLimit)
    app.add_middleware(OriginCheck)
    app.add_middleware(RequestRateLimit, limiter=app.state.limiter)
    app.add_middleware(ErrorBoundary)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMetrics, metrics=app.state.metrics)
    app.add_middleware(RequestIds)


async def handle_domain_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response for an error of the domain or of the API."""
    assert isinstance(error, RopewalkError)
    api_error = from_domain_error(error)
    return JSONResponse(api_error.to_json(), api_error.http_status, headers=api_error.headers())


async def handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response for a request with missing or invalid fields."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return JSONResponse(ApiError("bad-request", f"{field}: {first['msg']}").to_json(), 422)


async def handle_http_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response for an unknown path, a method that is not allowed, or a body that is too large."""
    assert isinstance(error, HTTPException)
    codes = {404: "not-found", 405: "bad-method", 413: "too-large"}
    code = codes.get(error.status_code, "bad-request")
    api_error = ApiError(code, str(error.detail))
    headers = {**(error.headers or {})}
    if code == "bad-method":  # starlette names the methods of one route only
        headers["Allow"] = list_methods(request.scope["path"], request.app.state.api_routes) or headers.get("Allow", "GET")
    return JSONResponse(api_error.to_json(), api_error.http_status, headers=headers)
