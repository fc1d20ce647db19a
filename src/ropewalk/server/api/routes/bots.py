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
from ...services import House
from ..dependencies import Known, TheHouse, TheRates
from ..schemas.matches import UserView, event_view, now_view, user_view

MOST_BOTS = 5
router = APIRouter(prefix="/api", tags=["bots"])


class BotName(BaseModel):
    """What a bot is to be called."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)


class BotToken(BaseModel):
    """A bot and its token, which is shown only now: send it as `Authorization: Bearer TOKEN`."""

    bot: UserView
    token: str


class BotLine(BaseModel):
    """A line of the stream: what happened in a match of yours, and how it stands."""

    match: str
    spec: str
    start: str | None
    seats: list[int]
    moves: list[str]
    events: list[dict[str, object]]
    now: dict[str, object]


@router.post("/bots", status_code=status.HTTP_201_CREATED)
async def add_bot(wish: BotName, user: Known, house: TheHouse, rates: TheRates) -> BotToken:
    """A bot of yours, which anybody may challenge by its name."""
    rates.take("passwords", user.id)
    if user.kind != "account":
        raise ApiError("not-yours", "only an account can have bots: register first")
    mine = await house.people.list_bots(user.id)
    if len(mine) >= MOST_BOTS:
        raise ApiError("too-many", f"an account may have {MOST_BOTS} bots", limit=MOST_BOTS)
    bot = await house.people.add(User(generate_id(), validate_name(wish.name), "bot", owner_id=user.id))
    return BotToken(bot=user_view(bot), token=await house.people.open_session(bot, TOKEN_MS))


@router.get("/events", response_class=StreamingResponse)
async def stream_events(user: Known, house: TheHouse) -> StreamingResponse:
    """All that happens in your matches, a line of JSON each; an empty line now and then shows that the stream is alive."""
    return StreamingResponse(lines(house, user), media_type="application/x-ndjson")


async def lines(house: House, user: User) -> AsyncIterator[str]:
    """The stream."""
    async for news in house.streams.of(user.id):
        if house.is_closing:
            return
        if news is None:
            yield "\n"
            continue
        table, events = news
        line = BotLine.model_construct(
            match=table.id,
            spec=table.row.config.spec,
            start=table.row.config.initial_position,
            seats=list(table.seats_of(user.id)),
            moves=[step.move for step in table.state.moves],
            events=[event_view(event) for event in events],
            now=now_view(table.state, now_ms(), None),
        )
        yield line.model_dump_json(warnings=False) + "\n"
