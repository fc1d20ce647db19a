"""What the ledger writes: an event of a match, and what follows from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from ..events import Event

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


def key_of(entry: Entry) -> Key:
    """What an entry is known by."""
    return entry.match, entry.event.number


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
