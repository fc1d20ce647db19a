"""Exporting matches as game records, and importing game records as matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...errors import RopewalkError
from ..db.identifiers import generate_id, generate_token
from ..db.match_repository import MatchRecordRow
from ..db.tables import MAX_REASON_LENGTH
from ..db.user_repository import User
from ..domain.clocks import NoClock
from ..domain.events import MatchEvent
from ..domain.match import MatchConfig, MatchState, apply_event, initial_state
from ..domain.usernames import DELETED_NAME
from ..errors import ApiError
from .live_match import LiveMatch

if TYPE_CHECKING:
    from ...records import Player, Record

MAX_MOVES = 2000
EVENT_BYTES = 80  # of a stored event besides its data


def export_record(match: LiveMatch, users: Mapping[str, User]) -> Record:
    """Return the record of a match: players by seat, turns, the time left on the clocks, and the result."""
    from ...records import Record, RecordedResult

    state = match.state
    record = Record.from_position(state.position, state.config.load_initial_position())
    first, second = (
        build_player(users.get(user_id or ""), last_engine_info(state, seat)) for seat, user_id in enumerate(match.seats)
    )
    record.players = (first, second)
    record.date = datetime.fromtimestamp(match.row.created_at / 1000, UTC).strftime("%Y-%m-%d")
    if state.result is not None:
        record.result = RecordedResult(state.result.winner, state.result.reason)
    add_clocks(record, state)
    return record


def format_sgf(match: LiveMatch, users: Mapping[str, User]) -> str:
    """Return the record of a match as SGF."""
    return export_record(match, users).to_sgf()


def format_collection(matches: Sequence[tuple[str, LiveMatch]], users: Mapping[str, User], event: str) -> str:
    """Return matches as one SGF collection; each comes with the number of its round in an event."""
    texts = []
    for number, match in matches:
        record = export_record(match, users)
        record.root.set("EV", event)
        record.root.set("RO", number)
        texts.append(record.to_sgf())
    return "\n".join(texts)


def last_engine_info(state: MatchState, seat: int) -> dict[str, str]:
    """Return version and net of the bot that played a seat, as of its last move; empty for a person."""
    return next((move.engine_info for move in reversed(state.moves) if move.seat == seat and move.engine_info), {})


def build_player(user: User | None, engine_info: Mapping[str, str]) -> Player:
    """Return the player of a record for a user; None stands for a deleted user."""
    from ...records import Player, PlayerIdentity

    if user is None:
        return Player(DELETED_NAME)
    level = "" if user.level is None else str(user.level)
    return Player(user.name, PlayerIdentity(kind="bot" if user.is_bot else "user", level=level, **engine_info))


def add_clocks(record: Record, state: MatchState) -> None:
    """Add the time that each seat had left at the end of its turns."""
    from ...records import Clock

    if isinstance(state.config.clock, NoClock) or not state.moves:
        return
    nodes = [node for node in record.main_line() if node.seat is not None]
    last: dict[int, Clock] = {}
    last_moves = [move for move, following in zip(state.moves, [*state.moves[1:], None], strict=True)
                  if following is None or following.seat != move.seat]  # fmt: skip
    for node, move in zip(nodes, last_moves, strict=True):
        left = move.clocks_before.time_left[move.seat]
        last[move.seat] = Clock(left.main_ms / 1000, left.periods or None)
        node.set_clock(move.seat, last[move.seat])


@dataclass(frozen=True)
class ImportedMatch:
    """A record as a match that is not stored yet: its row, its events, and the state after them."""

    row: MatchRecordRow
    events: Sequence[MatchEvent]
    state: MatchState

    def count_bytes(self) -> int:
        """Return how many bytes the match takes in the database, approximately."""
        return sum(EVENT_BYTES + len(json.dumps(event.data)) for event in self.events)


def parse_record(text: str) -> Record:
    """Return the record in a text, whose moves are not replayed yet.

    Raises:
        ApiError: `bad-record`: the text is not a record, or has too many moves.
    """
    from ...records import read

    if not text.lstrip("\ufeff \t\r\n").startswith(("(", "{")):
        raise ApiError("bad-record", "unknown record format; expected SGF or JSON, which begin with ( or {")
    try:
        record = read(text)
        turns = len(record.main_line()) - 1
    except RopewalkError as error:
        raise ApiError("bad-record", str(error)) from None
    check_move_count(turns)
    return record


def find_spec(record: Record) -> str:
    """Return the spec of a record's game, which is not loaded. Raises ApiError `bad-record`."""
    spec = record.root.get("SPEC")
    if spec is None:
        raise ApiError("bad-record", "the root node has no SPEC property, such as SPEC[tether-13]")
    return str(spec)


def check_move_count(count: int) -> None:
    """Raise ApiError `bad-record` if a record has too many moves."""
    if count > MAX_MOVES:
        message = f"a match may have at most {MAX_MOVES} moves; this record has {count}"
        raise ApiError("bad-record", message, limit=MAX_MOVES)


def build_imported_match(record: Record, user: User, created_at: int) -> ImportedMatch:
    """Return the private match of a record; both seats are the user's. A match whose record has no result can be continued.

    Raises:
        ApiError: `bad-record`: the record has an illegal move, or too many moves.
    """
    try:
        start, end = record.root.position, record.end.position
    except RopewalkError as error:
        raise ApiError("bad-record", str(error)) from None
    moves = end.steps()
    check_move_count(len(moves))
    position = None if start == record.game.start() else str(start)
    config = MatchConfig(record.game.spec, NoClock(), False, position)
    seats, key = (user.id, user.id), generate_token()
    row = MatchRecordRow(generate_id(), config, user.id, created_at, seats, "import", spectator_key=key)
    return ImportedMatch(row, *replay_record(row, moves, record))


def replay_record(row: MatchRecordRow, moves: list[str], record: Record) -> tuple[list[MatchEvent], MatchState]:
    """Return the events of a record, and the state after them."""
    events = [MatchEvent(1, row.created_at, "match-started", None, row.created_by, {"seats": list(row.seats)})]
    state = apply_event(initial_state(row.config), events[0])
    for move in moves:
        event = MatchEvent(len(events) + 1, row.created_at, "move-played", state.seat, row.created_by, {"move": move})
        events.append(event)
        state = apply_event(state, event)
    result = record.result
    if result is not None and state.result is None:
        data = {"winner": result.winner, "reason": clean_reason(result.reason)}
        events.append(MatchEvent(len(events) + 1, row.created_at, "imported", None, row.created_by, data))
        state = apply_event(state, events[-1])
    return events, state


def clean_reason(text: str) -> str:
    """Return the reason of a recorded result as databases can store it: printable and short; "unknown" for an empty one."""
    printable = "".join(character for character in text if character.isprintable())
    return printable[:MAX_REASON_LENGTH] or "unknown"
