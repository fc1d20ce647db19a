"""How matches come about: against a bot, at one seat, by invitation, in the lobby, once more."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..db.match_repository import MatchRecordRow
from ..db.secrets import generate_id, generate_token
from ..db.user_repository import MAX_LEVEL, User, now_ms
from ..domain.actions import NewEvent
from ..domain.clocks import ClockSettings, NoClock
from ..domain.events import MatchEvent
from ..domain.match import MatchConfig, apply_event, initial_state
from ..errors import ApiError
from ..services import AppServices
from .live_match import LiveMatch

MAX_WAITING_MATCHES = 20  # challenges and invitations that one user may have open
MAX_SPEC_LENGTH = 200
MAX_POSITION_LENGTH = 4000


class OpponentChoice(BaseModel):
    """What all wishes for an opponent share."""

    model_config = ConfigDict(extra="forbid")


class AgainstLevel(OpponentChoice):
    """One of our bots."""

    kind: Literal["bot"] = "bot"
    level: int = Field(ge=1, le=MAX_LEVEL)


class AgainstSelf(OpponentChoice):
    """Two people at one screen, or one who tries things out."""

    kind: Literal["self"] = "self"


class ByInvitation(OpponentChoice):
    """Whoever gets the link."""

    kind: Literal["invitation"] = "invitation"


class OpenChallenge(OpponentChoice):
    """Whoever sees it in the lobby."""

    kind: Literal["open"] = "open"


class AgainstUser(OpponentChoice):
    """Somebody by name; a bot of others sits down at once."""

    kind: Literal["user"] = "user"
    name: str = Field(min_length=1, max_length=40)


Opponent = Annotated[AgainstLevel | AgainstSelf | ByInvitation | OpenChallenge | AgainstUser, Field(discriminator="kind")]


class CreateMatchRequest(BaseModel):
    """A match to be."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["cube-lariat-4"])
    opponent: Opponent
    seat: Literal[0, 1] | None = Field(default=None, description="yours; null: by lot")
    clock: ClockSettings = NoClock()
    rated: bool = Field(default=False, description="accounts and bots only")
    position: str | None = Field(default=None, max_length=MAX_POSITION_LENGTH, description="begin from here; never rated")


@dataclass(frozen=True)
class SeatAssignment:
    """Who sits where: `seats` that are taken, and for whom a free one is kept."""

    origin: str
    seats: tuple[str | None, str | None]
    reserved_for: str | None = None
    is_open: bool = False
    rematch_of: str | None = None


async def create_match(services: AppServices, user: User, wish: CreateMatchRequest) -> tuple[LiveMatch, str | None]:
    """A new match, and the secret of its invitation if it has one."""
    if isinstance(wish.opponent, AgainstLevel):
        services.engine_pool.prioritise(wish.spec)
    game = await services.games.get(wish.spec)
    if isinstance(wish.opponent, AgainstLevel) and wish.opponent.level > len(game.definition.bots):
        raise ApiError("bad-request", f"{game.name} has levels 1 to {len(game.definition.bots)}, not {wish.opponent.level}")
    if wish.position is not None:
        game.position(wish.position)
    settings = MatchConfig(game.spec, wish.clock, wish.rated, wish.position)
    opponent = await find_opponent(services, wish.opponent)
    check_rating_allowed(settings, user, opponent, wish.opponent.kind)
    seat = secrets.randbelow(2) if wish.seat is None else wish.seat
    return await store_match(services, user, settings, assign_seats(user, opponent, wish.opponent.kind, seat))


async def find_opponent(services: AppServices, wish: Opponent) -> User | None:
    """The user that is wished for, if it is a certain one."""
    if isinstance(wish, AgainstLevel):
        return await services.users.find(f"level-{wish.level}")
    if isinstance(wish, AgainstUser):
        return (await services.users.find_by_name(wish.name))[0]
    return None


def check_rating_allowed(settings: MatchConfig, user: User, opponent: User | None, kind: str) -> None:
    """Only what can be compared is rated."""
    if not settings.is_rated:
        return
    if user.kind == "guest" or (opponent is not None and opponent.kind == "guest"):
        raise ApiError("bad-request", "only accounts and bots play rated matches: register first")
    if kind == "self" or settings.initial_position is not None or opponent == user:
        raise ApiError("bad-request", "only matches of two players from the usual start are rated")


