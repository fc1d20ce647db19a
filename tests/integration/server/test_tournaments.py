"""Tournaments go on to their end, although servers are killed in the middle."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from ropewalk.records import read_all
from tests.support.chaos import AnyServerTransport, build_headers, request_until_answered
from tests.support.server_group import run_forked_group
from tests.support.server_process import Server, create_account

CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}
SETTINGS: dict[str, Any] = {"engine_workers": 1, "warm_up": False, "rate_limit_scale": 0}
LIMIT_SECONDS = 240.0
MIN_KILLS = 3  # while a tournament is played


class Organiser:
    """The organiser of a tournament, whose requests go to any of the servers."""

    def __init__(self, servers: Sequence[Server], seed: int, **settings: Any) -> None:
        self.servers = servers
        self.rng = random.Random(seed)
        account = create_account(servers[0], "Organiser")
        self.token = account.http.cookies["ropewalk_session"]
        self.path = f"/api/tournaments/{account.request('POST', '/api/tournaments', 201, **settings)['id']}"
        transport = AnyServerTransport(servers, seed)
        self.http = httpx.AsyncClient(base_url=servers[0].url, timeout=60, transport=transport)

    async def request(self, method: str, path: str, token: str | None = None, **body: Any) -> Any:
        """Send a request until a server answers; return its JSON."""
        headers = build_headers(token or self.token)
        return (await request_until_answered(self.http, method, path, headers, body or None)).json()

    async def kill_a_server(self) -> None:
        """Kill a server and start it again."""
        server = self.rng.choice(self.servers)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.restart)

    async def kill_servers(self, after: Sequence[int]) -> None:
        """Kill a server after each of some numbers of results; the others play on while it starts, maybe to the end."""
        killed = 0
        for number in after:
            if (await self.wait_for_results(number))["status"] == "over":
                break
            await self.kill_a_server()
            killed += 1
        assert killed >= min(len(after), MIN_KILLS), f"{killed} servers were killed in the middle"

    async def wait_for_results(self, number: int) -> Any:
        """Wait until a number of games has ended, then for a random moment. Returns the tournament."""
        until = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < until:
            view = await self.request("GET", self.path)
            if count_results(view) >= number or view["status"] == "over":
                await asyncio.sleep(self.rng.uniform(0, 0.1))
                return view
            await asyncio.sleep(0.05)
        raise TimeoutError(view)


def list_games(view: Any) -> list[Any]:
    """Return all games of a tournament."""
    return [game for each in view["rounds"] for game in each["games"]]


def count_results(view: Any) -> int:
    """Return how many games have ended."""
    return sum(game["result"] is not None for game in list_games(view))


def check_swiss(view: Any, num_players: int, num_rounds: int) -> None:
    """Require that a Swiss tournament was played as its rules say."""
    games = list_games(view)
    assert len(view["rounds"]) == num_rounds
    assert all(game["result"] in ("first", "second", "draw") for game in games)
    assert len(games) == num_rounds * num_players // 2
    assert len({frozenset((game["first"], game["second"])) for game in games}) == len(games), "nobody met twice"
    assert Counter(number for game in games for number in (game["first"], game["second"])) == dict.fromkeys(
        range(1, num_players + 1), num_rounds
    )
    assert len({game["match_id"] for game in games}) == len(games)
    points = [row["points"] for row in view["standings"]]
    assert sum(points) == len(games)
    assert points == sorted(points, reverse=True)


async def run_bot_swiss(servers: Sequence[Server], seed: int, spec: str, kills: int) -> None:
    """Run a Swiss of 16 bots, and kill servers at random moments spread over its games."""
    settings = {"name": "Sixteen bots", "format": "swiss", "spec": spec, "clock": CLOCK, "rounds": 4}
    organiser = Organiser(servers, seed, **settings)
    for _ in range(16):
        await organiser.request("POST", f"{organiser.path}/players", level=1)
    await organiser.request("POST", f"{organiser.path}/start")
    await organiser.kill_servers([1 + 31 * kill // kills for kill in range(kills)])
    check_swiss(await organiser.wait_for_results(32), 16, 4)
    await wait_for_end(organiser)
    archive = await request_until_answered(organiser.http, "GET", f"{organiser.path}/records.sgf", {}, None)
    assert len(read_all(archive.text)) == 32
    await organiser.http.aclose()


async def wait_for_end(organiser: Organiser) -> Any:
    """Wait until a tournament whose games have all ended is over."""
    until = time.monotonic() + LIMIT_SECONDS
    while (view := await organiser.request("GET", organiser.path))["status"] != "over":
        assert time.monotonic() < until, view
        await asyncio.sleep(0.05)
    return view


async def play_as(organiser: Organiser, token: str, user_id: str, rng: random.Random) -> None:
    """Play random moves in all games of a player until the tournament is over."""
    count = 0
    while (view := await organiser.request("GET", organiser.path))["status"] != "over":
        for game in list_games(view):
            if game["result"] is not None:
                continue
            match = await organiser.request("GET", f"/api/matches/{game['match_id']}")
            state = match.get("state")
            if state is None or state["seat"] is None or match["seats"][state["seat"]]["user"]["id"] != user_id:
                continue
            count += 1
            move = {"type": "move", "move": rng.choice(state["position"]["moves"]), "request_id": f"m{count}"}
            move["position_version"] = state["position_version"]
            await organiser.request("POST", f"/api/matches/{game['match_id']}/actions", token, **move)
        await asyncio.sleep(0.02)


async def run_people_round_robin(servers: Sequence[Server], seed: int, kills: int) -> None:
    """Let four people play a round robin, and kill servers in the middle."""
    settings = {"name": "Four people", "format": "round-robin", "spec": "tether-3", "clock": CLOCK, "rated": True}
    organiser = Organiser(servers, seed, **settings)
    accounts = [create_account(servers[0], f"Player {letter}") for letter in "ABCD"]
    tokens = {account.user["id"]: account.http.cookies["ropewalk_session"] for account in accounts}
    for token in tokens.values():
        await organiser.request("POST", f"{organiser.path}/players", token, key=None)
    await organiser.request("POST", f"{organiser.path}/start")
    playing = [
        asyncio.create_task(play_as(organiser, token, user_id, random.Random(seed + at)))
        for at, (user_id, token) in enumerate(tokens.items())
    ]
    await organiser.kill_servers([kill % 5 for kill in range(kills)])
    await asyncio.gather(*playing)
    view = await wait_for_end(organiser)
    games = list_games(view)
    assert len({frozenset((game["first"], game["second"])) for game in games}) == len(games) == 6
    assert sum(row["points"] for row in view["standings"]) == 6
    for account in accounts:
        await wait_for_rated_games(organiser, account.user["name"], 3)
    await organiser.http.aclose()


async def wait_for_rated_games(organiser: Organiser, name: str, number: int) -> None:
    """Wait until a player's rating counts a number of games, and no more."""
    until = time.monotonic() + LIMIT_SECONDS
    while True:
        ratings = (await organiser.request("GET", f"/api/players/{name}"))["ratings"]
        games = [rating["games"] for rating in ratings]
        if games == [number]:
            return
        assert time.monotonic() < until, games
        assert sum(games) < number, games
        await asyncio.sleep(0.1)


def test_a_swiss_of_sixteen_bots_outlives_a_killed_server(database: str) -> None:
    with run_forked_group(database, 1, with_nginx=False, **SETTINGS) as group:
        asyncio.run(run_bot_swiss(group.servers, 1, "tether-3", kills=1))


def test_a_round_robin_of_four_people_outlives_a_killed_server(database: str) -> None:
    with run_forked_group(database, 1, with_nginx=False, **SETTINGS) as group:
        asyncio.run(run_people_round_robin(group.servers, 2, kills=2))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_tournaments_outlive_many_kills_of_three_servers(cluster: Any, seed: int) -> None:
    with run_forked_group(cluster.new_database(), 3, with_nginx=False, **SETTINGS) as group:
        asyncio.run(run_bot_swiss(group.servers, 100 + seed, "tether-7", kills=10))
    with run_forked_group(cluster.new_database(), 3, with_nginx=False, **SETTINGS) as group:
        asyncio.run(run_people_round_robin(group.servers, 200 + seed, kills=10))
