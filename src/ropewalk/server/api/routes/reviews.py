"""Routes of reviews: the values of all positions of a match, computed once and shared by all viewers."""

from __future__ import annotations

from fastapi import APIRouter, Request

from ...db.user_repository import User
from ...domain.match import MatchState
from ...errors import ApiError
from ...services import AppServices
from ..dependencies import OptionalUser, ServicesDep, UserOrGuest, find_engine_owner
from ..match_requests import load_readable_match
from ..schemas.reviews import ReviewView, build_review
from ..work import RequesterDep
from .matches import MatchId, SpectatorKey

POSITION_BYTES = 100  # of the stored evaluation of a position
router = APIRouter(prefix="/api", tags=["reviews"])


@router.get("/matches/{match_id}/review")
async def show_review(match_id: MatchId, user: OptionalUser, services: ServicesDep, key: SpectatorKey = None) -> ReviewView:
    """Return the review of a match that is over, as far as it is computed."""
    state = await load_reviewed_match(services, match_id, user, key)
    return build_review(state, await services.reviews.find(match_id, state))


@router.post("/matches/{match_id}/review")
async def start_review(
    match_id: MatchId, request: Request, requester: RequesterDep, user: UserOrGuest, key: SpectatorKey = None
) -> ReviewView:
    """Start the review of a match that is over, unless it is stored or being computed."""
    services = requester.services
    state = await load_reviewed_match(services, match_id, user, key)
    found = await services.reviews.find(match_id, state)
    if found is None:
        requester.limiter.consume("reviews", find_engine_owner(request, user))
        await requester.quotas.charge_storage(user, requester.address, POSITION_BYTES * (len(state.moves) + 1))
    return build_review(state, await services.reviews.start(match_id, state))


async def load_reviewed_match(services: AppServices, match_id: str, user: User | None, key: str | None) -> MatchState:
    """Return the state of a match that may be reviewed: it is over, or one user has both seats.

    Raises:
        ApiError: `not-found`, or `still-playing`.
    """
    state = (await load_readable_match(services, match_id, user, key)).state
    is_study = state.seats[0] is not None and state.seats[0] == state.seats[1]
    if state.result is None and not is_study:
        raise ApiError("still-playing", "a match can be reviewed when it is over; follow it at /match until then")
    return state
