"""Events of matches and of the lobby, numbered from 1 without gaps; all other state is derived from them."""

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
]

LobbyEventType = Literal[
    "challenge",  # the match looks for an opponent
    "challenge-gone",  # the match has found one, or was withdrawn
    "match-began",
    "match-over",
]

BOARD_EVENTS = ("begin", "step", "takeback-accepted")


@dataclass(frozen=True)
class MatchEvent:
    """An event of a match, by a seat and user if anybody caused it."""

    seq: int
    timestamp_ms: int
    type: EventType
    seat: int | None = None
    user_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None  # of the client, by which a repeated request is recognised


@dataclass(frozen=True)
class LobbyEvent:
    """An event of the lobby: a match was offered, withdrawn, started or ended."""

    seq: int
    timestamp_ms: int
    type: LobbyEventType
    match_id: str
