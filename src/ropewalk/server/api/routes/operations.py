"""Routes for operators: health and metrics."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from .... import __version__
from ..dependencies import ServicesDep

router = APIRouter(tags=["operators"])


class HealthView(BaseModel):
    """The state of the server."""

    status: Literal["ok", "degraded", "stopping"]
    version: str
    compiled_games: list[str]
    unreadable_matches: int
    engine_queue_length: int
    engine_wait_seconds: float  # for which the oldest job in the queue has waited


@router.get("/api/health")
async def show_health(services: ServicesDep) -> HealthView:
    """Return whether the database answers, and for which games kernels are compiled."""
    await services.match_repository.last_lobby_seq()
    unreadable = len(services.registry.unreadable)
    return HealthView(
        status="stopping" if services.is_stopping else "degraded" if unreadable else "ok",
        version=__version__,
        compiled_games=sorted(services.engine_pool.warm),
        unreadable_matches=unreadable,
        engine_queue_length=len(services.engine_pool.queue),
        engine_wait_seconds=round(services.engine_pool.queue.oldest_wait_seconds, 3),
    )


@router.get("/metrics", response_class=Response)
async def show_metrics(request: Request) -> Response:
    """Return metrics in the text format of Prometheus."""
    headers = {"Cache-Control": "no-store"}
    return Response(request.app.state.metrics.render(), media_type=CONTENT_TYPE_LATEST, headers=headers)
