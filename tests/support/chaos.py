"""Matches that continue while their server is killed repeatedly."""

from __future__ import annotations

import asyncio
import random
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
PATIENCE = 0.02


@dataclass
class Played:
    """One match from the point of view of its two players."""

    match: str
    cookies: tuple[str, str]
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)  # events by the client's id
    repeats: int = 0


async def begin(http: httpx.AsyncClient) -> Played:
    """Create two guests and their match."""
    cookies = [(await patiently(http, "POST", "/api/guests", {}, None)).cookies["ropewalk_session"] for _ in range(2)]
    wish = {"spec": SPEC, "opponent": {"kind": "invitation"}, "seat": 0, "clock": CLOCK.model_dump()}
    made = (await patiently(http, "POST", "/api/matches", cookie(cookies[0]), wish)).json()
    await patiently(http, "POST", f"/api/invitations/{made['invitation']}/accept", cookie(cookies[1]), None)
    return Played(made["match"]["id"], (cookies[0], cookies[1]))


async def play_on(http: httpx.AsyncClient, games: list[Played], stop: asyncio.Event, chance: random.Random) -> None:
    """Play match after match."""
    while not stop.is_set():
        game = await begin(http)
        games.append(game)
        await play(http, game, stop, chance)


def cookie(secret: str) -> dict[str, str]:
    """Return the headers that identify a user."""
    return {"Cookie": f"ropewalk_session={secret}", "X-Ropewalk": "1"}


async def play(http: httpx.AsyncClient, played: Played, stop: asyncio.Event, chance: random.Random) -> None:
    """Play move after move; each is repeated with its id until it is acknowledged."""
    count = 0
    while True:
        state = (await patiently(http, "GET", f"/api/matches/{played.match}", {}, None)).json()["state"]
        if stop.is_set() or state["status"] == "over":
            return
        count += 1
        action = {"type": "move", "move": chance.choice(state["position"]["moves"])}
        action |= {"position_version": state["position_version"], "request_id": f"m{count}"}
        headers = cookie(played.cookies[state["seat"]])
        answer = await patiently(http, "POST", f"/api/matches/{played.match}/actions", headers, action, played)
        assert answer.status_code == 200, answer.text
        played.acknowledged[action["request_id"]] = answer.json()["event"]


async def patiently(
    http: httpx.AsyncClient, method: str, path: str, headers: dict[str, str], body: Any, played: Played | None = None
) -> httpx.Response:
    """Repeat a request until there is a response: the server may be down or restarting."""
    while True:
        try:
            answer = await http.request(method, path, headers=headers, json=body)
        except httpx.TransportError:
            if played is not None:
                played.repeats += 1
            await asyncio.sleep(PATIENCE)
            continue
        if answer.status_code != 503:
            return answer


async def play_and_kill(server: Server, matches: int, kills: int, seed: int) -> list[Played]:
    """Play all matches at once until the server has been killed the given number of times."""
    chance, stop = random.Random(seed), asyncio.Event()
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as http:
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # players share connections, not cookies
        games: list[Played] = []
        playing = [asyncio.create_task(play_on(http, games, stop, random.Random(seed + n))) for n in range(matches)]
        for _ in range(kills):
            await some_more_moves(games, chance)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.restart)
        stop.set()
        await asyncio.gather(*playing)
        for game in games:
            await require_nothing_lost(http, game)
    return games


async def some_more_moves(games: list[Played], chance: random.Random) -> None:
    """Wait until the players have moved, and for a random time."""
    wanted = sum(len(game.acknowledged) for game in games) + chance.randrange(1, 20)
    while sum(len(game.acknowledged) for game in games) < wanted:
        await asyncio.sleep(0.001)
    await asyncio.sleep(chance.uniform(0, 0.02))


def event_from_json(view: dict[str, Any]) -> MatchEvent:
    """Return the event of which a client was sent a view."""
    return MatchEvent(view["seq"], view["timestamp_ms"], view["type"], view["seat"], view["user_id"], view["data"])


async def require_nothing_lost(http: httpx.AsyncClient, played: Played) -> None:
    """Require every acknowledged move once in the log, under its seq, and a match state that agrees with the log."""
    log = [event_from_json(event) for event in (await http.get(f"/api/matches/{played.match}/events")).json()]
    view = (await http.get(f"/api/matches/{played.match}")).json()
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    by_seq = {event.seq: event for event in log}
    for acknowledged in played.acknowledged.values():
        assert by_seq[acknowledged["seq"]] == event_from_json(acknowledged)
    assert len({acknowledged["seq"] for acknowledged in played.acknowledged.values()}) == len(played.acknowledged)
    assert sum(event.type == "move-played" for event in log) == len(played.acknowledged), "none twice, none that nobody sent"
    require_right_state(log, view)


def require_right_state(log: list[MatchEvent], view: dict[str, Any]) -> None:
    """Require the position and clocks that follow from the log alone."""
    state, shown = replay_events(MatchConfig(SPEC, CLOCK), log), view["state"]
    assert shown["position"]["text"] == str(state.position)
    left = clocks.read_clocks(CLOCK, state.clocks, shown["server_time"])
    assert [clock["main_ms"] for clock in shown["clocks"]] == [mine.main_ms for mine in left]
    spent = sum(
        CLOCK.initial_seconds * 1000 + CLOCK.increment_seconds * 1000 * len(turns(log, seat)) - left[seat].main_ms
        for seat in (0, 1)
    )
    assert spent == (shown["server_time"] if shown["seat"] is not None else state.timestamp_ms) - log[0].timestamp_ms, (
        "all time is accounted for"
    )


def turns(log: list[MatchEvent], seat: int) -> list[MatchEvent]:
    """Return the moves of a seat, each of which is a turn here."""
    return [event for event in log if event.type == "move-played" and event.seat == seat]
