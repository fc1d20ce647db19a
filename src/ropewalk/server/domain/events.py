"""Events of matches and of the lobby, numbered from 1 without gaps; all other state is derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

EventType = Literal[
    "match-started",  # both seats are taken: `seats`, the users
    "move-played",  # `move`
    "takeback-requested",  # `event_seq`: the seq of the move to take back, with all moves after it
    "takeback-accepted",  # `event_seq`
    "takeback-declined",  # `event_seq`
    "draw-offered",
    "draw-accepted",
    "draw-declined",
    "resigned",
    "timed-out",  # the seat has run out of time
    "outage-compensated",  # `started_ms`, `ended_ms`: of the outage; `milliseconds`: given back to the seat to move
    "aborted",  # before both players had moved; `declined`: by the user who was challenged; `expired`: by the server
    "imported",  # `winner`, `reason`: the result of a game that was played elsewhere
    "rematch-created",  # `match_id`: the id of the rematch
    "chat-posted",  # `text`
    "match-published",  # a private match is public from now on
]

LobbyEventType = Literal[
    "challenge-opened",  # the match looks for an opponent
    "challenge-closed",  # an opponent has joined, or the match was withdrawn
    "match-started",
    "match-finished",
]

MatchOrigin = Literal["bot", "self", "invitation", "open", "user", "import", "tournament"]  # how a match came about

EngineStatus = Literal["thinking", "warming-up"]  # of a built-in bot that is to move

BOARD_EVENTS = ("match-started", "move-played", "takeback-accepted")


@dataclass(frozen=True)
class MatchEvent:
    """An event of a match; `seat` and `user_id` name the player who caused it, if any."""

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
