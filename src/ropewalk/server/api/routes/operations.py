"""Routes for operators: health and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from .... import __version__
from ..dependencies import ServicesDep

router = APIRouter(prefix="/api", tags=["operators"])


class HealthView(BaseModel):
    """The state of the server."""

    status: str
    version: str
    warm: list[str]


@router.get("/health")
async def show_health(services: ServicesDep) -> HealthView:
    """Return whether the database answers, and for which games kernels are compiled."""
    await services.match_repository.last_lobby_seq()
    status = "closing" if services.is_stopping else "fine"
    return HealthView(status=status, version=__version__, warm=sorted(services.engine_pool.warm))


@router.get("/metrics", response_class=PlainTextResponse)
async def show_metrics(request: Request, services: ServicesDep) -> PlainTextResponse:
    """Return metrics in the text format of Prometheus."""
    return PlainTextResponse(request.app.state.metrics.render(services))
