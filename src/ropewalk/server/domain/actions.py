"""Actions of players in a match, and the functions that turn a permitted action into an event without storing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from ..errors import ApiError
from .clocks import require_tag
from .events import EventType, MatchEvent
from .match import MatchState, PlayedMove

MAX_CHAT_LENGTH = 300
MAX_REQUEST_ID_LENGTH = 64
MAX_MOVE_LENGTH = 40
MAX_POSITION_LENGTH = 4000
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"  # databases differ in whether they store control characters
WITHOUT_NUL = r"^[^\x00]*$"
MAX_SEATS_MOVED_BEFORE_ABORT = 2  # a match can be aborted until both have moved


def reject_boolean(value: Any) -> Any:
    """Return a value unless it is true or false, which are integers in Python but not in JSON."""
    if isinstance(value, bool):
        raise ValueError("must be an integer, not true or false")
    return value


Integer = Annotated[int, BeforeValidator(reject_boolean)]  # in requests


class Action(BaseModel):
    """An action of a player in a match. Requests are idempotent: a repeated `request_id` is performed once."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=require_tag("type"))
    request_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_REQUEST_ID_LENGTH,
        pattern=PRINTABLE,
        description="chosen by the client",
    )


class Move(Action):
    """Play one move, in the position of the given version."""

    type: Literal["move"] = "move"
    move: str = Field(min_length=1, max_length=MAX_MOVE_LENGTH, pattern=PRINTABLE)
    position_version: Integer = Field(ge=0, le=2**31 - 1)


class RequestTakeback(Action):
    """Request to take back a move of yours and all moves after it."""

    type: Literal["request-takeback"] = "request-takeback"
    event_seq: Integer = Field(ge=1, le=2**31 - 1)


class AnswerTakeback(Action):
    """Accept or decline the opponent's takeback request."""

    type: Literal["answer-takeback"] = "answer-takeback"
    event_seq: Integer = Field(ge=1, le=2**31 - 1)
    accept: bool


class OfferDraw(Action):
    """Offer a draw, in a game that has draws."""

    type: Literal["offer-draw"] = "offer-draw"


class AnswerDraw(Action):
    """Accept or decline the opponent's draw offer."""

    type: Literal["answer-draw"] = "answer-draw"
    accept: bool


class Resign(Action):
    """Resign the match; the opponent wins."""

    type: Literal["resign"] = "resign"


class Abort(Action):
    """Abort a match before both players have moved, or a match that still waits for an opponent."""

    type: Literal["abort"] = "abort"


class Chat(Action):
    """Post a chat message."""

    type: Literal["chat"] = "chat"
    text: str = Field(min_length=1, max_length=MAX_CHAT_LENGTH)


class Publish(Action):
    """Make a private match public, with its chat, for good."""

    type: Literal["publish"] = "publish"


AnyAction = Annotated[
    Move | RequestTakeback | AnswerTakeback | OfferDraw | AnswerDraw | Resign | Abort | Chat | Publish,
    Field(discriminator="type"),
]
ACTION_ADAPTER: TypeAdapter[Action] = TypeAdapter(AnyAction)


@dataclass(frozen=True)
class NewEvent:
    """An event that is not stored yet."""

    type: EventType
    seat: int | None = None
    user_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None


@dataclass(frozen=True)
class Actor:
    """The user who performs an action."""

    user_id: str
    opponent_is_bot: bool = False  # a built-in bot, which accepts takebacks
    has_bot_in_match: bool = False  # a seat is that of a built-in or external bot
    engine_info: Mapping[str, str] = field(default_factory=dict)  # of a built-in bot: version and net


def decide(state: MatchState, actor: Actor, action: Action, now: int) -> NewEvent:
    """Return the event of an action.

    The legality of a move is checked only when its event is applied to the state.

    Raises:
        ApiError: The action is not allowed.
    """
    seats = state.seats_of(actor.user_id)
    if not seats:
        raise ApiError("not-your-match", "you are not a player of this match; you can only watch it")
    return DECISIONS[type(action)](state, actor, action, now)


