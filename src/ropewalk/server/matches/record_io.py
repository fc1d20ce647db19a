"""Exporting matches as game records, and importing game records as matches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...errors import RopewalkError
from ..db.identifiers import generate_id
from ..db.match_repository import MatchRecordRow
from ..db.user_repository import User, now_ms
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
    """The record of a match: players by seat, turns, what was left on the clocks, and the result."""
    from ...records import Record, RecordedResult

    state = match.state
    record = Record.from_position(state.position, state.config.load_initial_position())
    first, second = (
        build_player(users.get(user or ""), last_engine_info(state, seat)) for seat, user in enumerate(match.seats)
    )
    record.players = (first, second)
    record.date = datetime.fromtimestamp(match.row.created_at / 1000, UTC).strftime("%Y-%m-%d")
    if state.result is not None:
        record.result = RecordedResult(state.result.winner, state.result.reason)
    add_clocks(record, state)
    return record


def last_engine_info(state: MatchState, seat: int) -> dict[str, str]:
    """Version and net of the bot that played a seat, as of its last step."""
    return next((step.engine_info for step in reversed(state.moves) if step.seat == seat and step.engine_info), {})


def build_player(user: User | None, mind: Mapping[str, str]) -> Player:
    """A user as records name players."""
    from ...records import Player, PlayerIdentity

    if user is None:
        return Player(DELETED_NAME)
    level = "" if user.level is None else str(user.level)
    return Player(user.name, PlayerIdentity(kind="bot" if user.is_bot else "user", level=level, **mind))


def add_clocks(record: Record, state: MatchState) -> None:
    """What each seat had left when its turn ended."""
    from ...records import Clock

    if isinstance(state.config.clock, NoClock):
        return
    nodes = [node for node in record.main_line() if node.seat is not None]
    last: dict[int, Clock] = {}
    turns = [step for step, following in zip(state.moves, [*state.moves[1:], None], strict=True)
             if following is None or following.seat != step.seat]  # fmt: skip
    for node, step in zip(nodes, turns, strict=True):
        left = step.clocks_before.time_left[step.seat]
        last[step.seat] = Clock(left.main_ms / 1000, left.periods or None)
        node.set_clock(step.seat, last[step.seat])


async def import_record(service: MatchService, user: User, text: str) -> LiveMatch:
    """Create a match from a record. Both seats are the user's; it continues if the record has no result."""
    record = parse_record(text)
    game = await service.registry.games.get(record.game.spec)
    start, end = record.root.position, record.end.position
    steps = end.steps()
    if len(steps) > MAX_MOVES:
        raise ApiError("bad-record", f"a match has at most {MAX_MOVES} steps, this record {len(steps)}", limit=MAX_MOVES)
    position = None if start == game.start() else str(start)
    settings = MatchConfig(game.spec, NoClock(), False, position)
    row = MatchRecordRow(generate_id(), settings, user.id, now_ms(), (user.id, user.id), "import")
    events, state = replay_record(row, steps, record)
    return await service.create(row, events, state)


def parse_record(text: str) -> Record:
    """The record that a text holds, or a refusal."""
    from ...records import RecordError, read

    if not text.lstrip("\ufeff \t\r\n").startswith(("(", "{")):
        raise ApiError("bad-record", "a record is SGF or our JSON: it begins with ( or {")
    try:
        record = read(text)
        record.end.position  # noqa: B018  (replays it, or says what cannot be played)
    except RecordError as error:
        raise ApiError("bad-record", str(error)) from None
    except RopewalkError as error:
        raise ApiError("bad-record", str(error)) from None
    return record


def replay_record(row: MatchRecordRow, steps: list[str], record: Record) -> tuple[list[MatchEvent], MatchState]:
    """The events of a record, and the state that they lead to."""
    events = [MatchEvent(1, row.created_at, "begin", None, row.created_by, {"seats": list(row.seats)})]
    state = apply_event(initial_state(row.config), events[0])
    for step in steps:
        event = MatchEvent(len(events) + 1, row.created_at, "step", state.seat, row.created_by, {"move": step})
        events.append(event)
        state = apply_event(state, event)
    result = record.result
    if result is not None and state.result is None:
        said = {"winner": result.winner, "reason": result.reason or "unknown"}
        events.append(MatchEvent(len(events) + 1, row.created_at, "imported", None, row.created_by, said))
        state = apply_event(state, events[-1])
    return events, state
