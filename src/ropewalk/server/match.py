"""A match: settings and a log of events, from which position, clocks, offers and result are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..games.registry import game as game_of
from ..games.sequence import MoveSequence, parse_position
from . import clocks
from .clocks import Clocks, ClockSettings
from .events import CHANGES_BOARD, Event

if TYPE_CHECKING:
    from ..games.position import Position


@dataclass(frozen=True)
class MatchSettings:
    """What is agreed before the first move."""

    spec: str
    clock: ClockSettings
    rated: bool = False
    position: str | None = None  # where it begins, if not at the start

    def start(self) -> Position:
        """The position before the first move."""
        return parse_position(game_of(self.spec), self.position)


class PlayedMove(NamedTuple):
    """A step that stands: the event that made it, and the clocks at the instant before."""

    number: int
    seat: int
    move: str
    at: int
    clocks: Clocks
    by: dict[str, str] | None = None  # which version and net found it, where one of our bots did


@dataclass(frozen=True)
class MatchResult:
    """How a match ended: the winning seat, None for a draw or an aborted match, and a stable reason."""

    winner: int | None
    reason: str
    number: int  # of the event that ended it


@dataclass(frozen=True)
class Takeback:
    """A wish of a seat to take back the step that an event made."""

    seat: int
    of: int


@dataclass(frozen=True)
class State:
    """A match as it stands after some events."""

    settings: MatchSettings
    position: Position
    clocks: Clocks
    number: int = 0  # of the last event
    standing: int = 0  # of the event that made the board what it is: a move must name it
    at: int = 0  # of the last event
    seats: tuple[str | None, str | None] = (None, None)  # users
    steps: tuple[PlayedMove, ...] = ()
    draw_offer: int | None = None  # by this seat
    takeback: Takeback | None = None
    result: MatchResult | None = None
    rematch: str | None = None
    has_begun: bool = field(init=False)  # both seats are taken
    status: str = field(init=False)  # waiting, playing or over
    seat: int | None = field(init=False)  # to move, None when nobody is

    def __post_init__(self) -> None:
        """What follows from the rest, and is asked for many times."""
        has_begun = None not in self.seats
        status = "over" if self.result is not None else "playing" if has_begun else "waiting"
        seat = self.position.seat if status == "playing" else None
        self.__dict__.update(has_begun=has_begun, status=status, seat=seat)

    def changed(self, changes: Changed) -> State:
        """The same but for some fields, without the detour through `dataclasses.replace`: every move makes a new state."""
        state = object.__new__(State)
        state.__dict__.update(self.__dict__, **changes)
        state.__post_init__()
        return state

    def seats_of(self, user: str | None) -> tuple[int, ...]:
        """The seats that a user owns: both at a hot seat, none for a spectator."""
        return tuple(seat for seat, owner in enumerate(self.seats) if user is not None and owner == user)

    def step(self, number: int) -> PlayedMove | None:
        """The step that an event made, if it still stands."""
        return next((step for step in self.steps if step.number == number), None)

    def flag_falls(self) -> int | None:
        """When the seat to move runs out of time, None if never."""
        return clocks.flag_falls(self.settings.clock, self.clocks) if self.status == "playing" else None


Changed = dict[str, Any]  # fields of a state
Change = Callable[[State, Event], Changed]


def beginning(settings: MatchSettings) -> State:
    """A match before anything has happened."""
    return State(settings, settings.start(), clocks.begun(settings.clock, None, 0))


def state_of(settings: MatchSettings, events: Iterable[Event]) -> State:
    """A match after some events."""
    state = beginning(settings)
    for event in events:
        state = after(state, event)
    return state


def after(state: State, event: Event) -> State:
    """A match after one more event. Events are trusted but for the rules of the game, which have the last word."""
    change = CHANGES.get(event.kind)
    changed = {} if change is None else change(state, event)
    if event.kind in CHANGES_BOARD:
        changed["standing"] = event.number
    return state.changed(changed | {"number": event.number, "at": event.at})


def begin(state: State, event: Event) -> Changed:
    """Both seats are taken, and the first clock runs."""
    first, second = event.data["seats"]
    seat = state.position.seat
    return {"seats": (first, second), "clocks": clocks.begun(state.settings.clock, seat, event.at)}


def step(state: State, event: Event) -> Changed:
    """A step is played; offers that were not taken are gone."""
    settings, seat, position = state.settings, state.position.seat, state.position.play(event.data["move"])
    assert seat is not None
    before = clocks.Clocks(clocks.read(settings.clock, state.clocks, event.at), state.clocks.seat, event.at)
    played = PlayedMove(event.number, seat, event.data["move"], event.at, before, event.data.get("by"))
    offer = state.draw_offer if state.draw_offer == seat else None
    running = clocks.pressed(settings.clock, state.clocks, event.at, position.seat)
    moved = {"position": position, "steps": (*state.steps, played), "draw_offer": offer, "takeback": None, "clocks": running}
    over = position.outcome if position.seat is None else None
    return moved if over is None else moved | ended(state, event, over.winner, over.reason, running)


def take_back(state: State, event: Event) -> Changed:
    """The board and both clocks are as they were the instant before the step was played."""
    kept = tuple(step for step in state.steps if step.number < event.data["of"])
    undone = state.steps[len(kept)]
    position = MoveSequence.play(state.settings.start(), [played.move for played in kept]).position
    running = clocks.resumed(undone.clocks, event.at)
    return {"position": position, "clocks": running, "steps": kept, "draw_offer": None, "takeback": None}


def ended(state: State, event: Event, winner: int | None, reason: str, running: Clocks | None = None) -> Changed:
    """The match is over; `running` are its clocks, where the event has changed them."""
    stopped = clocks.stopped(state.settings.clock, running or state.clocks, event.at)
    return {"result": MatchResult(winner, reason, event.number), "clocks": stopped, "draw_offer": None, "takeback": None}


def lost(reason: str) -> Change:
    """The seat of the event loses."""
    return lambda state, event: ended(state, event, 1 - _seat(event), reason)


def drawn(reason: str) -> Change:
    """Nobody wins."""
    return lambda state, event: ended(state, event, None, reason)


def imported(state: State, event: Event) -> Changed:
    """A game that ended elsewhere."""
    return ended(state, event, event.data["winner"], event.data["reason"])


def changes(**what: Callable[[Event], Any]) -> Change:
    """A change of a few fields."""
    return lambda state, event: {name: value(event) for name, value in what.items()}


def _seat(event: Event) -> int:
    assert event.seat is not None, "such an event has a seat"
    return event.seat


CHANGES: dict[str, Change] = {
    "begin": begin,
    "step": step,
    "takeback-asked": changes(takeback=lambda event: Takeback(_seat(event), event.data["of"])),
    "takeback-accepted": take_back,
    "takeback-declined": changes(takeback=lambda event: None),
    "draw-offered": changes(draw_offer=lambda event: event.seat),
    "draw-accepted": drawn("agreement"),
    "draw-declined": changes(draw_offer=lambda event: None),
    "resigned": lost("resign"),
    "flagged": lost("time"),
    "aborted": drawn("abandoned"),
    "imported": imported,
    "rematch": changes(rematch=lambda event: event.data["match"]),
}
