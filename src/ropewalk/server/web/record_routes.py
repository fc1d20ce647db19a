"""Records of matches, out and in."""

from __future__ import annotations

from fastapi import APIRouter, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ..match_records import imported, record_of
from ..match_views import MatchView
from .match_routes import MatchId, fresh, seen
from .visitors import TheHouse, TheRates, Welcome

LONGEST_RECORD = 200_000
router = APIRouter(prefix="/api", tags=["records"])


class RecordText(BaseModel):
    """A game record as SGF, or as our JSON."""

    model_config = ConfigDict(extra="forbid")
    record: str = Field(min_length=1, max_length=LONGEST_RECORD)


@router.get("/matches/{match_id}/sgf", response_class=Response)
async def export_sgf(match_id: MatchId, house: TheHouse) -> Response:
    """The match as SGF."""
    table = await fresh(house, match_id)
    record = record_of(table, await house.people.find_all(table.seats))
    named = {"Content-Disposition": f'attachment; filename="ropewalk-{match_id}.sgf"'}
    return Response(record.to_sgf(), media_type="application/x-go-sgf; charset=utf-8", headers=named)


@router.post("/records", status_code=status.HTTP_201_CREATED)
async def import_record(text: RecordText, user: Welcome, house: TheHouse, rates: TheRates) -> MatchView:
    """A match from a record: yours on both seats, to look at or to play on."""
    rates.take("records", user.id)
    return await seen(house, await imported(house, user, text.record), user)
