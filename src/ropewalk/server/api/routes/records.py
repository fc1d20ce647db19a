"""Records of matches, out and in."""

from __future__ import annotations

from fastapi import APIRouter, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ...matches.record_io import export_record
from ...matches.record_io import import_record as store_record
from ..dependencies import LimiterDep, ServicesDep, UserOrGuest
from ..schemas.matches import MatchView
from .matches import MatchId, build_viewer_match, load_current

MAX_RECORD_LENGTH = 200_000
router = APIRouter(prefix="/api", tags=["records"])


class ImportRequest(BaseModel):
    """A game record as SGF, or as our JSON."""

    model_config = ConfigDict(extra="forbid")
    record: str = Field(min_length=1, max_length=MAX_RECORD_LENGTH)


@router.get("/matches/{match_id}/sgf", response_class=Response)
async def export_sgf(match_id: MatchId, services: ServicesDep) -> Response:
    """The match as SGF."""
    match = await load_current(services, match_id)
    record = export_record(match, await services.users.find_all(match.seats))
    named = {"Content-Disposition": f'attachment; filename="ropewalk-{match_id}.sgf"'}
    return Response(record.sgf(), media_type="application/x-go-sgf; charset=utf-8", headers=named)


@router.post("/records", status_code=status.HTTP_201_CREATED)
async def import_record(text: ImportRequest, user: UserOrGuest, services: ServicesDep, limiter: LimiterDep) -> MatchView:
    """A match from a record: yours on both seats, to look at or to play on."""
    limiter.consume("records", user.id)
    return await build_viewer_match(services, await store_record(services, user, text.record), user)
