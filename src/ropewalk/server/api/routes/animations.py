"""Pictures of matches."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...animations import AnimationRenderer
from ..dependencies import LimiterDep, ServicesDep
from ..middleware import client_address
from .matches import MatchId, load_current

router = APIRouter(prefix="/api", tags=["records"])
renderer = AnimationRenderer()


@router.get("/matches/{match_id}/gif", response_class=Response)
async def export_gif(match_id: MatchId, request: Request, services: ServicesDep, limiter: LimiterDep) -> Response:
    """The match as a GIF that shows one position after another."""
    limiter.consume("pictures", client_address(request.scope))
    state = (await load_current(services, match_id)).state
    picture = await renderer.render_gif(
        state.config.spec, state.config.initial_position, [step.move for step in state.moves]
    )
    named = {"Content-Disposition": f'attachment; filename="ropewalk-{match_id}.gif"'}
    return Response(picture, media_type="image/gif", headers=named)
