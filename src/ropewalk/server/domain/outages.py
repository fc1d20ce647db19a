"""Outages: times in which no server could store a move. They are not charged to the player to move.

Servers store a heartbeat; a gap between two of them is an outage. Each running match with a clock gets one event
`outage-compensated` for each outage that falls into the turn of the player to move, so that the clocks follow from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .actions import NewEvent
from .events import MatchEvent
from .match import MatchState


class Outage(NamedTuple):
    """The time between the last heartbeat before an outage and the first one after it."""

    started_ms: int
    ended_ms: int


def find_compensation(state: MatchState, log: Sequence[MatchEvent], outages: Sequence[Outage]) -> NewEvent | None:
    """Return the event that compensates the first outage of the running turn, None if there is none left.

    Args:
        state: The state after the events of `log`.
        log: All events of the match.
        outages: All outages that may concern it, sorted by their ends.
    """
    if not outages or state.timeout_at() is None:
        return None
    after = max(state.clocks.since_ms, state.compensated_until_ms)
    if outages[-1].ended_ms <= after:
        return None
    for outage in outages:
        if outage.ended_ms > after:
            lost_ms = outage.ended_ms - max(outage.started_ms, state.clocks.since_ms, last_timestamp(log, outage.ended_ms))
            if lost_ms > 0:
                data = {"started_ms": outage.started_ms, "ended_ms": outage.ended_ms, "milliseconds": lost_ms}
                return NewEvent("outage-compensated", state.seat, None, data)
    return None


def last_timestamp(log: Sequence[MatchEvent], before_ms: int) -> int:
    """Return the time of the last event before a time, at which a server was still up; 0 if there is none."""
    return next((event.timestamp_ms for event in reversed(log) if event.timestamp_ms < before_ms), 0)