def decide_move(state: MatchState, actor: Actor, action: Move, now: int) -> NewEvent:
    """Return the event of a move, if the user is to move and the request names the current position version."""
    require_playing(state)
    if action.position_version != state.position_version:
        raise ApiError(
            "stale",
            f"position_version {action.position_version} is outdated; the current version is {state.position_version}",
        )
    assert state.seat is not None
    if state.seats[state.seat] != actor.user_id:
        raise ApiError("not-your-turn", f"it is not your turn; {state.position.colours[state.seat]} is to move")
    require_time(state, now)
    state.position.game.move_id(action.move)  # raises for the text of a whole turn: an event is a single move
    engine = {"engine": dict(actor.engine_info)} if actor.engine_info else {}
    return NewEvent("move-played", state.seat, actor.user_id, {"move": action.move} | engine, action.request_id)


def decide_takeback_request(state: MatchState, actor: Actor, action: RequestTakeback, now: int) -> NewEvent:
    """Return the event of a takeback request; without a human opponent it is accepted at once."""
    require_playing(state)
    if state.config.is_rated and actor.has_bot_in_match:
        raise ApiError("no-takebacks", "rated matches with a bot have no takebacks; play on, or resign")
    require_time(state, now)
    requested = find_move(state, action.event_seq)
    if state.seats[requested.seat] != actor.user_id:
        raise ApiError(
            "not-yours", f"you cannot take back {requested.move} (event {action.event_seq}), because it is not your move"
        )
    is_accepted = actor.opponent_is_bot or len(state.seats_of(actor.user_id)) == 2
    kind: EventType = "takeback-accepted" if is_accepted else "takeback-requested"
    return NewEvent(kind, requested.seat, actor.user_id, {"event_seq": action.event_seq}, action.request_id)


def decide_takeback_answer(state: MatchState, actor: Actor, action: AnswerTakeback, now: int) -> NewEvent:
    """Return the event that accepts or declines the open takeback request."""
    require_playing(state)
    require_time(state, now)
    request = state.takeback
    if request is None or request.event_seq != action.event_seq:
        raise ApiError("no-such-offer", f"there is no open takeback request for event {action.event_seq}")
    seat = answering_seat(state, actor, request.seat)
    return NewEvent(
        "takeback-accepted" if action.accept else "takeback-declined",
        seat,
        actor.user_id,
        {"event_seq": action.event_seq},
        action.request_id,
    )


def decide_draw_offer(state: MatchState, actor: Actor, action: OfferDraw, now: int) -> NewEvent:
    """Return the event of a draw offer, which is open until the opponent moves or declines."""
    require_playing(state)
    require_time(state, now)
    if not state.position.game.can_repeat:
        raise ApiError("no-draws", f"{state.position.game.name} has no draws")
    if state.draw_offered_by is not None:
        raise ApiError("no-such-offer", "a draw offer is already open")
    return NewEvent("draw-offered", acting_seat(state, actor), actor.user_id, {}, action.request_id)


def decide_draw_answer(state: MatchState, actor: Actor, action: AnswerDraw, now: int) -> NewEvent:
    """Return the event that accepts or declines the open draw offer."""
    require_playing(state)
    require_time(state, now)
    if state.draw_offered_by is None:
        raise ApiError("no-such-offer", "there is no open draw offer")
    seat = answering_seat(state, actor, state.draw_offered_by)
    return NewEvent("draw-accepted" if action.accept else "draw-declined", seat, actor.user_id, {}, action.request_id)


def decide_resignation(state: MatchState, actor: Actor, action: Resign, now: int) -> NewEvent:
    """Return the event of a resignation."""
    require_playing(state)
    require_time(state, now)
    return NewEvent("resigned", acting_seat(state, actor), actor.user_id, {}, action.request_id)


def decide_abort(state: MatchState, actor: Actor, action: Abort, now: int) -> NewEvent:
    """Return the event that aborts the match, which then has no winner."""
    if state.status == "over":
        raise ApiError("not-playing", "the match is over")
    if len({move.seat for move in state.moves}) >= MAX_SEATS_MOVED_BEFORE_ABORT:
        raise ApiError(
            "too-late",
            "a match cannot be aborted after both players have moved; resign instead",
            limit=MAX_SEATS_MOVED_BEFORE_ABORT,
        )
    return NewEvent("aborted", None, actor.user_id, {}, action.request_id)


