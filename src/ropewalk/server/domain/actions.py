"""What people may do in a match, and the event that each deed becomes; nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ..errors import ApiError
from .events import EventType
from .match import MatchState, PlayedMove

MAX_CHAT_LENGTH = 300
MAX_REQUEST_ID_LENGTH = 64
MAX_MOVE_LENGTH = 40
MAX_SEATS_MOVED_BEFORE_ABORT = 2  # a match can be aborted until both have moved


class Action(BaseModel):
    """What a player does in a match. Requests are idempotent: a repeated `request_id` is performed once."""

    model_config = ConfigDict(extra="forbid")
    request_id: str | None = Field(
        default=None, min_length=1, max_length=MAX_REQUEST_ID_LENGTH, description="chosen by the client"
    )


class Move(Action):
    """Play one move, in the position of the given version."""

    type: Literal["move"] = "move"
    move: str = Field(min_length=1, max_length=MAX_MOVE_LENGTH)
    position_version: int = Field(ge=0, le=2**31 - 1)


class RequestTakeback(Action):
    """Request to take back one's own move and all that followed."""

    type: Literal["request-takeback"] = "request-takeback"
    event_seq: int = Field(ge=1, le=2**31 - 1)


class AnswerTakeback(Action):
    """Accept or decline the opponent's takeback request."""

    type: Literal["answer-takeback"] = "answer-takeback"
    event_seq: int = Field(ge=1, le=2**31 - 1)
    accept: bool


class OfferDraw(Action):
    """Offer a draw, in a game that has draws."""

    type: Literal["offer-draw"] = "offer-draw"


class AnswerDraw(Action):
    """Accept or decline the opponent's draw offer."""

    type: Literal["answer-draw"] = "answer-draw"
    accept: bool


class Resign(Action):
    """Resign the match."""

    type: Literal["resign"] = "resign"


class Abort(Action):
    """Abort a match before both players have moved, or one that nobody has joined."""

    type: Literal["abort"] = "abort"


class Chat(Action):
    """Post a chat message."""

    type: Literal["chat"] = "chat"
    text: str = Field(min_length=1, max_length=MAX_CHAT_LENGTH)


