"""What the ledger writes: new matches, and events of matches with what follows from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from ..domain.events import Event

Key = tuple[str, int]  # a match and a number: who writes it first has it
LOBBY = "lobby"  # its log has numbers of its own
CHANNEL = "ropewalk"
FOUND_BY = ("seat0", "seat1", "is_open", "status", "to_move", "deadline", "winner", "reason", "ended_at")


@dataclass(frozen=True)
class Entry:
    """An event of a match, with the row that its match is found by from now on, and what the lobby hears of it."""

    match: str
    event: Event
    row: Mapping[str, Any] = field(default_factory=dict)  # all of FOUND_BY, or nothing
    lobby: Event | None = None  # its number is given when it is written
    is_turn: bool = False  # nothing changes in the row but whose turn it is, and until when
    is_rating_due: bool = False  # it ends a rated match
    counted_spec: str | None = None  # it ends a match of two players whose result counts among those of this spec

    @property
    def events(self) -> Sequence[Event]:
        """The events that are written to the match."""
        return (self.event,)


@dataclass(frozen=True)
class Creation:
    """A new match: its row, its first events (numbered from 1), and what the lobby hears of it."""

    row: Mapping[str, Any]  # all columns of `matches`
    events: Sequence[Event] = ()
    lobby: Event | None = None  # its number is given when it is written

    @property
    def match(self) -> str:
        """The id of the match."""
        return str(self.row["id"])


AnyEntry = Entry | Creation


def key_of(entry: AnyEntry) -> Key:
    """What an entry is known by; a creation has the number before those of events."""
    return entry.match, entry.event.number if isinstance(entry, Entry) else 0


def last_event_key(entry: AnyEntry) -> Key | None:
    """The key of the last event that an entry writes to its match, None if it writes none."""
    return (entry.match, entry.events[-1].number) if entry.events else None


def row_of(match: str, event: Event) -> dict[str, Any]:
    """An event as the table has it, its columns in order."""
    return {
        "match_id": match,
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "seat": event.seat,
        "user_id": event.user,
        "data": to_json(event.data).decode(),
        "client_id": event.client,
    }


def event_of(row: Any) -> Event:
    """An event from the table."""
    return Event(row.number, row.at, row.kind, row.seat, row.user_id, json.loads(row.data), row.client_id)
