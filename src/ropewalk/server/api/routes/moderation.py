"""Routes of what users do about others, and what they are told: reports, blocks, challenges to them, the announcement."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, status
from pydantic import BaseModel, ConfigDict, Field

from ...db.moderation_repository import MAX_REASON_LENGTH, NewReport
from ...db.user_repository import User
from ...domain.actions import clean_text
from ...errors import ApiError
from ...services import AppServices
from ..dependencies import CurrentUser, LimiterDep, OptionalUser, ServicesDep
from ..match_requests import load_readable_match, load_summaries
from ..schemas.matches import MatchSummary
from ..schemas.users import CurrentUserResponse, build_user
from ..work import RequesterDep

ID_CHARACTERS = r"^[0-9a-z-]+$"
UserId = Annotated[str, Path(min_length=1, max_length=24, pattern=ID_CHARACTERS)]
router = APIRouter(prefix="/api", tags=["people"])


class ReportRequest(BaseModel):
    """A report about a user, or about one of their chat messages in a match."""

    model_config = ConfigDict(extra="forbid")
    user_id: str = Field(min_length=1, max_length=24, pattern=ID_CHARACTERS)
    reason: str = Field(min_length=1, max_length=MAX_REASON_LENGTH)
    match_id: str | None = Field(default=None, min_length=1, max_length=24, pattern=ID_CHARACTERS)
    event_seq: int | None = Field(default=None, ge=1, le=2**31 - 1, description="of the chat message; needs match_id")


class ReportResponse(BaseModel):
    """The number of a report, which an operator can be told."""

    report: int


class NoticesView(BaseModel):
    """What the page shows everywhere: the announcement of the operator, and challenges to you."""

    announcement: str | None
    challenges: list[MatchSummary] = Field(description="matches that wait for you, by name; the newest first")


@router.get("/notices")
async def show_notices(user: OptionalUser, services: ServicesDep) -> NoticesView:
    """Return the announcement, and the challenges to you by name."""
    rows = [] if user is None else await services.match_repository.list_reserved_for(user.id)
    challenges = await load_summaries(services, rows)
    return NoticesView(announcement=await services.moderation.find_announcement(), challenges=challenges)


@router.post("/reports", status_code=status.HTTP_201_CREATED)
async def create_report(
    request: ReportRequest, user: CurrentUser, requester: RequesterDep, limiter: LimiterDep
) -> ReportResponse:
    """Report a user, or one of their chat messages, to the operators of the server."""
    services = requester.services
    limiter.consume("reports", user.id)
    await require_user_exists(services, request.user_id)
    reason = clean_text(request.reason)
    if not reason:
        raise ApiError("bad-request", "the reason of the report is empty")
    text = await find_chat_text(services, user, request)
    await requester.quotas.charge_storage(user, requester.address, len(reason) + len(text or ""))
    report = NewReport(user.id, request.user_id, reason, request.match_id, text)
    return ReportResponse(report=await services.moderation.add_report(report))


@router.put("/me/blocks/{user_id}")
async def block_user(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Block a user: neither of you can challenge or join the other, and you do not see their chat messages."""
    await require_user_exists(services, user_id)
    await change_block(services, user, user_id, blocked=True)
    return CurrentUserResponse(user=build_user(user))


@router.delete("/me/blocks/{user_id}")
async def unblock_user(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """End the block of a user."""
    await change_block(services, user, user_id, blocked=False)
    return CurrentUserResponse(user=build_user(user))


async def change_block(services: AppServices, user: User, other_id: str, *, blocked: bool) -> None:
    """Block another user or end it; the matches that they see are sent again, without or with the chat."""
    await services.moderation.set_block(user.id, other_id, blocked=blocked)
    services.users.mute_cache.discard(user.id)
    services.registry.on_user_change("muted", user.id)


async def require_user_exists(services: AppServices, user_id: str) -> None:
    """Raise ApiError `not-found` unless there is such a user."""
    if await services.users.find(user_id) is None:
        raise ApiError("not-found", "user not found")


async def find_chat_text(services: AppServices, reporter: User, request: ReportRequest) -> str | None:
    """Return the chat message that a report is about, None for one without. Raises ApiError `not-found`."""
    if request.match_id is None or request.event_seq is None:
        return None
    match = await load_readable_match(services, request.match_id, reporter)
    event = next((event for event in match.log if event.seq == request.event_seq), None)
    if event is None or event.type != "chat-posted" or event.user_id != request.user_id:
        raise ApiError("not-found", "this match has no such chat message of this user")
    return str(event.data["text"])
