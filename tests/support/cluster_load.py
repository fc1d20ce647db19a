"""Load on several servers: many matches at a steady rate, while servers and their database fail."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.support.light_client import Endpoint, send_request
from tests.support.player_pair import PlayerPair, Statistics, arrange_match, create_guest
from tests.support.server_group import ServerGroup
from tests.support.stored_log import check_derived_data, check_logs, check_pair, check_view, load_stored_data

OPENED_AT_ONCE = 8  # matches that are arranged at the same time, before anything is measured
SETTLE_SECONDS = 1.0  # within which servers agree
# Every second ring of the wall of lariat-4x20: colours alternate, so that nobody wins.
LONG_SPEC = "lariat-4x20"
CELLS = [f"{ring}{number}" for ring in "fhjlnprtvx" for number in range(1, 25)]


def choose_random_move(state: dict[str, Any], rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the seat to move and a random legal move; the state must have a position."""
    move = {"type": "move", "move": rng.choice(state["position"]["moves"])}
    return state["seat"], move | {"position_version": state["position_version"]}


def choose_next_cell(state: dict[str, Any], rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the seat to move and the next move of the long game, which needs no position."""
    move = {"type": "move", "move": CELLS[state["move_count"]]}
    return state["seat"], move | {"position_version": state["position_version"]}


@dataclass(frozen=True)
class LoadSettings:
    """How many matches are played, with how many moves a second in all, and of which game."""

    matches: int
    moves_per_second: float
    spec: str = LONG_SPEC

    @property
    def interval_seconds(self) -> float:
        """The time between two moves of a match."""
        return self.matches / self.moves_per_second


class ClusterLoad:
    """Matches of two sockets each, which go through the load balancer unless `choose_endpoint` says where to."""

    def __init__(
        self,
        group: ServerGroup,
        settings: LoadSettings,
        seed: int,
        choose_endpoint: Callable[[int], Endpoint] | None = None,
    ) -> None:
        self.group = group
        self.choose_endpoint = choose_endpoint or group.endpoint
        self.settings = settings
        self.rng = random.Random(seed)
        self.statistics = Statistics()
        self.pairs: list[PlayerPair] = []

    async def open(self) -> None:
        """Arrange all matches and connect their players; each client has an address of its own."""
        some = asyncio.Semaphore(OPENED_AT_ONCE)

        async def open_one(number: int) -> None:
            async with some:
                await self.open_pair(number)

        await asyncio.gather(*(open_one(number) for number in range(self.settings.matches)))

    async def open_pair(self, number: int) -> None:
        """Arrange a match and connect its players."""
        endpoints = (self.choose_endpoint(2 * number), self.choose_endpoint(2 * number + 1))
        tokens = (await create_guest(endpoints[0]), await create_guest(endpoints[1]))
        match_id = await arrange_match(endpoints, tokens, {"spec": self.settings.spec})
        assert match_id is not None, "no match could be created"
        is_long = self.settings.spec == LONG_SPEC
        choose = choose_next_cell if is_long else choose_random_move
        rng = random.Random(self.rng.random())
        pair = PlayerPair(match_id, endpoints, tokens, self.statistics, choose, self.draw_pause, rng, positions=not is_long)
        self.pairs.append(pair)
        await pair.open()

    def set_rate(self, moves_per_second: float) -> None:
        """Play at another rate from now on."""
        self.settings = replace(self.settings, moves_per_second=moves_per_second)
        for pair in self.pairs:
            pair.act_later()

    def draw_pause(self) -> float:
        """Return a random time until the next move of a match, whose mean keeps the rate."""
        return self.rng.uniform(0.5, 1.5) * self.settings.interval_seconds

    @property
    def connected(self) -> int:
        """The number of sockets that are connected."""
        return sum(client.is_back for pair in self.pairs for client in pair.clients)

    def longest_absence(self) -> float:
        """Return how long a client has been away that is not back yet."""
        now = time.monotonic()
        return max((now - client.lost_at for pair in self.pairs for client in pair.clients
                    if client.lost_at is not None and not pair.done.is_set()), default=0.0)  # fmt: skip

    async def stop(self) -> None:
        """Stop playing as soon as everything that was sent is acknowledged."""
        for pair in self.pairs:
            pair.stop()
        await asyncio.gather(*(pair.done.wait() for pair in self.pairs))

    async def check(self, database: str) -> list[str]:
        """Return violations: what was acknowledged and is not stored, or what servers show that differs from the logs."""
        await asyncio.sleep(SETTLE_SECONDS)
        data = await load_stored_data(database)
        problems, _ = check_derived_data(data)
        problems += check_logs(data) + self.statistics.unexpected
        for pair in self.pairs:
            problems += check_pair(pair, data, ())
        for pair in self.pairs[:100]:
            for index in range(len(self.group.servers)):
                response = await send_request(self.group.server_endpoint(index), "GET", f"/api/matches/{pair.match_id}")
                view = response.json()
                problems += check_view(data.rows[pair.match_id], data.logs[pair.match_id], view)
                if view["state"]["seq"] != len(data.logs[pair.match_id]):
                    problems.append(f"match {pair.match_id}: server {index} shows event {view['state']['seq']}")
        return problems


def find_quantile(times: Sequence[float], share: float) -> float:
    """Return a quantile of measured times, 0 if there are none."""
    ordered = sorted(times)
    return ordered[int(share * (len(ordered) - 1))] if ordered else 0.0
