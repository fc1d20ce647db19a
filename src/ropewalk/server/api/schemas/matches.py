"""Matches as clients see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field
from pydantic_core import to_json

from ...domain import clocks
from ...domain.clocks import ClockSettings
from ...domain.events import MatchEvent
from .games import PositionView, build_position
from .users import RatingChangeView, RatingView, UserView, build_known_user

if TYPE_CHECKING:
    from ...db.match_repository import MatchRecordRow
    from ...db.user_repository import User
    from ...domain.match import MatchState
    from ...matches.live_match import LiveMatch


def serialise(value: Any) -> str:
    """Anything as JSON."""
    return to_json(value).decode()


class SeatView(BaseModel):
    """A seat; its colour can change by a swap, its user never does."""

    seat: int
    user: UserView | None = Field(description="null while it is free")
    colour: str


class ClockView(BaseModel):
    """What a seat had left at `server_time`, in milliseconds."""

    main: int
    periods: int = Field(description="of byo-yomi, the one that runs included")
    period: int = Field(description="what is left of the one that runs")
    running: bool


class PlayedMoveView(BaseModel):
    """A step that stands."""

    number: int = Field(description="of its event")
    seat: int
    move: str
    at: int


class TakebackView(BaseModel):
    """A wish to take back the step of an event."""

    seat: int
    of: int


class ResultView(BaseModel):
    """How a match ended."""

    winner: int | None = Field(description="a seat; null: drawn, or it does not count")
    colour: str | None = Field(description="that the winner had at the end")
    reason: str = Field(description="the rules' reason, or resign, time, agreement, abandoned")
    counts: bool


class EventView(BaseModel):
    """Something that happened."""

    number: int
    at: int
    kind: str
    seat: int | None
    user: str | None
    data: dict[str, Any]


class MatchStateView(BaseModel):
    """How a match stands after its last event."""

    number: int = Field(description="of the last event")
    standing: int = Field(description="of the event that made the board what it is: say it with a move")
    status: str = Field(description="waiting, playing or over")
    seat: int | None = Field(description="to move")
    colours: list[str]
    server_time: int
    clocks: list[ClockView] | None
    draw_offer: int | None = Field(description="by this seat")
    takeback: TakebackView | None
    result: ResultView | None
    rematch: str | None
    bot: str | None = Field(description="what our bot is doing: thinking, or warming up")
    steps: int = Field(description="how many stand")
    position: PositionView | None


class MatchView(BaseModel):
    """A match, whole."""

    id: str
    spec: str
    kind: str
    clock: ClockSettings
    rated: bool
    start: str | None = Field(description="the text of the position it began from, if not the usual one")
    created_at: int
    rematch_of: str | None
    seats: list[SeatView]
    yours: list[int] = Field(description="seats that are yours")
    steps: list[PlayedMoveView]
    chat: list[EventView]
    present: dict[str, Any]
    now: MatchStateView


class MatchSummary(BaseModel):
    """A match in a list."""

    id: str
    spec: str
    kind: str
    clock: ClockSettings
    rated: bool
    status: str
    created_at: int
    ended_at: int | None
    seats: list[UserView | None]
    to_move: str | None = Field(description="a user's id")
    winner: int | None
    reason: str | None


class CreateMatchResponse(BaseModel):
    """A new match; one that was created for an invitation can be joined only with its token."""

    match: MatchView
    invitation: str | None = Field(description="a secret for the link /join/SECRET, null where there is none")


class ActionResponse(BaseModel):
    """The event of an action, and the state after it."""

    event: EventView
    now: MatchStateView


class LobbyView(BaseModel):
    """The lobby."""

    number: int = Field(description="of the last event")
    challenges: list[MatchSummary]
    playing: list[MatchSummary]


class PlayerView(BaseModel):
    """A player's page."""

    user: UserView
    ratings: list[RatingView]
    curve: list[RatingChangeView]
    matches: list[MatchSummary]


class BotStreamMessage(BaseModel):
    """A line of a bot's stream: the new events of a match, and its state."""

    match: str
    spec: str
    start: str | None
    seats: list[int]
    moves: list[str]
    events: list[EventView]
    now: MatchStateView


def build_event(event: MatchEvent, muted: frozenset[str] = frozenset()) -> EventView:
    """An event; of what the reader does not want to hear only that it was said."""
    return EventView.model_validate(event_fields(event, muted))


