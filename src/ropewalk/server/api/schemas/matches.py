"""Models of matches, with one builder each; HTTP routes and sockets use the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from ...domain import clocks
from ...domain.clocks import ClockSettings
from ...domain.events import EngineStatus, EventType, LobbyEventType, MatchEvent, MatchOrigin
from .games import PositionView, build_position
from .users import RatingChangeView, RatingView, UserView, build_known_user

if TYPE_CHECKING:
    from ...db.match_repository import MatchRecordRow
    from ...db.rating_repository import MatchRating
    from ...db.user_repository import User
    from ...domain.match import MatchState
    from ...matches.live_match import LiveMatch

MatchStatus = Literal["waiting", "playing", "over"]


class SeatRatingView(BaseModel):
    """The Glicko-2 rating of a seat's user in the game of a rated match; after the match once that is rated."""

    rating: float
    deviation: float
    change: float | None = Field(description="by this match; null until it is rated")


class SeatView(BaseModel):
    """A seat. Its colour can change by a swap; its user never changes."""

    seat: int
    user: UserView | None = Field(description="null while the seat is free")
    colour: str
    rating: SeatRatingView | None = Field(description="null in a match that is not rated")


class ClockView(BaseModel):
    """The time that a seat had left at `server_time`."""

    main_ms: int
    periods: int = Field(description="byo-yomi periods, including the running one")
    period_ms: int = Field(description="what is left of the running period")
    running: bool


class PlayedMoveView(BaseModel):
    """A move that was not taken back."""

    seq: int = Field(description="of its event")
    seat: int
    move: str
    timestamp_ms: int


class TakebackView(BaseModel):
    """A request to take back the move of an event."""

    seat: int
    event_seq: int


class ResultView(BaseModel):
    """The result of a match."""

    winner: int | None = Field(description="a seat; null for a draw or a void match")
    colour: str | None = Field(description="of the winner at the end")
    reason: str = Field(description="a reason of the rules, or resign, time, agreement, abandoned")
    is_void: bool = Field(description="the match was aborted and does not count")
    is_declined: bool = Field(description="it is void because the user who was challenged has declined")


class EventView(BaseModel):
    """An event of a match."""

    seq: int
    timestamp_ms: int
    type: EventType
    seat: int | None
    user_id: str | None
    data: dict[str, Any]


class PresenceView(BaseModel):
    """The users who are connected to a match."""

    seats: list[bool] = Field(description="for each seat, whether its user is connected")
    watchers: int


class MatchStateView(BaseModel):
    """The state of a match after its last event."""

    seq: int = Field(description="of the last event")
    position_version: int = Field(description="seq of the event that last changed the board: send it with a move")
    status: MatchStatus
    seat: int | None = Field(description="the seat to move")
    colours: list[str]
    server_time: int
    clocks: list[ClockView] | None
    draw_offered_by: int | None = Field(description="a seat")
    takeback: TakebackView | None
    result: ResultView | None
    rematch_id: str | None
    engine_status: EngineStatus | None = Field(description="of a built-in bot: thinking or warming-up")
    move_count: int
    position: PositionView | None


class MatchView(BaseModel):
    """A match with its settings, moves, chat and state."""

    id: str
    spec: str
    origin: str = Field(description="bot, self, invitation, open, user, import or tournament")
    tournament_id: str | None = Field(description="null unless it belongs to a tournament")
    clock: ClockSettings
    rated: bool
    public: bool = Field(description="everybody may read it; otherwise its players, and spectators with the key")
    spectator_key: str | None = Field(description="the secret of the link /match/ID?key=KEY; null unless you are a player")
    initial_position: str | None = Field(description="null for the start of the game")
    created_at: int
    rematch_of: str | None
    seats: list[SeatView]
    your_seats: list[int]
    moves: list[PlayedMoveView]
    chat: list[EventView]
    presence: PresenceView
    state: MatchStateView
    epoch: str = Field(description="changes when a backup is restored; a socket that goes on `after` an event names it")


class MatchSummary(BaseModel):
    """An entry of a list of matches."""

    id: str
    spec: str
    origin: MatchOrigin
    clock: ClockSettings
    rated: bool
    public: bool
    status: MatchStatus
    created_at: int
    ended_at: int | None
    seats: list[UserView | None]
    ratings: list[int | None] = Field(description="of both seats' users in this game now; null without a rating")
    reserved_for: UserView | None = Field(description="the user whom a challenge by name waits for")
    to_move: str | None = Field(description="a user id")
    winner: int | None
    reason: str | None


class CreateMatchResponse(BaseModel):
    """A new match; one that was created for an invitation can be joined only with its token."""

    match: MatchView
    invitation: str | None = Field(description="the token of the link /join/TOKEN, null if there is none")


class ActionResponse(BaseModel):
    """The event of an action, and the state after it."""

    event: EventView
    state: MatchStateView


class LobbyView(BaseModel):
    """The lobby: open challenges and matches in progress."""

    seq: int = Field(description="of the last event")
    challenges: list[MatchSummary]
    playing: list[MatchSummary]


class LobbyEventView(BaseModel):
    """An event of the lobby, with the match as it is now."""

    seq: int
    timestamp_ms: int
    type: LobbyEventType
    match_id: str
    match: MatchSummary | None


class RelationView(BaseModel):
    """What is between you and another user."""

    muted: bool = Field(description="you do not see their chat messages")
    blocked: bool = Field(description="neither of you can play with the other")
    won: int = Field(description="your wins against them")
    drawn: int
    lost: int


