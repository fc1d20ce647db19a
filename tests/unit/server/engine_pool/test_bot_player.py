"""The built-in bots: a search for a position that has changed is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ropewalk.server.background import TaskSupervisor
from ropewalk.server.clock import ServerClock
from ropewalk.server.domain.clocks import NoClock
from ropewalk.server.domain.match import MatchConfig, MatchResult, MatchState, initial_state
from ropewalk.server.engine_pool.bot_player import BotPlayer
from ropewalk.server.engine_pool.pool import EnginePool
from ropewalk.server.matches.hub import MatchHub, Origin
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.matches.service import MatchService


class StuckPool:
    """A pool that never answers; it records requests and counts cancellations."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.cancelled_count = 0

    def is_warm(self, spec: str) -> bool:
        return True

    async def ask(self, owner: str, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled_count += 1
            raise
        raise AssertionError


class StubMatch:
    """The part of a match that a bot player uses."""

    id = "match"
    engine_status: str | None = None

    def __init__(self, state: MatchState) -> None:
        self.row = SimpleNamespace(tournament_id=None)
        self.state = state

    def wake_subscribers(self) -> None:
        pass


class StubService:
    """The part of a match service that a bot player uses."""

    def __init__(self) -> None:
        self.hub = MatchHub()
        self.clock = ServerClock()


PLAYING_STATE = replace(
    initial_state(MatchConfig("tether-3", NoClock())), seats=("level-3", "somebody"), seq=1, position_version=1
)
RESIGNED_STATE = replace(PLAYING_STATE, seq=2, result=MatchResult(0, "resign", 2))
STATE_AFTER_TAKEBACK = replace(PLAYING_STATE, seq=3, position_version=3)


def run(test: Callable[[BotPlayer, StuckPool, LiveMatch], Awaitable[None]]) -> None:
    """Run a test with a bot that searches."""

    async def go() -> None:
        pool, background = StuckPool(), TaskSupervisor()
        player = BotPlayer(cast(MatchService, StubService()), cast(EnginePool, pool), background)
        match = cast(LiveMatch, StubMatch(PLAYING_STATE))
        player.on_events(match, [], Origin.LOCAL)
        await settle()
        assert len(pool.requests) == 1
        assert match.engine_status == "thinking"
        await test(player, pool, match)
        await background.stop()

    asyncio.run(go())


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("origin", Origin)
def test_a_search_is_cancelled_when_its_match_ends(origin: Origin) -> None:
    async def test(player: BotPlayer, pool: StuckPool, match: LiveMatch) -> None:
        match.state = RESIGNED_STATE
        player.on_events(match, [], origin)
        await settle()
        assert (pool.cancelled_count, len(pool.requests)) == (1, 1)
        assert (player.turns, player.searches, match.engine_status) == ({}, {}, None)

    run(test)


def test_a_search_starts_again_when_the_position_changes() -> None:
    async def test(player: BotPlayer, pool: StuckPool, match: LiveMatch) -> None:
        match.state = STATE_AFTER_TAKEBACK
        player.on_events(match, [], Origin.LOCAL)
        await settle()
        assert (pool.cancelled_count, len(pool.requests)) == (1, 2)
        assert player.searches[match.id].position_version == STATE_AFTER_TAKEBACK.position_version

    run(test)


def test_a_search_continues_when_the_position_does_not_change() -> None:
    async def test(player: BotPlayer, pool: StuckPool, match: LiveMatch) -> None:
        match.state = replace(PLAYING_STATE, seq=2)
        player.on_events(match, [], Origin.LOCAL)
        await settle()
        assert (pool.cancelled_count, len(pool.requests)) == (0, 1)

    run(test)


def test_a_search_is_cancelled_when_the_server_stops() -> None:
    async def test(player: BotPlayer, pool: StuckPool, match: LiveMatch) -> None:
        await player.background.stop()
        await settle()
        assert pool.cancelled_count == 1

    run(test)


def test_the_request_names_what_the_level_needs() -> None:
    async def test(player: BotPlayer, pool: StuckPool, match: LiveMatch) -> None:
        (request,) = pool.requests
        assert request["action"] == "choose_move"
        assert (request["spec"], request["moves"], request["level"]) == ("tether-3", [], 3)
        assert 0 <= request["seed"] < 2**31

    run(test)
