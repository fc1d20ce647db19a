"""What people may do in a match, and the event that each deed becomes; nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ..errors import Refusal
from .events import Kind
from .match import PlayedMove, State

LONGEST_CHAT = 300
LONGEST_CLIENT_ID = 64
LONGEST_MOVE = 40
TURNS_BEFORE_A_GAME = 2  # a match can be aborted until both have moved


class Deed(BaseModel):
    """What all deeds share: the client's own id, by which the server knows a repetition."""

    model_config = ConfigDict(extra="forbid")
    id: str | None = Field(default=None, min_length=1, max_length=LONGEST_CLIENT_ID, description="repeat it to be sure")


class Move(Deed):
    """Play one step. `after` is the match's `standing`: what the player saw when they chose it."""

    do: Literal["move"] = "move"
    move: str = Field(min_length=1, max_length=LONGEST_MOVE)
    after: int = Field(ge=0, le=2**31 - 1)


class AskTakeback(Deed):
    """Ask to take back one's own step, named by its event's number, and all that followed."""

    do: Literal["ask-takeback"] = "ask-takeback"
    of: int = Field(ge=1, le=2**31 - 1)


class AnswerTakeback(Deed):
    """Answer the other's wish to take a step back."""

    do: Literal["answer-takeback"] = "answer-takeback"
    of: int = Field(ge=1, le=2**31 - 1)
    accept: bool


class OfferDraw(Deed):
    """Offer a draw, in a game that has draws."""

    do: Literal["offer-draw"] = "offer-draw"


class AnswerDraw(Deed):
    """Answer the other's offer of a draw."""

    do: Literal["answer-draw"] = "answer-draw"
    accept: bool


class Resign(Deed):
    """Give the match up."""

    do: Literal["resign"] = "resign"


class Abort(Deed):
    """End a match that has hardly begun, or one that nobody has joined; it does not count."""

    do: Literal["abort"] = "abort"


class Chat(Deed):
    """Say something to the table."""

    do: Literal["chat"] = "chat"
    text: str = Field(min_length=1, max_length=LONGEST_CHAT)


AnyDeed = Annotated[
    Move | AskTakeback | AnswerTakeback | OfferDraw | AnswerDraw | Resign | Abort | Chat, Field(discriminator="do")
]
DEEDS: TypeAdapter[Deed] = TypeAdapter(AnyDeed)


@dataclass(frozen=True)
class Draft:
    """An event that is not yet written."""

    kind: Kind
    seat: int | None = None
    user: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    client: str | None = None


@dataclass(frozen=True)
class Doer:
    """Who does something: a user, and what matters of the match beside its log."""

    user: str
    opponent_is_bot: bool = False  # one of ours, which lets people take moves back
    mind: Mapping[str, str] = field(default_factory=dict)  # of one of our bots: its version and net, for records


def drafted(state: State, doer: Doer, deed: Deed, now: int) -> Draft:
    """The event that a deed becomes, or a refusal."""
    seats = state.seats_of(doer.user)
    if not seats:
        raise Refusal("not-your-match", "you have no seat in this match: you can watch it")
    return DRAFTS[type(deed)](state, doer, deed, now)


def move(state: State, doer: Doer, deed: Move, now: int) -> Draft:
    """A step, if it is this user's turn and the board is what they saw; whether it is legal shows when it is played."""
    require_playing(state)
    if deed.after != state.standing:
        raise Refusal("stale", f"the board has changed since event {deed.after}: it stands at {state.standing}")
    assert state.seat is not None
    if state.seats[state.seat] != doer.user:
        raise Refusal("not-your-turn", f"{state.position.colours[state.seat]} is to move, and that is not you")
    require_time(state, now)
    state.position.game.move_id(deed.move)  # one step, not a whole turn
    by = {"by": dict(doer.mind)} if doer.mind else {}
    return Draft("step", state.seat, doer.user, {"move": deed.move} | by, deed.id)


def ask_takeback(state: State, doer: Doer, deed: AskTakeback, now: int) -> Draft:
    """A wish; who plays both seats, or plays a bot, gets it at once."""
    require_playing(state)
    require_time(state, now)
    meant = standing_step(state, deed.of)
    if state.seats[meant.seat] != doer.user:
        raise Refusal("not-yours", f"step {meant.move} of event {deed.of} is not yours to take back")
    at_once = doer.opponent_is_bot or len(state.seats_of(doer.user)) == 2
    kind: Kind = "takeback-accepted" if at_once else "takeback-asked"
    return Draft(kind, meant.seat, doer.user, {"of": deed.of}, deed.id)


