"""What the ledger writes: new matches, and events of matches with what follows from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from ..domain.events import MatchEvent

EventKey = tuple[str, int]  # a match and a number: who writes it first has it
LOBBY = "lobby"  # its log has numbers of its own
CHANNEL = "ropewalk"
INDEX_COLUMNS = ("seat0", "seat1", "is_open", "status", "to_move", "deadline", "winner", "reason", "ended_at")


@dataclass(frozen=True)
class AppendEvent:
    """An event of a match, with the row that its match is found by from now on, and what the lobby hears of it."""

    match_id: str
    event: MatchEvent
    index_values: Mapping[str, Any] = field(default_factory=dict)  # all of FOUND_BY, or nothing
    lobby_event: MatchEvent | None = None  # its number is given when it is written
    is_plain_move: bool = False  # nothing changes in the row but whose turn it is, and until when
    is_rating_due: bool = False  # it ends a rated match
    counted_spec: str | None = None  # it ends a match of two players whose result counts among those of this spec

    @property
    def events(self) -> Sequence[MatchEvent]:
        """The events that are written to the match."""
        return (self.event,)


@dataclass(frozen=True)
class CreateMatch:
    """A new match: its row, its first events (numbered from 1), and what the lobby hears of it."""

    row: Mapping[str, Any]  # all columns of `matches`
    events: Sequence[MatchEvent] = ()
    lobby_event: MatchEvent | None = None  # its number is given when it is written

    @property
    def match_id(self) -> str:
        """The id of the match."""
        return str(self.row["id"])


AppendRequest = AppendEvent | CreateMatch


def event_key(request: AppendRequest) -> EventKey:
    """What an entry is known by; a creation has the number before those of events."""
    return request.match_id, request.event.seq if isinstance(request, AppendEvent) else 0


def last_event_key(request: AppendRequest) -> EventKey | None:
    """The key of the last event that an entry writes to its match, None if it writes none."""
    return (request.match_id, request.events[-1].seq) if request.events else None


def event_to_row(match_id: str, event: MatchEvent) -> dict[str, Any]:
    """An event as the table has it, its columns in order."""
    return {
        "match_id": match_id,
        "number": event.seq,
        "at": event.timestamp_ms,
        "kind": event.type,
        "seat": event.seat,
        "user_id": event.user_id,
        "data": to_json(event.data).decode(),
        "client_id": event.request_id,
    }


def event_from_row(row: Any) -> MatchEvent:
    """An event from the table."""
    return MatchEvent(row.number, row.at, row.kind, row.seat, row.user_id, json.loads(row.data), row.client_id)
