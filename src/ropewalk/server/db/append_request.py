"""Requests to the event store: new matches, and events of matches with what is stored with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from ..domain.events import LobbyEvent, MatchEvent

EventKey = tuple[str, int]  # a match and a seq: the first writer gets it
LOBBY = "lobby"  # in notifications, in place of a match
CHANNEL = "ropewalk_events"
INDEX_COLUMNS = (
    "seat0_user_id",
    "seat1_user_id",
    "is_open",
    "is_public",
    "status",
    "to_move_user_id",
    "move_deadline_ms",
    "winner_seat",
    "end_reason",
    "ended_at",
    "opening",
)


@dataclass(frozen=True)
class AppendEvent:
    """A request to append an event to a match, with the new index columns of its row and its lobby event."""

    match_id: str
    event: MatchEvent
    index_values: Mapping[str, Any] = field(default_factory=dict)  # of all INDEX_COLUMNS, or empty
    epoch: str | None = None  # of the database when the match was loaded; None: not checked
    lobby_event: LobbyEvent | None = None  # its seq is set when it is stored
    is_plain_move: bool = False  # of the row, only the user to move and the deadline change
    is_rating_due: bool = False  # it ends a rated match
    counted_spec: str | None = None  # it ends a match of two players: count its result
    is_explorer_due: bool = False  # it ends or publishes a match that the opening explorer counts

    @property
    def events(self) -> Sequence[MatchEvent]:
        """The events that are appended to the match."""
        return (self.event,)


@dataclass(frozen=True)
class CreateMatch:
    """A request to store a new match with its first events, numbered from 1, and its lobby event."""

    row: Mapping[str, Any]  # all columns of `matches`
    events: Sequence[MatchEvent] = ()
    lobby_event: LobbyEvent | None = None  # its seq is set when it is stored

    @property
    def match_id(self) -> str:
        """The id of the match."""
        return str(self.row["id"])


AppendRequest = AppendEvent | CreateMatch


def event_key(request: AppendRequest) -> EventKey:
    """Return the key that a request takes; a new match has the seq before its first event."""
    return request.match_id, request.event.seq if isinstance(request, AppendEvent) else 0


def last_event_key(request: AppendRequest) -> EventKey | None:
    """Return the key of the last event that a request appends, None if it appends none."""
    return (request.match_id, request.events[-1].seq) if request.events else None


def event_to_row(match_id: str, event: MatchEvent) -> dict[str, Any]:
    """Return the row of an event, its columns in the order of the table."""
    return {
        "match_id": match_id,
        "seq": event.seq,
        "timestamp_ms": event.timestamp_ms,
        "type": event.type,
        "seat": event.seat,
        "user_id": event.user_id,
        "payload": to_json(event.data).decode(),
        "request_id": event.request_id,
    }
