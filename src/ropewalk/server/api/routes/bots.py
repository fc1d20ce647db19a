"""Bots of others: a token, a stream of events as lines of JSON, and moves by plain requests."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, status
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from ...db.secrets import generate_id
from ...db.user_repository import TOKEN_MS, User, now_ms
from ...domain.usernames import validate_name
from ...errors import ApiError
from ...services import AppServices
from ..dependencies import CurrentUser, LimiterDep, ServicesDep
from ..schemas.matches import UserView, build_event, build_match_state, build_user

MAX_BOTS = 5
router = APIRouter(prefix="/api", tags=["bots"])


class CreateBotRequest(BaseModel):
    """What a bot is to be called."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)


class CreateBotResponse(BaseModel):
    """A bot and its token, which is shown only now: send it as `Authorization: Bearer TOKEN`."""

    bot: UserView
    token: str


class BotStreamMessage(BaseModel):
    """A line of the stream: what happened in a match of yours, and how it stands."""

    match: str
    spec: str
    start: str | None
    seats: list[int]
    moves: list[str]
    events: list[dict[str, object]]
    now: dict[str, object]


@router.post("/bots", status_code=status.HTTP_201_CREATED)
async def add_bot(
    wish: CreateBotRequest, user: CurrentUser, services: ServicesDep, limiter: LimiterDep
) -> CreateBotResponse:
    """A bot of yours, which anybody may challenge by its name."""
    limiter.consume("passwords", user.id)
    if user.kind != "account":
        raise ApiError("not-yours", "only an account can have bots: register first")
    mine = await services.users.list_bots(user.id)
    if len(mine) >= MAX_BOTS:
        raise ApiError("too-many", f"an account may have {MAX_BOTS} bots", limit=MAX_BOTS)
    bot = await services.users.add(User(generate_id(), validate_name(wish.name), "bot", owner_id=user.id))
    return CreateBotResponse(bot=build_user(bot), token=await services.users.open_session(bot, TOKEN_MS))


@router.get("/events", response_class=StreamingResponse)
async def stream_events(user: CurrentUser, services: ServicesDep) -> StreamingResponse:
    """All that happens in your matches, a line of JSON each; an empty line now and then shows that the stream is alive."""
    return StreamingResponse(generate_lines(services, user), media_type="application/x-ndjson")


async def generate_lines(services: AppServices, user: User) -> AsyncIterator[str]:
    """The stream."""
    async for news in services.user_streams.subscribe(user.id):
        if services.is_stopping:
            return
        if news is None:
            yield "\n"
            continue
        match, events = news
        line = BotStreamMessage.model_construct(
            match=match.id,
            spec=match.row.config.spec,
            start=match.row.config.initial_position,
            seats=list(match.seats_of(user.id)),
            moves=[step.move for step in match.state.moves],
            events=[build_event(event) for event in events],
            now=build_match_state(match.state, now_ms(), None),
        )
        yield line.model_dump_json(warnings=False) + "\n"