def serialise_event(event: MatchEvent, muted: frozenset[str] = frozenset()) -> str:
    """An event as JSON, without the detour: sockets send many."""
    return serialise(event_fields(event, muted))


def event_fields(event: MatchEvent, muted: frozenset[str] = frozenset()) -> dict[str, Any]:
    """An event, ready to be JSON."""
    silent = event.type == "chat" and event.user_id in muted
    data = {"text": "", "muted": True} if silent else event.data
    return {
        "number": event.seq,
        "at": event.timestamp_ms,
        "kind": event.type,
        "seat": event.seat,
        "user": event.user_id,
        "data": data,
    }


def build_match_state(state: MatchState, now: int, bot: str | None) -> MatchStateView:
    """How a match stands."""
    view = MatchStateView.model_validate(match_state_fields(state, now, bot) | {"position": None})
    view.position = build_position(state.position)  # nothing to check: it comes from ourselves
    return view


def serialise_match_state(state: MatchState, now: int, bot: str | None, *, with_position: bool) -> str:
    """How a match stands as JSON, without the detour: sockets send many."""
    position = build_position(state.position).model_dump_json() if with_position else "null"
    return f'{serialise(match_state_fields(state, now, bot))[:-1]},"position":{position}}}'


def match_state_fields(state: MatchState, now: int, bot: str | None) -> dict[str, Any]:
    """How a match stands, but for its position."""
    wish = state.takeback
    return {
        "number": state.seq,
        "standing": state.position_version,
        "status": state.status,
        "seat": state.seat,
        "colours": state.position.colours,
        "server_time": now,
        "clocks": clock_fields(state, now),
        "draw_offer": state.draw_offered_by,
        "takeback": None if wish is None else {"seat": wish.seat, "of": wish.event_seq},
        "result": result_fields(state),
        "rematch": state.rematch_id,
        "bot": bot,
        "steps": len(state.moves),
    }


def clock_fields(state: MatchState, now: int) -> list[dict[str, Any]] | None:
    """Both clocks, None without any."""
    if state.config.clock.kind == "none":
        return None
    left = clocks.read_clocks(state.config.clock, state.clocks, now)
    return [
        {"main": mine.main_ms, "periods": mine.periods, "period": mine.period_ms, "running": state.clocks.seat == seat}
        for seat, mine in enumerate(left)
    ]


def result_fields(state: MatchState) -> dict[str, Any] | None:
    """The result."""
    result = state.result
    if result is None:
        return None
    colour = None if result.winner is None else state.position.colours[result.winner]
    return {"winner": result.winner, "colour": colour, "reason": result.reason, "counts": result.reason != "abandoned"}


def build_match(
    match: LiveMatch, users: Mapping[str, User], viewer: User | None, now: int, muted: frozenset[str] = frozenset()
) -> MatchView:
    """A match for one viewer."""
    row, state = match.row, match.state
    return MatchView.model_construct(
        id=row.id,
        spec=row.config.spec,
        kind=row.origin,
        clock=row.config.clock,
        rated=row.config.is_rated,
        start=row.config.initial_position,
        created_at=row.created_at,
        rematch_of=row.rematch_of,
        seats=build_seats(match, users),
        yours=list(match.seats_of(None if viewer is None else viewer.id)),
        steps=[
            PlayedMoveView(number=step.seq, seat=step.seat, move=step.move, at=step.timestamp_ms) for step in state.moves
        ],
        chat=[build_event(event, muted) for event in match.log if event.type == "chat"],
        present=match.presence(),
        now=build_match_state(state, now, match.engine_status),
    )


def build_seats(match: LiveMatch, users: Mapping[str, User]) -> list[SeatView]:
    """Both seats, with their colours as they are now."""
    colours = match.state.position.colours
    return [
        SeatView(seat=seat, user=build_known_user(users, user), colour=colours[seat])
        for seat, user in enumerate(match.seats)
    ]


def build_summary(row: MatchRecordRow, users: Mapping[str, User]) -> MatchSummary:
    """A match in a list."""
    return MatchSummary(
        id=row.id,
        spec=row.config.spec,
        kind=row.origin,
        clock=row.config.clock,
        rated=row.config.is_rated,
        status=row.status,
        created_at=row.created_at,
        ended_at=row.ended_at,
        seats=[build_known_user(users, user) for user in row.seats],
        to_move=row.to_move_user_id,
        winner=row.winner_seat,
        reason=row.end_reason,
    )
