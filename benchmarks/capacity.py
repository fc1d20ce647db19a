"""What a connected player, a move, a message to a spectator and a second of analysis cost, and what machines carry.

    python benchmarks/capacity.py [--players 400] [--rate 150] [--seconds 15]     measures, and writes results/capacity.json
    python benchmarks/capacity.py --page                                          writes docs/capacity.md from that file

Two servers share one PostgreSQL. Costs are differences of processor time and memory of single processes, so that they hold
although clients run on the same machine. The table for several machines is computed from the costs: see `compute_capacity`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ropewalk
from benchmarks.capacity_page import write_page
from tests.support.agreement import follow
from tests.support.cluster_load import LONG_SPEC, ClusterLoad, LoadSettings, choose_next_cell
from tests.support.cluster_run import read_memory_mb, read_processor_seconds
from tests.support.light_client import Endpoint, send_request
from tests.support.nginx import list_children
from tests.support.player_pair import PlayerPair, Statistics, arrange_match, create_guest
from tests.support.postgres import Cluster
from tests.support.server_group import ServerGroup, format_address, run_group

RESULTS = Path(__file__).parent / "results" / "capacity.json"
IDLE_RATE = 1e-6  # moves a second of players who only follow
ANALYSIS_SPEC = "tether-9"
WARM_UP_MATCHES = 5


@dataclass(frozen=True)
class Costs:
    """Costs of single things; processor times are milliseconds, memory is kilobytes unless the name says otherwise."""

    measured: str  # when, and on what
    server_memory_mb: float
    worker_memory_mb: float
    database_memory_mb: float
    player_memory_kb: float  # of the server; a player has one socket and half a match
    player_proxy_memory_kb: float
    player_idle_ms: float  # a second
    server_idle_ms: float  # a second
    move_ms: float  # of the server, both players connected to it
    move_split_ms: float  # of both servers together, the players connected to different ones
    move_notification_ms: float  # of every other server
    move_database_ms: float
    move_proxy_ms: float
    move_database_bytes: float
    spectator_message_ms: float
    analysis_worker_ms: float  # a second of analysis
    analysis_server_ms: float


class Meter:
    """Reads the processor time of processes between two moments."""

    def __init__(self, **processes: list[int]) -> None:
        self.processes = processes
        self.restart()

    def restart(self) -> None:
        self.began = time.monotonic()
        self.before = self.read()

    def read(self) -> dict[str, float]:
        return {name: 1000 * sum(map(read_processor_seconds, pids)) for name, pids in self.processes.items()}

    def elapsed_ms(self) -> dict[str, float]:
        """Return the processor time since the start, in milliseconds."""
        after = self.read()
        return {name: after[name] - self.before[name] for name in after}


class CapacityRun:
    """Measures all costs, one after another."""

    def __init__(self, group: ServerGroup, cluster: Cluster, database: str, settings: argparse.Namespace) -> None:
        self.group = group
        self.cluster = cluster
        self.database = database
        self.settings = settings
        self.figures: dict[str, float] = {}

    @property
    def first(self) -> int:
        return self.group.servers[0].pid

    def make_meter(self) -> Meter:
        assert self.group.nginx is not None
        first, second = (server.pid for server in self.group.servers)
        return Meter(first=[first], second=[second], database=self.cluster.list_pids(), proxy=[self.group.nginx.worker_pid])

    async def run(self) -> dict[str, float]:
        self.figures["server_memory_mb"] = read_memory_mb(self.first)
        await self.warm_up()
        await self.measure_players()
        await self.measure_moves("split", self.choose_either_server)
        await self.measure_moves("proxy", self.group.endpoint)
        await self.measure_spectators()
        await self.measure_analysis()
        self.figures["database_memory_mb"] = sum(map(read_memory_mb, self.cluster.list_pids()))
        return self.figures

    def connect_directly(self, number: int, server: int) -> Endpoint:
        """Return where a numbered client connects to a server without nginx."""
        return Endpoint(self.group.servers[server].port, format_address(number))

    def make_load(self, choose_endpoint: Callable[[int], Endpoint]) -> ClusterLoad:
        settings = LoadSettings(self.settings.players // 2, IDLE_RATE)
        return ClusterLoad(self.group, settings, 1, choose_endpoint)

    async def warm_up(self) -> None:
        """Play some moves, so that both servers have loaded everything that does not depend on the number of players."""
        load = ClusterLoad(self.group, LoadSettings(WARM_UP_MATCHES, 2 * WARM_UP_MATCHES), 1, self.choose_either_server)
        await load.open()
        await asyncio.sleep(3)
        await load.stop()

    def choose_either_server(self, number: int) -> Endpoint:
        """Return where a client connects if the players of a match are on different servers."""
        return self.connect_directly(number, number % 2)

    def choose_first_server(self, number: int) -> Endpoint:
        """Return where a client connects if all players are on the first server."""
        return self.connect_directly(number, 0)

    async def measure_players(self) -> None:
        """Measure players of the first server who only follow, then their moves."""
        meter = self.make_meter()
        await asyncio.sleep(self.settings.seconds)
        idle_ms = meter.elapsed_ms()["first"] / self.settings.seconds
        load, before_mb = self.make_load(self.choose_first_server), read_memory_mb(self.first)
        await load.open()
        await asyncio.sleep(1)
        self.figures["player_memory_kb"] = 1000 * (read_memory_mb(self.first) - before_mb) / self.settings.players
        meter.restart()
        await asyncio.sleep(self.settings.seconds)
        with_players_ms = meter.elapsed_ms()["first"] / self.settings.seconds
        self.figures |= {"server_idle_ms": idle_ms}
        self.figures |= {"player_idle_ms": max(0.0, with_players_ms - idle_ms) / self.settings.players}
        size = await self.read_database_bytes()
        spent, moves = await self.play(load)
        self.figures["move_ms"] = (spent["first"] - idle_ms * self.settings.seconds) / moves
        self.figures["move_notification_ms"] = max(0.0, spent["second"] - idle_ms * self.settings.seconds) / moves
        self.figures["move_database_ms"] = spent["database"] / moves
        self.figures["move_database_bytes"] = (await self.read_database_bytes() - size) / moves
        await load.stop()

    async def measure_moves(self, name: str, choose_endpoint: Callable[[int], Endpoint]) -> None:
        """Measure moves of players who are connected in another way."""
        assert self.group.nginx is not None
        load, before_mb = self.make_load(choose_endpoint), read_memory_mb(self.group.nginx.worker_pid)
        await load.open()
        await asyncio.sleep(1)
        grown_mb = read_memory_mb(self.group.nginx.worker_pid) - before_mb
        spent, moves = await self.play(load)
        if name == "proxy":
            self.figures["player_proxy_memory_kb"] = 1000 * grown_mb / self.settings.players
            self.figures["move_proxy_ms"] = spent["proxy"] / moves
        else:
            idle_ms = 2 * self.figures["server_idle_ms"] * self.settings.seconds
            self.figures["move_split_ms"] = (spent["first"] + spent["second"] - idle_ms) / moves
        await load.stop()

    async def play(self, load: ClusterLoad) -> tuple[dict[str, float], int]:
        """Let all players move for some seconds. Returns the processor times and the number of moves."""
        load.set_rate(self.settings.rate)
        await asyncio.sleep(2)
        meter, before = self.make_meter(), load.statistics.acknowledged
        await asyncio.sleep(self.settings.seconds)
        return meter.elapsed_ms(), max(1, load.statistics.acknowledged - before)

    async def read_database_bytes(self) -> int:
        """Return the size of the database."""
        import asyncpg

        connection = await asyncpg.connect(self.database)
        try:
            size: int = await connection.fetchval("SELECT pg_database_size(current_database())")
        finally:
            await connection.close()
        return size

    async def measure_spectators(self) -> None:
        """Measure messages to spectators: the difference between a match with and without them."""
        without, few_moves = await self.measure_watched_match(0)
        spent, moves = await self.measure_watched_match(self.settings.spectators)
        self.figures["spectator_message_ms"] = max(0.0, spent / moves - without / few_moves) / self.settings.spectators

    async def measure_watched_match(self, spectators: int) -> tuple[float, int]:
        """Return the processor time of a server whose match has spectators, in milliseconds, and the number of moves."""
        endpoints = (self.connect_directly(1, 0), self.connect_directly(2, 0))
        tokens = (await create_guest(endpoints[0]), await create_guest(endpoints[1]))
        match_id = await arrange_match(endpoints, tokens, {"spec": LONG_SPEC})
        assert match_id is not None
        path = f"/api/matches/{match_id}/stream?positions=false"
        with ExitStack() as stack:
            for number in range(spectators):
                await follow(stack, self.connect_directly(1000 + number, 0), path)
            statistics = Statistics()
            pair = PlayerPair(
                match_id, endpoints, tokens, statistics, choose_next_cell, lambda: 0.1, random.Random(1), positions=False
            )
            await pair.open()
            await asyncio.sleep(1)
            meter, before = self.make_meter(), statistics.acknowledged
            await asyncio.sleep(self.settings.seconds)
            spent, moves = meter.elapsed_ms()["first"], statistics.acknowledged - before
            pair.stop()
            await pair.done.wait()
        return spent, max(1, moves)

    async def measure_analysis(self) -> None:
        """Measure an analysis of some seconds in a worker process."""
        endpoint = self.connect_directly(1, 0)
        token = await create_guest(endpoint)
        body = {"spec": ANALYSIS_SPEC, "seconds": 5}
        await send_request(endpoint, "POST", "/api/positions/analyse", token, body | {"seconds": 1})  # starts the worker
        workers = list_children(self.first)
        meter, began = Meter(first=[self.first], workers=workers), time.monotonic()
        await send_request(endpoint, "POST", "/api/positions/analyse", token, body)
        seconds, spent = time.monotonic() - began, meter.elapsed_ms()
        self.figures["analysis_worker_ms"] = spent["workers"] / seconds
        self.figures["analysis_server_ms"] = spent["first"] / seconds
        self.figures["worker_memory_mb"] = max(map(read_memory_mb, workers), default=0.0)


def measure(settings: argparse.Namespace) -> Costs:
    """Measure all costs with PostgreSQL, nginx and servers of their own."""
    busy = os.getloadavg()[0]
    for spec in (LONG_SPEC, ANALYSIS_SPEC):
        ropewalk.game(spec)._stepper.compile()  # so that servers find the kernels when they start
    cluster = Cluster()
    with ExitStack() as stack:
        stack.callback(cluster.stop)
        cluster.start()
        database = cluster.new_database()
        group = stack.enter_context(run_group(database, 2))
        figures = asyncio.run(CapacityRun(group, cluster, database, settings).run())
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    load = f"{settings.players} players, {settings.rate:g} moves a second, load average before {busy:.1f}"
    return Costs(measured=f"{time.strftime('%Y-%m-%d')}, {machine}, {load}", **figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--rate", type=float, default=150.0, help="moves a second (150)")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each measurement (15)")
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument(
        "--page", action="store_true", help="write docs/capacity.md from the stored figures, measure nothing"
    )
    settings = parser.parse_args()
    if not settings.page:
        RESULTS.parent.mkdir(exist_ok=True)
        costs = measure(settings)
        RESULTS.write_text(json.dumps(asdict(costs), indent=2) + "\n", encoding="utf-8")
        print(RESULTS.read_text(encoding="utf-8"))
    write_page(json.loads(RESULTS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
