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
from ...matches.live_match import Table
from ...matches.matchmaking import NewMatch, create, rematch
from ...services import House
from ..dependencies import Known, TheHouse, TheRates, Visitor, Welcome
from ..rate_limit import Rates
from ..schemas.matches import EventView, MatchSummary, MatchView, Now, event_view, match_view, now_view, summary

router = APIRouter(prefix="/api", tags=["matches"])
MatchId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
Secret = Annotated[str, Path(min_length=1, max_length=100)]


class Created(BaseModel):
    """A new match; only whoever has the invitation can join one that was made for it."""

    match: MatchView
    invitation: str | None = Field(description="a secret for the link /join/SECRET, null where there is none")


class Done(BaseModel):
    """What a deed became, and how the match stands."""

    event: EventView
    now: Now


class LobbyView(BaseModel):
    """The lobby as it is."""

    number: int = Field(description="of the last event")
    challenges: list[MatchSummary]
    playing: list[MatchSummary]


@router.post("/matches", status_code=status.HTTP_201_CREATED)
async def create_match(wish: NewMatch, user: Welcome, house: TheHouse, rates: TheRates) -> Created:
    """Make a match: against a bot, at one screen, by invitation, or as a challenge in the lobby."""
    rates.take("matches", user.id)
    table, secret = await create(house, user, wish)
    return Created.model_construct(match=await seen(house, table, user), invitation=secret)


@router.get("/matches/{match_id}")
async def show_match(match_id: MatchId, user: Visitor, house: TheHouse) -> MatchView:
    """A match, whole; anybody who has its address may watch."""
    table = await fresh(house, match_id)
    return await seen(house, table, user)


@router.get("/matches/{match_id}/log")
async def show_log(match_id: MatchId, user: Visitor, house: TheHouse, after: int = 0) -> list[EventView]:
    """All that has happened in a match after an event."""
    table = await fresh(house, match_id)
    muted = await house.people.load_mutes(None if user is None else user.id)
    return [event_view(event, muted) for event in table.since(max(0, after))]


@router.post("/matches/{match_id}/join")
async def join_match(match_id: MatchId, user: Welcome, house: TheHouse) -> MatchView:
    """Take the free seat of a challenge, or one that was kept for you."""
    table = await fresh(house, match_id)
    if not table.row.is_open and table.row.reserved_for != user.id:
        raise ApiError("not-your-match", "this match can be joined by its invitation only")
    await house.tables.sit(table, user)
    return await seen(house, table, user)


@router.get("/invitations/{secret}")
async def show_invitation(secret: Secret, house: TheHouse) -> MatchSummary:
    """What one is invited to."""
    row = await invited(house, secret)
    return summary(row, await house.people.find_all(row.seats))


@router.post("/invitations/{secret}")
async def accept_invitation(secret: Secret, user: Welcome, house: TheHouse) -> MatchView:
    """Take the free seat by an invitation; who sits there already just gets the match."""
    table = await fresh(house, (await invited(house, secret)).id)
    if not table.seats_of(user.id):
        await house.tables.sit(table, user)
    return await seen(house, table, user)


@router.post("/matches/{match_id}/moves")
async def play_move(match_id: MatchId, move: Move, user: Known, house: TheHouse, rates: TheRates) -> Done:
    """Play one step for your seat; what is answered is written."""
    return await do(house, rates, match_id, user, move)


@router.post("/matches/{match_id}/deeds")
async def do_something(match_id: MatchId, deed: AnyAction, user: Known, house: TheHouse, rates: TheRates) -> Done:
    """Do anything that can be done at a table: move, ask or answer, resign, abort, chat."""
    return await do(house, rates, match_id, user, deed)


@router.post("/matches/{match_id}/rematch")
async def play_again(match_id: MatchId, user: Known, house: TheHouse, rates: TheRates) -> MatchView:
    """Arrange the same match with seats exchanged, or sit down at the one that the other has arranged."""
    rates.take("matches", user.id)
    table = await fresh(house, match_id)
    return await seen(house, await rematch(house, table, user), user)


@router.get("/lobby", tags=["lobby"])
async def show_lobby(house: TheHouse) -> LobbyView:
    """Open challenges, and matches that can be watched."""
    return await lobby_view(house)


async def lobby_view(house: House) -> LobbyView:
    """The lobby as it is, and the number of the event that it includes."""
    await house.lobby.refresh()
    number = house.lobby.number
    challenges, playing = await house.archive.list_challenges(), await house.archive.list_in_progress()
    return LobbyView(number=number, challenges=await summaries(house, challenges), playing=await summaries(house, playing))


async def summaries(house: House, rows: list[MatchRecordRow]) -> list[MatchSummary]:
    """Matches in a list."""
    users = await house.people.find_all(user for row in rows for user in row.seats)
    return [summary(row, users) for row in rows]


async def fresh(house: House, match: str) -> Table:
    """A table that knows what other servers have written, where there may be any."""
    table = await house.tables.at(match)
    if not house.database.is_sqlite:
        await house.tables.refresh(table)
    return table


async def invited(house: House, secret: str) -> MatchRecordRow:
    """The match of an invitation."""
    row = await house.archive.find_by_invitation(secret)
    if row is None:
        raise ApiError("not-found", "there is no such invitation")
    return row


async def seen(house: House, table: Table, viewer: User | None) -> MatchView:
    """A match as one viewer sees it."""
    users = await house.people.find_all(table.seats)
    muted = await house.people.load_mutes(None if viewer is None else viewer.id)
    return match_view(table, users, viewer, now_ms(), muted)


async def do(house: House, rates: Rates, match: str, user: User, deed: Action) -> Done:
    """Do something, and say what it became; who was too late gets the state as it is."""
    table = await house.tables.at(match)
    event = await act(house, rates, table, user, deed)
    return Done.model_construct(event=event_view(event), now=now_view(table.state, now_ms(), table.thinking))


async def act(house: House, rates: Rates, table: Table, user: User, deed: Action) -> MatchEvent:
    """Do something at a table, within the rates."""
    rates.take("chat" if isinstance(deed, Chat) else "deeds", user.id)
    try:
        return await house.tables.act(table, doer_of(table, user), deed)
    except ApiError as refusal:
        if refusal.code in ("stale", "too-late", "not-playing"):
            refusal.details["state"] = (await seen(house, table, user)).model_dump(mode="json")
        raise


def doer_of(table: Table, user: User) -> Actor:
    """A user as the rules of deeds see them."""
    return Actor(user.id, any(owner is not None and owner.startswith("level-") for owner in table.seats))