def assign_seats(user: User, opponent: User | None, kind: str, seat: int) -> SeatAssignment:
    """Seats for what was wished."""
    if kind == "self" or opponent == user:
        return SeatAssignment("self", (user.id, user.id))
    if opponent is not None and opponent.is_bot:
        return SeatAssignment(kind, order_seats(user.id, opponent.id, seat))
    reserved = None if opponent is None else opponent.id
    return SeatAssignment(kind, order_seats(user.id, None, seat), reserved, is_open=kind == "open")


def order_seats(user: str, other: str | None, seat: int) -> tuple[str | None, str | None]:
    """Two users, the first on a certain seat."""
    return (user, other) if seat == 0 else (other, user)


async def store_match(
    services: AppServices, user: User, settings: MatchConfig, pair: SeatAssignment
) -> tuple[LiveMatch, str | None]:
    """Write a new match down; it begins when both seats are taken."""
    now, full = now_ms(), None not in pair.seats
    if not full:
        await check_waiting_limit(services, user)
    row = MatchRecordRow(
        generate_id(),
        settings,
        user.id,
        now,
        pair.seats,
        pair.origin,
        pair.is_open,
        rematch_of=pair.rematch_of,
        reserved_for=pair.reserved_for,
    )
    state = initial_state(settings)
    first = [MatchEvent(1, now, "begin", None, user.id, {"seats": list(pair.seats)})] if full else []
    for event in first:
        state = apply_event(state, event)
    secret = generate_token() if pair.origin == "invitation" and not full else None
    match = await services.matches.create(row, first, state, build_creation_event(row, now, full), secret)
    services.matches.publish(match, match.log, here=True)
    services.lobby.schedule_refresh()
    return match, secret


def build_creation_event(row: MatchRecordRow, now: int, has_begun: bool) -> MatchEvent | None:
    """What the lobby hears of a new match."""
    if has_begun and row.is_listed:
        return MatchEvent(0, now, "match-began", data={"match": row.id})
    return MatchEvent(0, now, "challenge", data={"match": row.id}) if row.is_open else None


async def check_waiting_limit(services: AppServices, user: User) -> None:
    """Nobody fills the lobby alone."""
    mine = await services.match_repository.list_by_user(user.id, 200)
    if sum(row.status == "waiting" for row in mine) >= MAX_WAITING_MATCHES:
        raise ApiError(
            "too-many", f"you have {MAX_WAITING_MATCHES} matches waiting for players already", limit=MAX_WAITING_MATCHES
        )


async def request_rematch(services: AppServices, match: LiveMatch, user: User) -> LiveMatch:
    """The same again with seats exchanged; the one who asks second sits down at what the first arranged."""
    state = match.state
    if not state.seats_of(user.id):
        raise ApiError("not-your-match", "you have no seat in this match")
    if state.status != "over":
        raise ApiError("not-playing", "the match is not over")
    if state.rematch_id is None:
        await create_rematch(services, match, user)
    new = await services.matches.get(match.state.rematch_id or "")
    if new.state.status == "waiting" and user.id != new.row.created_by:
        await services.matches.join(new, user)
    return new


async def create_rematch(services: AppServices, match: LiveMatch, user: User) -> None:
    """Arrange the next match; should the other have done so at the same time, only one is named in the log."""
    state = match.state
    others = await services.users.find_all(state.seats)
    second, first = (others.get(seat or "") for seat in state.seats)
    if first is None or second is None:
        raise ApiError("not-playing", "one of the players has left")
    both_ready = all(player.is_bot or player == user for player in (first, second))
    seats = (first.id, second.id)
    pair = SeatAssignment(match.row.origin, seats, rematch_of=match.id)
    if not both_ready:
        kept = tuple(seat if seat == user.id else None for seat in seats)
        other = second.id if first == user else first.id
        pair = replace(pair, origin="user", seats=kept, reserved_for=other)  # type: ignore[arg-type]
    new, _ = await store_match(services, user, match.row.config, pair)
    await services.matches.append(
        match, lambda now: find_rematch_event(match) or NewEvent("rematch", None, user.id, {"match": new.id})
    )


def find_rematch_event(match: LiveMatch) -> MatchEvent | None:
    """The event that named the next match, if there was one."""
    return next((event for event in match.log if event.type == "rematch"), None)