def answer_takeback(state: State, doer: Doer, deed: AnswerTakeback, now: int) -> Draft:
    """Yes or no to the wish that stands."""
    require_playing(state)
    require_time(state, now)
    wish = state.takeback
    if wish is None or wish.of != deed.of:
        raise Refusal("no-such-offer", f"nobody asks to take back event {deed.of}")
    seat = other_seat(state, doer, wish.seat)
    return Draft("takeback-accepted" if deed.accept else "takeback-declined", seat, doer.user, {"of": deed.of}, deed.id)


def offer_draw(state: State, doer: Doer, deed: OfferDraw, now: int) -> Draft:
    """An offer that stands until the other moves or declines."""
    require_playing(state)
    require_time(state, now)
    if not state.position.game.can_repeat:
        raise Refusal("no-draws", f"{state.position.game.name} has no draws")
    if state.draw_offer is not None:
        raise Refusal("no-such-offer", "a draw is offered already")
    return Draft("draw-offered", acting_seat(state, doer), doer.user, {}, deed.id)


def answer_draw(state: State, doer: Doer, deed: AnswerDraw, now: int) -> Draft:
    """Yes or no to the offer that stands."""
    require_playing(state)
    require_time(state, now)
    if state.draw_offer is None:
        raise Refusal("no-such-offer", "no draw is offered")
    seat = other_seat(state, doer, state.draw_offer)
    return Draft("draw-accepted" if deed.accept else "draw-declined", seat, doer.user, {}, deed.id)


def resign(state: State, doer: Doer, deed: Resign, now: int) -> Draft:
    """The match is given up."""
    require_playing(state)
    require_time(state, now)
    return Draft("resigned", acting_seat(state, doer), doer.user, {}, deed.id)


def abort(state: State, doer: Doer, deed: Abort, now: int) -> Draft:
    """The match does not count."""
    if state.status == "over":
        raise Refusal("not-playing", "the match is over")
    if len({step.seat for step in state.steps}) >= TURNS_BEFORE_A_GAME:
        raise Refusal("too-late", "both have moved: resign instead", limit=TURNS_BEFORE_A_GAME)
    return Draft("aborted", None, doer.user, {}, deed.id)


def chat(state: State, doer: Doer, deed: Chat, now: int) -> Draft:
    """Words, without what no screen should be sent."""
    text = "".join(letter if letter.isprintable() else " " for letter in deed.text).strip()
    if not text:
        raise Refusal("bad-request", "there is nothing to say in that")
    return Draft("chat", acting_seat(state, doer), doer.user, {"text": text}, deed.id)


DRAFTS: dict[type[Deed], Callable[..., Draft]] = {
    Move: move,
    AskTakeback: ask_takeback,
    AnswerTakeback: answer_takeback,
    OfferDraw: offer_draw,
    AnswerDraw: answer_draw,
    Resign: resign,
    Abort: abort,
    Chat: chat,
}


def flag(state: State, now: int) -> Draft | None:
    """The flag of the seat to move, if it has fallen."""
    falls = state.flag_falls()
    return Draft("flagged", state.seat) if falls is not None and now >= falls else None


def require_playing(state: State) -> None:
    """Refuse what needs a match that goes on."""
    if state.status == "waiting":
        raise Refusal("not-playing", "the match waits for a second player")
    if state.status == "over":
        raise Refusal("not-playing", "the match is over")


def require_time(state: State, now: int) -> None:
    """Refuse what comes after the flag; whoever wrote this deed down calls it."""
    if flag(state, now) is not None:
        raise Refusal("too-late", "time is up")


def standing_step(state: State, number: int) -> PlayedMove:
    """The step that an event made, if it was not taken back."""
    meant = state.step(number)
    if meant is None:
        raise Refusal("no-such-offer", f"event {number} is no step that stands")
    return meant


def acting_seat(state: State, doer: Doer) -> int:
    """The seat that a user acts for: at a hot seat the one to move."""
    seats = state.seats_of(doer.user)
    return state.seat if state.seat in seats and state.seat is not None else seats[0]


def other_seat(state: State, doer: Doer, asking: int) -> int:
    """The seat that answers the asking one, if it is this user's."""
    if state.seats[1 - asking] != doer.user:
        raise Refusal("not-yours", "only the other player can answer that")
    return 1 - asking
