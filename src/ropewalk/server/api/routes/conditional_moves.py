"""Conditional moves, for correspondence."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...db.user_repository import User
from ...errors import ApiError
from ...matches.conditional_moves import MAX_LINE_LENGTH, MAX_LINES, allows_conditional_moves, validate_lines
from ...matches.live_match import LiveMatch
from ...services import AppServices
from ..dependencies import CurrentUser, ServicesDep
from .matches import MatchId, load_current

router = APIRouter(prefix="/api", tags=["matches"])
MoveText = Annotated[str, Field(min_length=1, max_length=40)]
LineText = Annotated[list[MoveText], Field(min_length=2, max_length=MAX_LINE_LENGTH)]


class ConditionalMovesView(BaseModel):
    """Lines of steps from the position of event `after` on: the other's, yours, the other's ..."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(ge=0, le=2**31 - 1)
    lines: list[LineText] = Field(max_length=MAX_LINES)


@router.get("/matches/{match_id}/plan")
async def show_conditional_moves(match_id: MatchId, user: CurrentUser, services: ServicesDep) -> ConditionalMovesView:
    """What you have planned in a match; nobody else sees it."""
    await require_own_match(services, match_id, user)
    plan = await services.conditional_moves.find(match_id, user.id)
    return (
        ConditionalMovesView(after=0, lines=[])
        if plan is None
        else ConditionalMovesView(after=plan.position_version, lines=[list(line) for line in plan.lines])
    )


@router.put("/matches/{match_id}/plan")
async def put_conditional_moves(
    match_id: MatchId, plan: ConditionalMovesView, user: CurrentUser, services: ServicesDep
) -> ConditionalMovesView:
    """Plan answers to the other's next moves; no lines take the plan back."""
    match = await require_own_match(services, match_id, user)
    state = match.state
    if state.status != "playing":
        raise ApiError("not-playing", "the match is not going on")
    if not allows_conditional_moves(state):
        raise ApiError("bad-request", "conditional moves are for matches with days for a turn")
    if plan.after != state.position_version:
        raise ApiError("stale", f"the board has changed since event {plan.after}: it stands at {state.position_version}")
    validate_lines(state, plan.lines)
    await services.conditional_moves.save(match_id, user.id, plan.after, plan.lines)
    return plan


async def require_own_match(services: AppServices, match_id: str, user: User) -> LiveMatch:
    """A table at which a user sits."""
    match = await load_current(services, match_id)
    if not match.seats_of(user.id):
        raise ApiError("not-your-match", "you have no seat in this match")
    return match
