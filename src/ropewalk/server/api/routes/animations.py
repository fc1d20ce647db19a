"""Pictures of matches."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...animations import Studio
from ..dependencies import TheHouse, TheRates
from ..middleware import address
from .matches import MatchId, fresh

router = APIRouter(prefix="/api", tags=["records"])
studio = Studio()


@router.get("/matches/{match_id}/gif", response_class=Response)
async def export_gif(match_id: MatchId, request: Request, house: TheHouse, rates: TheRates) -> Response:
    """The match as a GIF that shows one position after another."""
    rates.take("pictures", address(request.scope))
    state = (await fresh(house, match_id)).state
    picture = await studio.gif(state.config.spec, state.config.initial_position, [step.move for step in state.moves])
    named = {"Content-Disposition": f'attachment; filename="ropewalk-{match_id}.gif"'}
    return Response(picture, media_type="image/gif", headers=named)
