"""The application: routes, refusals, and the page, behind one gate."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from .. import __version__
from ..errors import RopewalkError
from .api import analysis_stream
from .api import static_files as page
from .api import websocket as sockets
from .api.dependencies import ServicesDep
from .api.middleware import RequestGuard
from .api.rate_limit import TokenBucketLimiter
from .api.routes import accounts as account_routes
from .api.routes import animations as picture_routes
from .api.routes import bots as bot_routes
from .api.routes import conditional_moves as plan_routes
from .api.routes import games as game_routes
from .api.routes import matches as match_routes
from .api.routes import players as player_routes
from .api.routes import records as record_routes
from .errors import ApiError, from_domain_error
from .metrics import Metrics
from .services import AppServices, ServerSettings

DESCRIPTION = (
    "A table for Lariat, Cube Lariat, Tether and Liger by Mark Steere and laoCoon by Alain Couchot and Bernard Klein. "
    "Seats, colours and users are three different things: a swap exchanges colours, never seats. Every refusal has a stable "
    "`code`, words, and a `limit` where there is one."
)


ROUTERS = (
    game_routes,
    match_routes,
    plan_routes,
    record_routes,
    picture_routes,
    account_routes,
    player_routes,
    bot_routes,
    sockets,
    analysis_stream,
)


class ErrorView(BaseModel):
    """Why something was not done."""

    code: str
    message: str
    limit: float | None = None


class HealthView(BaseModel):
    """How the server is."""

    status: str
    version: str
    warm: list[str]


def create_app(settings: ServerSettings) -> FastAPI:
    """The server as an ASGI application."""
    services = AppServices(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await services.start()
        yield
        await services.stop()

    refused = {code: {"model": ErrorView} for code in (401, 403, 404, 409, 413, 422, 429, 503)}
    app = FastAPI(title="Ropewalk", version=__version__, description=DESCRIPTION, lifespan=lifespan, docs_url=None,
                  redoc_url=None, openapi_url="/api/openapi.json", responses=refused)  # type: ignore[arg-type]  # fmt: skip
    app.state.services, app.state.limiter, app.state.metrics = (
        services,
        TokenBucketLimiter(settings.rate_limit_scale),
        Metrics(),
    )
    app.state.connections = sockets.ConnectionLimiter(settings.rate_limit_scale)
    for part in ROUTERS:
        app.include_router(part.router)
    app.add_api_route("/api/health", show_health, methods=["GET"], tags=["operators"])
    app.add_api_route("/api/metrics", show_metrics, methods=["GET"], response_class=PlainTextResponse, tags=["operators"])
    app.add_exception_handler(RopewalkError, handle_domain_error)
    app.add_exception_handler(RequestValidationError, handle_validation_error)
    app.add_exception_handler(HTTPException, handle_http_error)
    page.add_static_files(app, settings.page_folder)
    app.add_middleware(RequestGuard, limiter=app.state.limiter, metrics=app.state.metrics)
    return app


async def show_health(services: ServicesDep) -> HealthView:
    """Whether the database answers, and which games' bots are warm."""
    await services.match_repository.last_lobby_seq()
    return HealthView(
        status="closing" if services.is_stopping else "fine", version=__version__, warm=sorted(services.engine_pool.warm)
    )


async def show_metrics(request: Request, services: ServicesDep) -> PlainTextResponse:
    """Figures in the text form of Prometheus."""
    return PlainTextResponse(request.app.state.metrics.text(services))


async def handle_domain_error(request: Request, error: Exception) -> JSONResponse:
    """A refusal as an answer."""
    assert isinstance(error, RopewalkError)
    refusal = from_domain_error(error)
    return JSONResponse(refusal.to_json(), refusal.http_status, headers=refusal.headers())


async def handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    """Fields that are missing or wrong."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return JSONResponse(ApiError("bad-request", f"{where}: {first['msg']}").to_json(), 422)


async def handle_http_error(request: Request, error: Exception) -> JSONResponse:
    """What is not there, or not done in this way."""
    assert isinstance(error, HTTPException)
    codes = {404: "not-found", 405: "bad-method", 413: "too-large"}
    code = codes.get(error.status_code, "bad-request")
    return JSONResponse(ApiError(code, str(error.detail)).to_json(), error.status_code, headers=error.headers)
