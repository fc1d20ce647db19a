"""Routes for operators: health and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from .... import __version__
from ..dependencies import ServicesDep

router = APIRouter(tags=["operators"])


class HealthView(BaseModel):
    """The state of the server."""

    status: str
    version: str
    compiled_games: list[str]


@router.get("/api/health")
async def show_health(services: ServicesDep) -> HealthView:
    """Return whether the database answers, and for which games kernels are compiled."""
    await services.match_repository.last_lobby_seq()
    status = "stopping" if services.is_stopping else "ok"
    return HealthView(status=status, version=__version__, compiled_games=sorted(services.engine_pool.warm))


@router.get("/metrics", response_class=PlainTextResponse)
async def show_metrics(request: Request, services: ServicesDep) -> PlainTextResponse:
    """Return metrics in the text format of Prometheus."""
    text = request.app.state.metrics.render(services)
    return PlainTextResponse(text, headers={"Cache-Control": "no-store"})