def decide_chat(state: MatchState, actor: Actor, action: Chat, now: int) -> NewEvent:
    """Return the event of a chat message; characters that are not printable are replaced by spaces."""
    text = clean_text(action.text)
    if not text:
        raise ApiError("bad-request", "the chat message is empty")
    return NewEvent("chat-posted", acting_seat(state, actor), actor.user_id, {"text": text}, action.request_id)


def decide_publication(state: MatchState, actor: Actor, action: Publish, now: int) -> NewEvent:
    """Return the event that makes a private match public."""
    if state.is_public:
        raise ApiError("already-public", "this match is public already")
    return NewEvent("match-published", acting_seat(state, actor), actor.user_id, {}, action.request_id)


def clean_text(text: str) -> str:
    """Return a chat message without characters that are not printable, and without spaces around it."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


DECISIONS: dict[type[Action], Callable[..., NewEvent]] = {
    Move: decide_move,
    RequestTakeback: decide_takeback_request,
    AnswerTakeback: decide_takeback_answer,
    OfferDraw: decide_draw_offer,
    AnswerDraw: decide_draw_answer,
    Resign: decide_resignation,
    Abort: decide_abort,
    Chat: decide_chat,
    Publish: decide_publication,
}


PLAIN_EVENT_TYPES: dict[type[Action], EventType] = {
    OfferDraw: "draw-offered",
    Resign: "resigned",
    Abort: "aborted",
    Publish: "match-published",
}


def is_event_of(event: MatchEvent, action: Action) -> bool:
    """Return whether an event can be that of an action: its type and its data are those that the action leads to."""
    match action:
        case Move():
            return event.type == "move-played" and event.data["move"] == action.move
        case RequestTakeback():
            types: tuple[EventType, ...] = ("takeback-requested", "takeback-accepted")
            return event.type in types and event.data["event_seq"] == action.event_seq
        case AnswerTakeback():
            type_: EventType = "takeback-accepted" if action.accept else "takeback-declined"
            return event.type == type_ and event.data["event_seq"] == action.event_seq
        case AnswerDraw():
            return event.type == ("draw-accepted" if action.accept else "draw-declined")
        case Chat():
            return event.type == "chat-posted" and event.data["text"] == clean_text(action.text)
    return event.type == PLAIN_EVENT_TYPES[type(action)]


def find_timeout(state: MatchState, now: int) -> NewEvent | None:
    """Return the timeout event of the seat to move, None if it has time left."""
    timeout_at = state.timeout_at()
    return NewEvent("timed-out", state.seat) if timeout_at is not None and now >= timeout_at else None


def require_playing(state: MatchState) -> None:
    """Raise ApiError `not-playing` unless the match is in progress."""
    if state.status == "waiting":
        raise ApiError("not-playing", "the match is still waiting for a second player")
    if state.status == "over":
        raise ApiError("not-playing", "the match is over")


def require_time(state: MatchState, now: int) -> None:
    """Raise ApiError `too-late` if the seat to move has run out of time; the caller then stores the timeout."""
    if find_timeout(state, now) is not None:
        raise ApiError("too-late", "the time has run out")


def find_move(state: MatchState, seq: int) -> PlayedMove:
    """Return the move of an event. Raises ApiError if the event is not a move or was taken back."""
    move = state.find_move(seq)
    if move is None:
        raise ApiError("no-such-offer", f"event {seq} is not a move in the current line of the match")
    return move


def acting_seat(state: MatchState, actor: Actor) -> int:
    """Return the seat that a user acts for: the one to move if the user has both."""
    seats = state.seats_of(actor.user_id)
    return state.seat if state.seat in seats and state.seat is not None else seats[0]


def answering_seat(state: MatchState, actor: Actor, requesting_seat: int) -> int:
    """Return the opponent's seat of `requesting_seat`. Raises ApiError if it is not the user's."""
    if state.seats[1 - requesting_seat] != actor.user_id:
        raise ApiError("not-yours", "only the other player can answer this request")
    return 1 - requesting_seat
