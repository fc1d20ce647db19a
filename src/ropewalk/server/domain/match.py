"""A match: settings and a log of events, from which position, clocks, offers and result are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, NamedTuple

from ...games.registry import game as game_of
from ...games.sequence import MoveSequence, parse_position
from . import clocks
from .clocks import Clocks, ClockSettings
from .events import BOARD_EVENTS, MatchEvent

if TYPE_CHECKING:
    from ...games.position import Position


SNAPSHOT_INTERVAL = 16  # moves between stored positions: a takeback replays fewer moves than this


@dataclass(frozen=True)
class MatchConfig:
    """The settings of a match, fixed before the first move."""

    spec: str
    clock: ClockSettings
    is_rated: bool = False
    initial_position: str | None = None  # None: the start of the game
    is_public: bool = False  # everybody may read it; a private match can be published later

    def load_initial_position(self) -> Position:
        """Return the position before the first move."""
        return parse_position(game_of(self.spec), self.initial_position)


class PlayedMove(NamedTuple):
    """A move that was not taken back: its event, and the clocks at the instant before it."""

    seq: int
    seat: int
    move: str
    timestamp_ms: int
    clocks_before: Clocks
    position_before: Position | None  # stored for one of SNAPSHOT_INTERVAL moves
    engine_info: dict[str, str] | None = None  # of a built-in bot: version and net


@dataclass(frozen=True)
class MatchResult:
    """The result of a match: the winning seat, None for a draw or an aborted match, and a stable reason."""

    winner: int | None
    reason: str
    seq: int  # of the event that ended it
    is_declined: bool = False  # the user who was challenged has declined


@dataclass(frozen=True)
class TakebackRequest:
    """A request of a seat to take back the move of an event."""

    seat: int
    event_seq: int


@dataclass(frozen=True)
class MatchState:
    """A match after some of its events."""

    config: MatchConfig
    position: Position
    clocks: Clocks
    seq: int = 0  # of the last event
    position_version: int = 0  # seq of the event that last changed the board: a move must name it
    timestamp_ms: int = 0  # of the last event
    seats: tuple[str | None, str | None] = (None, None)  # user ids
    moves: tuple[PlayedMove, ...] = ()
    draw_offered_by: int | None = None  # a seat
    takeback: TakebackRequest | None = None
    result: MatchResult | None = None
    rematch_id: str | None = None
    compensated_until_ms: int = 0  # the end of the last outage that was compensated
    is_public: bool = False

    @cached_property
    def has_begun(self) -> bool:
        """Whether both seats are taken."""
        return None not in self.seats

    @cached_property
    def status(self) -> str:
        """The status of the match: `waiting`, `playing` or `over`."""
        return "over" if self.result is not None else "playing" if self.has_begun else "waiting"

    @cached_property
    def seat(self) -> int | None:
        """The seat to move, None unless the match is in progress."""
        return self.position.seat if self.status == "playing" else None

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """Return the seats of a user: both if they play against themselves, none for a spectator."""
        return tuple(seat for seat, owner in enumerate(self.seats) if user_id is not None and owner == user_id)

    def find_move(self, seq: int) -> PlayedMove | None:
        """Return the move of an event, None if it was taken back or the event is not a move."""
        return next((move for move in self.moves if move.seq == seq), None)

    def timeout_at(self) -> int | None:
        """Return when the seat to move runs out of time, in milliseconds; None if never."""
        return clocks.timeout_at(self.config.clock, self.clocks) if self.status == "playing" else None


EventHandler = Callable[[MatchState, MatchEvent], MatchState]


def initial_state(config: MatchConfig) -> MatchState:
    """Return the state of a match before its first event."""
    running = clocks.start_clocks(config.clock, None, 0)
    return MatchState(config, config.load_initial_position(), running, is_public=config.is_public)


def replay_events(config: MatchConfig, events: Iterable[MatchEvent]) -> MatchState:
    """Return the state of a match after all its events."""
    return reduce(apply_event, events, initial_state(config))


def apply_event(state: MatchState, event: MatchEvent) -> MatchState:
    """Return the state after one more event.

    Events are trusted, except that the rules of the game decide about moves.

    Raises:
        IllegalMove: The move of the event is not legal.
    """
    handle = EVENT_HANDLERS.get(event.type)
    state = state if handle is None else handle(state, event)
    version = event.seq if event.type in BOARD_EVENTS else state.position_version
    return replace(state, seq=event.seq, timestamp_ms=event.timestamp_ms, position_version=version)


def start_match(state: MatchState, event: MatchEvent) -> MatchState:
    """Seat both players and start the clock of the first to move."""
    first, second = event.data["seats"]
    running = clocks.start_clocks(state.config.clock, state.position.seat, event.timestamp_ms)
    return replace(state, seats=(first, second), clocks=running)


def apply_move(state: MatchState, event: MatchEvent) -> MatchState:
    """Play a move. An offer of the opponent and a request to take back a move lapse."""
    clock, seat, position = state.config.clock, state.position.seat, state.position.play(event.data["move"])
    assert seat is not None
    time_left = clocks.read_clocks(clock, state.clocks, event.timestamp_ms)
    before = Clocks(time_left, state.clocks.seat, event.timestamp_ms)
    engine = event.data.get("engine")
    snapshot = state.position if len(state.moves) % SNAPSHOT_INTERVAL == 0 else None
    played = PlayedMove(event.seq, seat, event.data["move"], event.timestamp_ms, before, snapshot, engine)
    moved = replace(
        state,
        position=position,
        moves=(*state.moves, played),
        draw_offered_by=state.draw_offered_by if state.draw_offered_by == seat else None,
        takeback=None,
        clocks=clocks.press_clock(clock, state.clocks, event.timestamp_ms, position.seat),
    )
    outcome = position.outcome if position.seat is None else None
    return moved if outcome is None else end_match(moved, event, outcome.winner, outcome.reason)


def request_takeback(state: MatchState, event: MatchEvent) -> MatchState:
    """Store a request to take back a move."""
    return replace(state, takeback=TakebackRequest(require_seat(event), event.data["event_seq"]))


def apply_takeback(state: MatchState, event: MatchEvent) -> MatchState:
    """Restore the board and both clocks to the instant before a move was played."""
    kept = tuple(move for move in state.moves if move.seq < event.data["event_seq"])
    running = clocks.resume_clocks(state.moves[len(kept)].clocks_before, event.timestamp_ms)
    return replace(
        state,
        position=find_position_before(state.moves, len(kept)),
        clocks=running,
        moves=kept,
        draw_offered_by=None,
        takeback=None,
    )


def find_position_before(moves: Sequence[PlayedMove], index: int) -> Position:
    """Return the position before a move, from the last snapshot before it."""
    first = index - index % SNAPSHOT_INTERVAL
    start = moves[first].position_before
    assert start is not None, "every SNAPSHOT_INTERVAL-th move has a snapshot"
    return MoveSequence.play(start, [move.move for move in moves[first:index]]).position


def decline_takeback(state: MatchState, event: MatchEvent) -> MatchState:
    """Remove the request to take back a move."""
    return replace(state, takeback=None)


def offer_draw(state: MatchState, event: MatchEvent) -> MatchState:
    """Store an open draw offer."""
    return replace(state, draw_offered_by=event.seat)


def decline_draw(state: MatchState, event: MatchEvent) -> MatchState:
    """Remove the draw offer."""
    return replace(state, draw_offered_by=None)


def compensate_outage(state: MatchState, event: MatchEvent) -> MatchState:
    """Give the time of an outage back to the seat to move."""
    given = clocks.give_back_time(state.clocks, event.data["milliseconds"], event.timestamp_ms)
    return replace(state, clocks=given, compensated_until_ms=event.data["ended_ms"])


def set_rematch(state: MatchState, event: MatchEvent) -> MatchState:
    """Store the id of the rematch."""
    return replace(state, rematch_id=event.data["match_id"])


def publish_match(state: MatchState, event: MatchEvent) -> MatchState:
    """Make a private match public."""
    return replace(state, is_public=True)


def end_match(state: MatchState, event: MatchEvent, winner: int | None, reason: str) -> MatchState:
    """End the match and stop its clocks. `winner` is a seat, None for a draw or an aborted match."""
    stopped = clocks.stop_clocks(state.config.clock, state.clocks, event.timestamp_ms)
    result = MatchResult(winner, reason, event.seq, is_declined=event.data.get("declined", False))
    return replace(state, result=result, clocks=stopped, draw_offered_by=None, takeback=None)


def end_with_loss(reason: str) -> EventHandler:
    """Return a handler for events whose seat loses."""
    return lambda state, event: end_match(state, event, 1 - require_seat(event), reason)


def end_without_winner(reason: str) -> EventHandler:
    """Return a handler for events that end the match without a winner."""
    return lambda state, event: end_match(state, event, None, reason)


def end_imported_match(state: MatchState, event: MatchEvent) -> MatchState:
    """End a match that was played elsewhere, with the result of its record."""
    return end_match(state, event, event.data["winner"], event.data["reason"])


def require_seat(event: MatchEvent) -> int:
    """Return the seat of an event of a type that always has one."""
    assert event.seat is not None, f"an event of type {event.type} has a seat"
    return event.seat


EVENT_HANDLERS: dict[str, EventHandler] = {
    "match-started": start_match,
    "move-played": apply_move,
    "takeback-requested": request_takeback,
    "takeback-accepted": apply_takeback,
    "takeback-declined": decline_takeback,
    "draw-offered": offer_draw,
    "draw-accepted": end_without_winner("agreement"),
    "draw-declined": decline_draw,
    "resigned": end_with_loss("resign"),
    "timed-out": end_with_loss("time"),
    "outage-compensated": compensate_outage,
    "aborted": end_without_winner("abandoned"),
    "imported": end_imported_match,
    "rematch-created": set_rematch,
    "match-published": publish_match,
}
