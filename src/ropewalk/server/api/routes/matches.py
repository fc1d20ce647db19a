"""Matches: making them, joining them, and what is done at a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, status
from pydantic import BaseModel, Field

from ...db.match_repository import MatchRecordRow
from ...db.user_repository import User, now_ms
from ...domain.actions import Action, Actor, AnyAction, Chat, Move
from ...domain.events import MatchEvent
from ...errors import ApiError
from ...matches.live_match import LiveMatch
from ...matches.matchmaking import CreateMatchRequest, request_rematch
from ...matches.matchmaking import create_match as create_new_match
from ...services import AppServices
from ..dependencies import CurrentUser, LimiterDep, OptionalUser, ServicesDep, UserOrGuest
from ..rate_limit import TokenBucketLimiter
from ..schemas.matches import (
    EventView,
    MatchStateView,
    MatchSummary,
    MatchView,
    build_event,
    build_match,
    build_match_state,
    build_summary,
)

router = APIRouter(prefix="/api", tags=["matches"])
MatchId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
InvitationToken = Annotated[str, Path(min_length=1, max_length=100)]


class CreateMatchResponse(BaseModel):
    """A new match; only whoever has the invitation can join one that was made for it."""

    match: MatchView
    invitation: str | None = Field(description="a secret for the link /join/SECRET, null where there is none")


class ActionResponse(BaseModel):
    """What a deed became, and how the match stands."""

    event: EventView
    now: MatchStateView


class LobbyView(BaseModel):
    """The lobby as it is."""

    number: int = Field(description="of the last event")
    challenges: list[MatchSummary]
    playing: list[MatchSummary]


@router.post("/matches", status_code=status.HTTP_201_CREATED)
async def create_match(
    wish: CreateMatchRequest, user: UserOrGuest, services: ServicesDep, limiter: LimiterDep
) -> CreateMatchResponse:
    """Make a match: against a bot, at one screen, by invitation, or as a challenge in the lobby."""
    limiter.consume("matches", user.id)
    match, secret = await create_new_match(services, user, wish)
    return CreateMatchResponse.model_construct(match=await build_viewer_match(services, match, user), invitation=secret)


@router.get("/matches/{match_id}")
async def show_match(match_id: MatchId, user: OptionalUser, services: ServicesDep) -> MatchView:
    """A match, whole; anybody who has its address may watch."""
    match = await load_current(services, match_id)
    return await build_viewer_match(services, match, user)


@router.get("/matches/{match_id}/log")
async def show_log(match_id: MatchId, user: OptionalUser, services: ServicesDep, after: int = 0) -> list[EventView]:
    """All that has happened in a match after an event."""
    match = await load_current(services, match_id)
    muted = await services.users.load_mutes(None if user is None else user.id)
    return [build_event(event, muted) for event in match.events_after(max(0, after))]


@router.post("/matches/{match_id}/join")
async def join_match(match_id: MatchId, user: UserOrGuest, services: ServicesDep) -> MatchView:
    """Take the free seat of a challenge, or one that was kept for you."""
    match = await load_current(services, match_id)
    if not match.row.is_open and match.row.reserved_for != user.id:
        raise ApiError("not-your-match", "this match can be joined by its invitation only")
    await services.matches.join(match, user)
    return await build_viewer_match(services, match, user)


@router.get("/invitations/{secret}")
async def show_invitation(secret: InvitationToken, services: ServicesDep) -> MatchSummary:
    """What one is invited to."""
    row = await find_invitation(services, secret)
    return build_summary(row, await services.users.find_all(row.seats))


@router.post("/invitations/{secret}")
async def accept_invitation(secret: InvitationToken, user: UserOrGuest, services: ServicesDep) -> MatchView:
    """Take the free seat by an invitation; who sits there already just gets the match."""
    match = await load_current(services, (await find_invitation(services, secret)).id)
    if not match.seats_of(user.id):
        await services.matches.join(match, user)
    return await build_viewer_match(services, match, user)


@router.post("/matches/{match_id}/moves")
async def play_move(
    match_id: MatchId, move: Move, user: CurrentUser, services: ServicesDep, limiter: LimiterDep
) -> ActionResponse:
    """Play one step for your seat; what is answered is written."""
    return await perform_and_respond(services, limiter, match_id, user, move)


@router.post("/matches/{match_id}/deeds")
async def perform_action(
    match_id: MatchId, action: AnyAction, user: CurrentUser, services: ServicesDep, limiter: LimiterDep
) -> ActionResponse:
    """Do anything that can be done at a table: move, ask or answer, resign, abort, chat."""
    return await perform_and_respond(services, limiter, match_id, user, action)


@router.post("/matches/{match_id}/rematch")
async def rematch(match_id: MatchId, user: CurrentUser, services: ServicesDep, limiter: LimiterDep) -> MatchView:
    """Arrange the same match with seats exchanged, or sit down at the one that the other has arranged."""
    limiter.consume("matches", user.id)
    match = await load_current(services, match_id)
    return await build_viewer_match(services, await request_rematch(services, match, user), user)


@router.get("/lobby", tags=["lobby"])
async def show_lobby(services: ServicesDep) -> LobbyView:
    """Open challenges, and matches that can be watched."""
    return await build_lobby_view(services)


async def build_lobby_view(services: AppServices) -> LobbyView:
    """The lobby as it is, and the number of the event that it includes."""
    await services.lobby.refresh()
    number = services.lobby.seq
    challenges, playing = (
        await services.match_repository.list_challenges(),
        await services.match_repository.list_in_progress(),
    )
    return LobbyView(
        number=number,
        challenges=await build_summaries(services, challenges),
        playing=await build_summaries(services, playing),
    )


async def build_summaries(services: AppServices, rows: list[MatchRecordRow]) -> list[MatchSummary]:
    """Matches in a list."""
    users = await services.users.find_all(user for row in rows for user in row.seats)
    return [build_summary(row, users) for row in rows]


async def load_current(services: AppServices, match_id: str) -> LiveMatch:
    """A table that knows what other servers have written, where there may be any."""
    match = await services.matches.get(match_id)
    if not services.database.is_sqlite:
        await services.matches.refresh(match)
    return match


async def find_invitation(services: AppServices, secret: str) -> MatchRecordRow:
    """The match of an invitation."""
    row = await services.match_repository.find_by_invitation(secret)
    if row is None:
        raise ApiError("not-found", "there is no such invitation")
    return row


async def build_viewer_match(services: AppServices, match: LiveMatch, viewer: User | None) -> MatchView:
    """A match as one viewer sees it."""
    users = await services.users.find_all(match.seats)
    muted = await services.users.load_mutes(None if viewer is None else viewer.id)
    return build_match(match, users, viewer, now_ms(), muted)


async def perform_and_respond(
    services: AppServices, limiter: TokenBucketLimiter, match_id: str, user: User, action: Action
) -> ActionResponse:
    """Do something, and say what it became; who was too late gets the state as it is."""
    match = await services.matches.get(match_id)
    event = await perform(services, limiter, match, user, action)
    return ActionResponse.model_construct(
        event=build_event(event), now=build_match_state(match.state, now_ms(), match.engine_status)
    )


async def perform(
    services: AppServices, limiter: TokenBucketLimiter, match: LiveMatch, user: User, action: Action
) -> MatchEvent:
    """Do something at a table, within the rates."""
    limiter.consume("chat" if isinstance(action, Chat) else "deeds", user.id)
    try:
        return await services.matches.perform(match, build_actor(match, user), action)
    except ApiError as refusal:
        if refusal.code in ("stale", "too-late", "not-playing"):
            refusal.details["state"] = (await build_viewer_match(services, match, user)).model_dump(mode="json")
        raise


def build_actor(match: LiveMatch, user: User) -> Actor:
    """A user as the rules of deeds see them."""
    return Actor(user.id, any(owner is not None and owner.startswith("level-") for owner in match.seats))
