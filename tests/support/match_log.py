"""Matches without a server: actions are decided and applied at a given time, and all events are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ropewalk.server.domain.actions import Action, Actor, Move, NewEvent, decide
from ropewalk.server.domain.clocks import ClockSettings, NoClock
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import MatchConfig, MatchState, apply_event, initial_state
from ropewalk.server.errors import ApiError

START_MS = 1000
FIRST, SECOND = SEATS = ("ann", "ben")


class MatchLog:
    """A match that has started: its state, its events and the current time."""

    def __init__(
        self,
        spec: str = "tether-5",
        clock: ClockSettings | None = None,
        seats: tuple[str, str] = SEATS,
        initial_position: str | None = None,
        is_rated: bool = False,
    ) -> None:
        self.now = START_MS
        self.events: list[MatchEvent] = []
        config = MatchConfig(spec, clock or NoClock(), is_rated, initial_position)
        self.state: MatchState = initial_state(config)
        self.append(NewEvent("match-started", data={"seats": list(seats)}))

    def append(self, new: NewEvent) -> MatchEvent:
        """Append an event at the current time, and apply it."""
        seq = self.state.seq + 1
        event = MatchEvent(seq, self.now, new.type, new.seat, new.user_id, new.data, new.request_id)
        self.state = apply_event(self.state, event)
        self.events.append(event)
        return event

    def decide(self, user_id: str, action: Action, **actor: Any) -> NewEvent:
        """Return the event of a user's action without applying it."""
        return decide(self.state, Actor(user_id, **actor), action, self.now)

    def perform(self, user_id: str, action: Action, **actor: Any) -> MatchEvent:
        """Perform an action of a user, and return its event."""
        return self.append(self.decide(user_id, action, **actor))

    def play(self, *moves: str) -> MatchEvent:
        """Play moves, each by the user to move, and return the event of the last one."""
        for move in moves:
            assert self.state.seat is not None
            user_id = self.state.seats[self.state.seat]
            assert user_id is not None
            event = self.perform(user_id, Move(move=move, position_version=self.state.position_version))
        return event


@contextmanager
def expect_error(code: str) -> Iterator[pytest.ExceptionInfo[ApiError]]:
    """Require that the block raises an API error with a code."""
    with pytest.raises(ApiError) as caught:
        yield caught
    assert caught.value.code == code, caught.value
