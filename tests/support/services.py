"""Users and matches created by the services of a server in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ropewalk.server.clock import ServerClock
from ropewalk.server.db.user_repository import User
from ropewalk.server.domain.actions import Action, Actor, Move
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.matches.matchmaking import CreateMatchRequest, OpenChallenge
from ropewalk.server.services import AppServices


class FixedClock(ServerClock):
    """A clock that reads what a function returns."""

    def __init__(self, read_ms: Callable[[], int]) -> None:
        super().__init__()
        self.read_ms = read_ms

    def now_ms(self) -> int:
        return self.read_ms()


def set_clock(monkeypatch: pytest.MonkeyPatch, services: AppServices, read_ms: Callable[[], int]) -> None:
    """Replace the clock of matches and messages; the heartbeat keeps its own, so that no outage is found."""
    for owner in (services, services.matches):
        monkeypatch.setattr(owner, "clock", FixedClock(read_ms))


async def create_match(services: AppServices, user: User, opponent: Any = None, **more: Any) -> LiveMatch:
    """Create a match of a user, by default an open challenge in which the user has seat 0."""
    fields: dict[str, Any] = {"spec": "tether-5", "opponent": opponent or OpenChallenge(), "seat": 0} | more
    match, _ = await services.matchmaker.create_match(user, CreateMatchRequest(**fields))
    return match


async def start_match(services: AppServices, **more: Any) -> tuple[User, User, LiveMatch]:
    """Return two guests and their match; the first has seat 0."""
    first, second = await services.users.add_guest(), await services.users.add_guest()
    match = await create_match(services, first, **more)
    await services.matches.join(match, second)
    return first, second, match


async def perform(services: AppServices, match: LiveMatch, user: User, action: Action) -> MatchEvent:
    """Perform an action of a user."""
    return await services.matches.perform(match, Actor(user.id), action)


async def play(services: AppServices, match: LiveMatch, user: User, move: str, request_id: str | None = None) -> MatchEvent:
    """Play a move of a user in the current position of a match."""
    version = match.state.position_version
    return await perform(services, match, user, Move(move=move, position_version=version, request_id=request_id))


async def load_types(services: AppServices, match_id: str) -> list[str]:
    """Return the types of the events of a match that the database has."""
    return [event.type for event in await services.match_repository.load_events(match_id)]
