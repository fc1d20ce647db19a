"""Routes for operators: health and metrics."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from .... import __version__
from ...errors import ApiError
from ...readiness import find_problems
from ..dependencies import ServicesDep

router = APIRouter(tags=["operators"])


class HealthView(BaseModel):
    """The state of the server."""

    status: Literal["ok", "degraded", "stopping"]
    version: str
    compiled_games: list[str]
    unreadable_matches: int
    clock_difference_seconds: float = Field(description="of the wall clock from the time that matches use")
    problems: list[str] = Field(description="why the server is not ready; empty if it is")
    engine_queue_length: int
    engine_wait_seconds: float = Field(description="for which the oldest job in the queue has waited")


class LivenessView(BaseModel):
    """The process runs and answers."""

    status: Literal["ok"] = "ok"


class ReadinessView(BaseModel):
    """The server can store what it is sent, and its background jobs run."""

    status: Literal["ready"] = "ready"


@router.get("/api/health")
async def show_health(services: ServicesDep) -> HealthView:
    """Return the state of the server, at the latest after a second, and for which games kernels are compiled."""
    problems = await find_problems(services)
    unreadable = len(services.registry.unreadable)
    is_degraded = unreadable > 0 or services.clock.is_wall_clock_wrong or bool(problems)
    return HealthView(
        status="stopping" if services.is_stopping else "degraded" if is_degraded else "ok",
        version=__version__,
        compiled_games=sorted(services.engine_pool.warm),
        unreadable_matches=unreadable,
        clock_difference_seconds=round(services.clock.wall_difference_ms / 1000, 3),
        problems=problems,
        engine_queue_length=len(services.engine_pool.queue),
        engine_wait_seconds=round(services.engine_pool.queue.oldest_wait_seconds, 3),
    )


@router.get("/api/health/live")
async def show_liveness() -> LivenessView:
    """Return that the process answers; the database is not asked."""
    return LivenessView()


@router.get("/api/health/ready")
async def show_readiness(services: ServicesDep) -> ReadinessView:
    """Return that the server can store what it is sent, or the error `not-ready` with what is wrong, within a second."""
    problems = await find_problems(services)
    if problems:
        raise ApiError("not-ready", f"the server is not ready: {'; '.join(problems)}", problems=problems)
    return ReadinessView()


@router.get(
    "/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE_LATEST: {"schema": {"type": "string"}}}}}
)
async def show_metrics(request: Request) -> Response:
    """Return metrics in the text format of Prometheus."""
    headers = {"Cache-Control": "no-store"}
    return Response(request.app.state.metrics.render(), media_type=CONTENT_TYPE_LATEST, headers=headers)