AnyAction = Annotated[
    Move | RequestTakeback | AnswerTakeback | OfferDraw | AnswerDraw | Resign | Abort | Chat, Field(discriminator="type")
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
    engine_info: Mapping[str, str] = field(default_factory=dict)  # of a built-in bot: version and net


def decide(state: MatchState, actor: Actor, action: Action, now: int) -> NewEvent:
    """The event that a deed becomes, or a refusal."""
    seats = state.seats_of(actor.user_id)
    if not seats:
        raise ApiError("not-your-match", "you have no seat in this match: you can watch it")
    return DECISIONS[type(action)](state, actor, action, now)


def decide_move(state: MatchState, actor: Actor, action: Move, now: int) -> NewEvent:
    """A step, if it is this user's turn and the board is what they saw; whether it is legal shows when it is played."""
    require_playing(state)
    if action.position_version != state.position_version:
        raise ApiError(
            "stale", f"the board has changed since event {action.position_version}: it stands at {state.position_version}"
        )
    assert state.seat is not None
    if state.seats[state.seat] != actor.user_id:
        raise ApiError("not-your-turn", f"{state.position.colours[state.seat]} is to move, and that is not you")
    require_time(state, now)
    state.position.game.move_id(action.move)  # one step, not a whole turn
    engine = {"engine": dict(actor.engine_info)} if actor.engine_info else {}
    return NewEvent("move-played", state.seat, actor.user_id, {"move": action.move} | engine, action.request_id)


def decide_takeback_request(state: MatchState, actor: Actor, action: RequestTakeback, now: int) -> NewEvent:
    """A wish; who plays both seats, or plays a bot, gets it at once."""
    require_playing(state)
    require_time(state, now)
    meant = find_move(state, action.event_seq)
    if state.seats[meant.seat] != actor.user_id:
        raise ApiError("not-yours", f"step {meant.move} of event {action.event_seq} is not yours to take back")
    at_once = actor.opponent_is_bot or len(state.seats_of(actor.user_id)) == 2
    kind: EventType = "takeback-accepted" if at_once else "takeback-requested"
    return NewEvent(kind, meant.seat, actor.user_id, {"event_seq": action.event_seq}, action.request_id)


def decide_takeback_answer(state: MatchState, actor: Actor, action: AnswerTakeback, now: int) -> NewEvent:
    """Yes or no to the wish that stands."""
    require_playing(state)
    require_time(state, now)
    wish = state.takeback
    if wish is None or wish.event_seq != action.event_seq:
        raise ApiError("no-such-offer", f"nobody asks to take back event {action.event_seq}")
    seat = answering_seat(state, actor, wish.seat)
    return NewEvent(
        "takeback-accepted" if action.accept else "takeback-declined",
        seat,
        actor.user_id,
        {"event_seq": action.event_seq},
        action.request_id,
    )


def decide_draw_offer(state: MatchState, actor: Actor, action: OfferDraw, now: int) -> NewEvent:
    """An offer that stands until the other moves or declines."""
    require_playing(state)
    require_time(state, now)
    if not state.position.game.can_repeat:
        raise ApiError("no-draws", f"{state.position.game.name} has no draws")
    if state.draw_offered_by is not None:
        raise ApiError("no-such-offer", "a draw is offered already")
    return NewEvent("draw-offered", acting_seat(state, actor), actor.user_id, {}, action.request_id)


def decide_draw_answer(state: MatchState, actor: Actor, action: AnswerDraw, now: int) -> NewEvent:
    """Yes or no to the offer that stands."""
    require_playing(state)
    require_time(state, now)
    if state.draw_offered_by is None:
        raise ApiError("no-such-offer", "no draw is offered")
    seat = answering_seat(state, actor, state.draw_offered_by)
    return NewEvent("draw-accepted" if action.accept else "draw-declined", seat, actor.user_id, {}, action.request_id)


def decide_resignation(state: MatchState, actor: Actor, action: Resign, now: int) -> NewEvent:
    """The match is given up."""
    require_playing(state)
    require_time(state, now)
    return NewEvent("resigned", acting_seat(state, actor), actor.user_id, {}, action.request_id)


def decide_abort(state: MatchState, actor: Actor, action: Abort, now: int) -> NewEvent:
    """The match does not count."""
    if state.status == "over":
        raise ApiError("not-playing", "the match is over")
    if len({step.seat for step in state.moves}) >= MAX_SEATS_MOVED_BEFORE_ABORT:
        raise ApiError("too-late", "both have moved: resign instead", limit=MAX_SEATS_MOVED_BEFORE_ABORT)
    return NewEvent("aborted", None, actor.user_id, {}, action.request_id)


def decide_chat(state: MatchState, actor: Actor, action: Chat, now: int) -> NewEvent:
    """Words, without what no screen should be sent."""
    text = "".join(letter if letter.isprintable() else " " for letter in action.text).strip()
    if not text:
        raise ApiError("bad-request", "there is nothing to say in that")
    return NewEvent("chat-posted", acting_seat(state, actor), actor.user_id, {"text": text}, action.request_id)


DECISIONS: dict[type[Action], Callable[..., NewEvent]] = {
    Move: decide_move,
    RequestTakeback: decide_takeback_request,
    AnswerTakeback: decide_takeback_answer,
    OfferDraw: decide_draw_offer,
    AnswerDraw: decide_draw_answer,
    Resign: decide_resignation,
    Abort: decide_abort,
    Chat: decide_chat,
}


def find_timeout(state: MatchState, now: int) -> NewEvent | None:
    """The flag of the seat to move, if it has fallen."""
    falls = state.timeout_at()
    return NewEvent("timed-out", state.seat) if falls is not None and now >= falls else None


def require_playing(state: MatchState) -> None:
    """Refuse what needs a match that goes on."""
    if state.status == "waiting":
        raise ApiError("not-playing", "the match waits for a second player")
    if state.status == "over":
        raise ApiError("not-playing", "the match is over")


def require_time(state: MatchState, now: int) -> None:
    """Refuse what comes after the flag; whoever wrote this deed down calls it."""
    if find_timeout(state, now) is not None:
        raise ApiError("too-late", "time is up")


def find_move(state: MatchState, number: int) -> PlayedMove:
    """The step that an event made, if it was not taken back."""
    meant = state.find_move(number)
    if meant is None:
        raise ApiError("no-such-offer", f"event {number} is no step that stands")
    return meant


def acting_seat(state: MatchState, actor: Actor) -> int:
    """The seat that a user acts for: at a hot seat the one to move."""
    seats = state.seats_of(actor.user_id)
    return state.seat if state.seat in seats and state.seat is not None else seats[0]


def answering_seat(state: MatchState, actor: Actor, asking: int) -> int:
    """The seat that answers the asking one, if it is this user's."""
    if state.seats[1 - asking] != actor.user_id:
        raise ApiError("not-yours", "only the other player can answer that")
    return 1 - asking
