"""Matches that are played while their servers are killed again and again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import httpx

from ropewalk.server.domain import clocks
from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import MatchConfig, replay_events
from tests.support.server_process import Server

SPEC, CLOCK = "tether-9", Fischer(initial_seconds=3600, increment_seconds=2)
RETRY_SECONDS = 0.02


@dataclass
class PlayedMatch:
    """A match as its two players have seen it."""

    match: str
    cookies: tuple[str, str]
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)  # events by request id
    repeats: int = 0


async def start_match(http: httpx.AsyncClient) -> PlayedMatch:
    """Create two guests and their match.

    A creation whose answer was lost is repeated; a guest who has reached the limit of open invitations gives up.
    """
    request = {"spec": SPEC, "opponent": {"kind": "invitation"}, "seat": 0, "public": True, "clock": CLOCK.model_dump()}
    while True:
        guests = [await request_until_answered(http, "POST", "/api/guests", {}, None) for _ in range(2)]
        cookies = [guest.cookies["ropewalk_session"] for guest in guests]
        created = (await request_until_answered(http, "POST", "/api/matches", build_headers(cookies[0]), request)).json()
        if created.get("code") != "too-many":
            break
    await request_until_answered(
        http, "POST", f"/api/invitations/{created['invitation']}/accept", build_headers(cookies[1]), None
    )
    return PlayedMatch(created["match"]["id"], (cookies[0], cookies[1]))


async def play_matches(
    http: httpx.AsyncClient, games: list[PlayedMatch], stop: asyncio.Event, chance: random.Random
) -> None:
    """Play one match after another until `stop` is set."""
    while not stop.is_set():
        game = await start_match(http)
        games.append(game)
        await play_match(http, game, stop, chance)


def build_headers(token: str) -> dict[str, str]:
    """Return the headers of a request with a session token."""
    return {"Cookie": f"ropewalk_session={token}", "X-Ropewalk": "1"}


async def play_match(http: httpx.AsyncClient, played: PlayedMatch, stop: asyncio.Event, chance: random.Random) -> None:
    """Play random moves, each repeated under its request id until it is acknowledged."""
    count = 0
    while True:
        state = (await request_until_answered(http, "GET", f"/api/matches/{played.match}", {}, None)).json()["state"]
        if stop.is_set() or state["status"] == "over":
            return
        count += 1
        action = {"type": "move", "move": chance.choice(state["position"]["moves"])}
        action |= {"position_version": state["position_version"], "request_id": f"m{count}"}
        headers = build_headers(played.cookies[state["seat"]])
        response = await request_until_answered(
            http, "POST", f"/api/matches/{played.match}/actions", headers, action, played
        )
        assert response.status_code == 200, response.text
        played.acknowledged[action["request_id"]] = response.json()["event"]


async def request_until_answered(
    http: httpx.AsyncClient, method: str, path: str, headers: dict[str, str], body: Any, played: PlayedMatch | None = None
) -> httpx.Response:
    """Repeat a request until the server answers with another status than 503."""
    while True:
        try:
            response = await http.request(method, path, headers=headers, json=body)
        except httpx.TransportError:
            if played is not None:
                played.repeats += 1
            await asyncio.sleep(RETRY_SECONDS)
            continue
        if response.status_code != 503:
            return response


class AnyServerTransport(httpx.AsyncHTTPTransport):
    """Sends every request to one of several servers, chosen by chance, as a load balancer would."""

    def __init__(self, servers: Sequence[Server], seed: int) -> None:
        super().__init__(limits=httpx.Limits(max_keepalive_connections=0))  # a connection does not outlive its server
        self.ports = [server.port for server in servers]
        self.rng = random.Random(seed)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to a server."""
        request.url = request.url.copy_with(port=self.rng.choice(self.ports))
        return await super().handle_async_request(request)


async def play_and_kill(servers: Sequence[Server], matches: int, kills: int, seed: int) -> list[PlayedMatch]:
    """Play matches at the same time until servers were killed `kills` times in all; check that nothing was lost."""
    rng, stop = random.Random(seed), asyncio.Event()
    transport = AnyServerTransport(servers, seed)
    async with httpx.AsyncClient(base_url=servers[0].url, timeout=60, transport=transport) as http:
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # players share connections, not cookies
        games: list[PlayedMatch] = []
        playing = [asyncio.create_task(play_matches(http, games, stop, random.Random(seed + n))) for n in range(matches)]
        for _ in range(kills):
            await wait_for_moves(games, rng)
            server = rng.choice(servers)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.restart)
        stop.set()
        await asyncio.gather(*playing)
        for game in games:
            await require_nothing_lost(http, game)
    return games


async def wait_for_moves(games: list[PlayedMatch], chance: random.Random) -> None:
    """Wait for a random number of moves, and then for a random time."""
    target = sum(len(game.acknowledged) for game in games) + chance.randrange(1, 20)
    while sum(len(game.acknowledged) for game in games) < target:
        await asyncio.sleep(0.001)
    await asyncio.sleep(chance.uniform(0, 0.02))


def event_from_json(view: dict[str, Any]) -> MatchEvent:
    """Return the event of which a client was sent a view."""
    return MatchEvent(view["seq"], view["timestamp_ms"], view["type"], view["seat"], view["user_id"], view["data"])


async def require_nothing_lost(http: httpx.AsyncClient, played: PlayedMatch) -> None:
    """Require that every acknowledged move is in the log once, under its seq, and that the state follows from the log."""
    log = [event_from_json(event) for event in (await http.get(f"/api/matches/{played.match}/events")).json()]
    view = (await http.get(f"/api/matches/{played.match}")).json()
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    by_seq = {event.seq: event for event in log}
    for acknowledged in played.acknowledged.values():
        assert by_seq[acknowledged["seq"]] == event_from_json(acknowledged)
    assert len({acknowledged["seq"] for acknowledged in played.acknowledged.values()}) == len(played.acknowledged)
    assert sum(event.type == "move-played" for event in log) == len(played.acknowledged), (
        "no move is stored twice, and none that was not sent"
    )
    require_replayed_state(log, view)


def require_replayed_state(log: list[MatchEvent], view: dict[str, Any]) -> None:
    """Require that position and clocks are those of the replayed log."""
    state, shown = replay_events(MatchConfig(SPEC, CLOCK), log), view["state"]
    assert shown["position"]["text"] == str(state.position)
    left = clocks.read_clocks(CLOCK, state.clocks, shown["server_time"])
    assert [clock["main_ms"] for clock in shown["clocks"]] == [mine.main_ms for mine in left]
    increments = sum(len(list_turns(log, seat)) for seat in (0, 1)) - (state.status == "over")  # none for the last move
    given = 2 * CLOCK.initial_seconds * 1000 + increments * CLOCK.increment_seconds * 1000
    spent = given - left[0].main_ms - left[1].main_ms
    until = shown["server_time"] if shown["seat"] is not None else state.timestamp_ms
    outages = sum(event.data["milliseconds"] for event in log if event.type == "outage-compensated")
    assert spent == until - log[0].timestamp_ms - outages, "all time is accounted for, that without a server apart"


def list_turns(log: list[MatchEvent], seat: int) -> list[MatchEvent]:
    """Return the moves of a seat; in Tether each is a turn."""
    return [event for event in log if event.type == "move-played" and event.seat == seat]
