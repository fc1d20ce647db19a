"""Exporting matches as game records, and importing game records as matches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...errors import RopewalkError
from ..db.identifiers import generate_id, generate_token
from ..db.match_repository import MatchRecordRow
from ..db.user_repository import User
from ..domain.clocks import NoClock
from ..domain.events import MatchEvent
from ..domain.match import MatchConfig, MatchState, apply_event, initial_state
from ..domain.usernames import DELETED_NAME
from ..errors import ApiError
from .live_match import LiveMatch
from .service import MatchService

if TYPE_CHECKING:
    from ...records import Player, Record

MAX_MOVES = 2000


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

    if isinstance(state.config.clock, NoClock):
        return
    nodes = [node for node in record.main_line() if node.seat is not None]
    last: dict[int, Clock] = {}
    last_moves = [move for move, following in zip(state.moves, [*state.moves[1:], None], strict=True)
                  if following is None or following.seat != move.seat]  # fmt: skip
    for node, move in zip(nodes, last_moves, strict=True):
        left = move.clocks_before.time_left[move.seat]
        last[move.seat] = Clock(left.main_ms / 1000, left.periods or None)
        node.set_clock(move.seat, last[move.seat])


async def import_record(service: MatchService, user: User, text: str) -> LiveMatch:
    """Create a private match from a record; both seats are the user's. It can be continued if the record has no result.

    Raises:
        ApiError: `bad-record`: the text is not a record, has an illegal move, or has too many moves.
    """
    record = parse_record(text)
    game = await service.registry.games.get(record.game.spec)
    start, end = record.root.position, record.end.position
    moves = end.steps()
    if len(moves) > MAX_MOVES:
        raise ApiError(
            "bad-record", f"a match may have at most {MAX_MOVES} moves; this record has {len(moves)}", limit=MAX_MOVES
        )
    position = None if start == game.start() else str(start)
    config = MatchConfig(game.spec, NoClock(), False, position)
    seats = (user.id, user.id)
    key = generate_token()
    row = MatchRecordRow(generate_id(), config, user.id, service.clock.now_ms(), seats, "import", spectator_key=key)
    events, state = replay_record(row, moves, record)
    return await service.create(row, events, state)


def parse_record(text: str) -> Record:
    """Return the record in a text. Raises ApiError `bad-record`."""
    from ...records import RecordError, read

    if not text.lstrip("\ufeff \t\r\n").startswith(("(", "{")):
        raise ApiError("bad-record", "unknown record format; expected SGF or JSON, which begin with ( or {")
    try:
        record = read(text)
        record.end.position  # noqa: B018  (replays the moves, which raises for an illegal one)
    except RecordError as error:
        raise ApiError("bad-record", str(error)) from None
    except RopewalkError as error:
        raise ApiError("bad-record", str(error)) from None
    return record


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
        data = {"winner": result.winner, "reason": result.reason or "unknown"}
        events.append(MatchEvent(len(events) + 1, row.created_at, "imported", None, row.created_by, data))
        state = apply_event(state, events[-1])
    return events, state
