"""Conditional moves, for correspondence."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...db.user_repository import User
from ...errors import ApiError
from ...matches.conditional_moves import MOST_LINES, MOST_STEPS, can_plan, refuse_wrong_lines
from ...matches.live_match import Table
from ...services import House
from ..dependencies import Known, TheHouse
from .matches import MatchId, fresh

router = APIRouter(prefix="/api", tags=["matches"])
StepText = Annotated[str, Field(min_length=1, max_length=40)]
LineText = Annotated[list[StepText], Field(min_length=2, max_length=MOST_STEPS)]


class PlanView(BaseModel):
    """Lines of steps from the position of event `after` on: the other's, yours, the other's ..."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(ge=0, le=2**31 - 1)
    lines: list[LineText] = Field(max_length=MOST_LINES)


@router.get("/matches/{match_id}/plan")
async def show_plan(match_id: MatchId, user: Known, house: TheHouse) -> PlanView:
    """What you have planned in a match; nobody else sees it."""
    await own_table(house, match_id, user)
    plan = await house.plan_book.find(match_id, user.id)
    return (
        PlanView(after=0, lines=[])
        if plan is None
        else PlanView(after=plan.position_version, lines=[list(line) for line in plan.lines])
    )


@router.put("/matches/{match_id}/plan")
async def put_plan(match_id: MatchId, plan: PlanView, user: Known, house: TheHouse) -> PlanView:
    """Plan answers to the other's next moves; no lines take the plan back."""
    table = await own_table(house, match_id, user)
    state = table.state
    if state.status != "playing":
        raise ApiError("not-playing", "the match is not going on")
    if not can_plan(state):
        raise ApiError("bad-request", "conditional moves are for matches with days for a turn")
    if plan.after != state.position_version:
        raise ApiError("stale", f"the board has changed since event {plan.after}: it stands at {state.position_version}")
    refuse_wrong_lines(state, plan.lines)
    await house.plan_book.save(match_id, user.id, plan.after, plan.lines)
    return plan


async def own_table(house: House, match: str, user: User) -> Table:
    """A table at which a user sits."""
    table = await fresh(house, match)
    if not table.seats_of(user.id):
        raise ApiError("not-your-match", "you have no seat in this match")
    return table