class PlayerView(BaseModel):
    """A player with ratings, rating curve and last matches."""

    user: UserView
    ratings: list[RatingView]
    curve: list[RatingChangeView]
    matches: list[MatchSummary]
    relation: RelationView | None = Field(description="null without a session, and for yourself")


class BotStreamMessage(BaseModel):
    """A line of a bot's stream: the new events of a match, and its state."""

    match_id: str
    spec: str
    initial_position: str | None
    seats: list[int]
    moves: list[str]
    events: list[EventView]
    state: MatchStateView


def build_event(event: MatchEvent, muted: frozenset[str] = frozenset()) -> EventView:
    """Return the view of an event; the chat messages of muted users have no text."""
    is_muted = event.type == "chat-posted" and event.user_id in muted
    return EventView.model_construct(
        seq=event.seq,
        timestamp_ms=event.timestamp_ms,
        type=event.type,
        seat=event.seat,
        user_id=event.user_id,
        data={"text": "", "muted": True} if is_muted else dict(event.data),
    )


def build_match_state(
    state: MatchState, now: int, engine_status: EngineStatus | None, *, with_position: bool = True
) -> MatchStateView:
    """Return the view of a state at a time."""
    takeback = state.takeback
    return MatchStateView.model_construct(
        seq=state.seq,
        position_version=state.position_version,
        status=state.status,
        seat=state.seat,
        colours=list(state.position.colours),
        server_time=now,
        clocks=build_clocks(state, now),
        draw_offered_by=state.draw_offered_by,
        takeback=None if takeback is None else TakebackView(seat=takeback.seat, event_seq=takeback.event_seq),
        result=build_result(state),
        rematch_id=state.rematch_id,
        engine_status=engine_status,
        move_count=len(state.moves),
        position=build_position(state.position) if with_position else None,
    )


def build_clocks(state: MatchState, now: int) -> list[ClockView] | None:
    """Return the views of both clocks, None for a match without clocks."""
    if state.config.clock.kind == "none":
        return None
    return [
        ClockView.model_construct(
            main_ms=left.main_ms, periods=left.periods, period_ms=left.period_ms, running=state.clocks.seat == seat
        )
        for seat, left in enumerate(clocks.read_clocks(state.config.clock, state.clocks, now))
    ]


def build_result(state: MatchState) -> ResultView | None:
    """Return the view of the result, None while there is none."""
    result = state.result
    if result is None:
        return None
    colour = None if result.winner is None else state.position.colours[result.winner]
    is_void = result.reason == "abandoned"
    return ResultView(
        winner=result.winner, colour=colour, reason=result.reason, is_void=is_void, is_declined=result.is_declined
    )


def build_presence(match: LiveMatch) -> PresenceView:
    """Return the view of a match's presence."""
    return PresenceView.model_construct(**match.presence())


def build_match(
    match: LiveMatch,
    users: Mapping[str, User],
    viewer: User | None,
    now: int,
    *,
    muted: frozenset[str] = frozenset(),
    ratings: Sequence[MatchRating | None] = (None, None),
) -> MatchView:
    """Return the view of a match for one user."""
    row, state = match.row, match.state
    your_seats = list(match.seats_of(None if viewer is None else viewer.id))
    return MatchView.model_construct(
        id=row.id,
        spec=row.config.spec,
        origin=row.origin,
        tournament_id=row.tournament_id,
        clock=row.config.clock,
        rated=row.config.is_rated,
        public=state.is_public,
        spectator_key=row.spectator_key if your_seats else None,
        initial_position=row.config.initial_position,
        created_at=row.created_at,
        rematch_of=row.rematch_of,
        seats=build_seats(match, users, ratings),
        your_seats=your_seats,
        moves=[
            PlayedMoveView(seq=move.seq, seat=move.seat, move=move.move, timestamp_ms=move.timestamp_ms)
            for move in state.moves
        ],
        chat=[build_event(event, muted) for event in match.log if event.type == "chat-posted"],
        presence=PresenceView.model_construct(**match.current_presence()),
        state=build_match_state(state, now, match.engine_status),
        epoch=match.epoch,
    )


def build_seats(
    match: LiveMatch, users: Mapping[str, User], ratings: Sequence[MatchRating | None] = (None, None)
) -> list[SeatView]:
    """Return the views of both seats, with their current colours, and their ratings in a rated match."""
    colours = match.state.position.colours
    return [
        SeatView(seat=seat, user=build_known_user(users, user_id), colour=colours[seat], rating=build_seat_rating(rating))
        for seat, (user_id, rating) in enumerate(zip(match.seats, ratings, strict=True))
    ]


def build_seat_rating(rating: MatchRating | None) -> SeatRatingView | None:
    """Return the view of a player's rating in a match, None if there is none."""
    return None if rating is None else SeatRatingView(**rating._asdict())


def build_summary(
    row: MatchRecordRow, users: Mapping[str, User], ratings: Sequence[int | None] = (None, None)
) -> MatchSummary:
    """Return the entry of a match in a list."""
    return MatchSummary.model_construct(
        id=row.id,
        spec=row.config.spec,
        origin=row.origin,
        clock=row.config.clock,
        rated=row.config.is_rated,
        public=row.config.is_public,
        status=row.status,
        created_at=row.created_at,
        ended_at=row.ended_at,
        seats=[build_known_user(users, user_id) for user_id in row.seats],
        ratings=list(ratings),
        reserved_for=build_known_user(users, row.reserved_for),
        to_move=row.to_move_user_id,
        winner=row.winner_seat,
        reason=row.end_reason,
    )
