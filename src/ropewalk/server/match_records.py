"""Matches as game records, and game records as matches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from .clocks import NoClock
from .events import Event
from .house import House
from .live.table import Table
from .match import MatchSettings, State, after, beginning
from .match_views import NOBODY
from .refusals import Refusal
from .storage.archive import MatchRow
from .storage.people import User, now_ms
from .storage.secrets import new_id

if TYPE_CHECKING:
    from ..records import Player, Record

MOST_STEPS = 2000


def record_of(table: Table, users: Mapping[str, User]) -> Record:
    """The record of a match: players by seat, turns, what was left on the clocks, and the result."""
    from ..records import Record, RecordedResult

    state = table.state
    record = Record.from_position(state.position, state.settings.start())
    first, second = (player_of(users.get(user or ""), last_mind(state, seat)) for seat, user in enumerate(table.seats))
    record.players = (first, second)
    record.date = datetime.fromtimestamp(table.row.created_at / 1000, UTC).strftime("%Y-%m-%d")
    if state.result is not None:
        record.result = RecordedResult(state.result.winner, state.result.reason)
    note_clocks(record, state)
    return record


def last_mind(state: State, seat: int) -> dict[str, str]:
    """Version and net of the bot that played a seat, as of its last step."""
    return next((step.by for step in reversed(state.steps) if step.seat == seat and step.by), {})


def player_of(user: User | None, mind: Mapping[str, str]) -> Player:
    """A user as records name players."""
    from ..records import Player, PlayerIdentity

    if user is None:
        return Player(NOBODY)
    level = "" if user.level is None else str(user.level)
    return Player(user.name, PlayerIdentity(kind="bot" if user.is_bot else "user", level=level, **mind))


def note_clocks(record: Record, state: State) -> None:
    """What each seat had left when its turn ended."""
    from ..records import Clock

    if isinstance(state.settings.clock, NoClock):
        return
    nodes = [node for node in record.main_line() if node.seat is not None]
    last: dict[int, Clock] = {}
    turns = [step for step, following in zip(state.steps, [*state.steps[1:], None], strict=True)
             if following is None or following.seat != step.seat]  # fmt: skip
    for node, step in zip(nodes, turns, strict=True):
        left = step.clocks.left[step.seat]
        last[step.seat] = Clock(left.main / 1000, left.periods or None)
        node.set_clock(step.seat, last[step.seat])


async def imported(house: House, user: User, text: str) -> Table:
    """A match from a record: both seats are the importer's, and it goes on if the record does not end it."""
    record = read_record(text)
    game = await house.rules.of(record.game.spec)
    start, end = record.root.position, record.end.position
    steps = end.steps()
    if len(steps) > MOST_STEPS:
        raise Refusal("bad-record", f"a match has at most {MOST_STEPS} steps, this record {len(steps)}", limit=MOST_STEPS)
    position = None if start == game.start() else str(start)
    settings = MatchSettings(game.spec, NoClock(), False, position)
    row = MatchRow(new_id(), settings, user.id, now_ms(), (user.id, user.id), "import")
    events, state = replayed(row, steps, record)
    return await house.tables.create(row, events, state)


def read_record(text: str) -> Record:
    """The record that a text holds, or a refusal."""
    from ..records import RecordError, read

    if not text.lstrip("\ufeff \t\r\n").startswith(("(", "{")):
        raise Refusal("bad-record", "a record is SGF or our JSON: it begins with ( or {")
    try:
        record = read(text)
        record.end.position  # noqa: B018  (replays it, or says what cannot be played)
    except RecordError as error:
        raise Refusal("bad-record", str(error)) from None
    except RopewalkError as error:
        raise Refusal("bad-record", str(error)) from None
    return record


def replayed(row: MatchRow, steps: list[str], record: Record) -> tuple[list[Event], State]:
    """The events of a record, and the state that they lead to."""
    events = [Event(1, row.created_at, "begin", None, row.creator, {"seats": list(row.seats)})]
    state = after(beginning(row.settings), events[0])
    for step in steps:
        event = Event(len(events) + 1, row.created_at, "step", state.seat, row.creator, {"move": step})
        events.append(event)
        state = after(state, event)
    result = record.result
    if result is not None and state.result is None:
        said = {"winner": result.winner, "reason": result.reason or "unknown"}
        events.append(Event(len(events) + 1, row.created_at, "imported", None, row.creator, said))
        state = after(state, events[-1])
    return events, state
