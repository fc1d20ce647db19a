"""Events: all that ever happens in a match, numbered from 1 without a gap; everything else is derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

EventType = Literal[
    "begin",  # both seats are taken: `seats`, the users
    "step",  # `move`
    "takeback-asked",  # `of`: the number of the step that is to be taken back, with all that followed
    "takeback-accepted",  # `of`
    "takeback-declined",  # `of`
    "draw-offered",
    "draw-accepted",
    "draw-declined",
    "resigned",
    "flagged",  # the seat has run out of time
    "aborted",  # before it was a game
    "imported",  # `winner`, `reason`: how a game that was played elsewhere ended
    "rematch",  # `match`: where the players meet again
    "chat",  # `text`
    "challenge",  # in the lobby only: `match` looks for an opponent
    "challenge-gone",  # in the lobby only: `match` has begun, or was withdrawn
    "match-began",  # in the lobby only
    "match-over",  # in the lobby only
]

BOARD_EVENTS = ("begin", "step", "takeback-accepted")


@dataclass(frozen=True)
class MatchEvent:
    """One thing that happened, at a time in milliseconds; `seat` and `user` did it, if anybody did."""

    seq: int
    timestamp_ms: int
    type: EventType
    seat: int | None = None
    user_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None  # the client's own id, by which a repetition is known
