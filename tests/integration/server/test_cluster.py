"""Several servers on one PostgreSQL behind nginx: clients notice little when one of them dies."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ropewalk.server.api.rate_limit import OPEN_LIMITS, VISITOR_FACTOR
from tests.support import light_client
from tests.support.agreement import follow, measure_agreement
from tests.support.cluster_load import ClusterLoad, LoadSettings
from tests.support.cluster_run import ClusterSettings, format_figures, run_cluster_test
from tests.support.light_client import ReconnectingClient
from tests.support.postgres import Cluster
from tests.support.server_group import ServerGroup, run_forked_group

WEB = Path(__file__).parents[3] / "web" / "src" / "lib"
MAX_ABSENCE_SECONDS = 5.0
MAX_DISAGREEMENT_SECONDS = 1.0
BUSY_FACTOR = 5  # how much slower servers may be while other tests run; the slow test and benchmarks/cluster.py measure


@pytest.fixture(scope="module")
def group(cluster: Cluster) -> Iterator[ServerGroup]:
    with run_forked_group(cluster.new_database(), 3, rate_limit_scale=1) as running:
        yield running


def test_a_killed_server_loses_nothing_and_its_clients_are_back_within_seconds(group: ServerGroup) -> None:
    asyncio.run(play_while_a_server_dies(group))


async def play_while_a_server_dies(group: ServerGroup) -> None:
    load = ClusterLoad(group, LoadSettings(matches=20, moves_per_second=60, spec="tether-9"), seed=1)
    await load.open()
    await asyncio.sleep(2)
    await asyncio.to_thread(group.servers[1].kill)
    await asyncio.sleep(1)
    await asyncio.to_thread(group.servers[1].restart)
    async with asyncio.timeout(BUSY_FACTOR * MAX_ABSENCE_SECONDS):
        while load.connected < 2 * sum(not pair.done.is_set() for pair in load.pairs):
            await asyncio.sleep(0.1)
    await load.stop()
    assert await load.check(group.servers[0].database) == []
    assert load.statistics.acknowledged > 100
    assert load.statistics.reconnections, "some clients were connected to the server that was killed"
    assert max(load.statistics.reconnections) < BUSY_FACTOR * MAX_ABSENCE_SECONDS


def test_servers_agree_within_seconds(group: ServerGroup) -> None:
    times = asyncio.run(measure_agreement(group, "tether-9", random.Random(1)))
    assert max(times.values()) < BUSY_FACTOR * MAX_DISAGREEMENT_SECONDS, times


@pytest.mark.slow
def test_three_thousand_sockets_and_six_hundred_moves_a_second_survive_kills_and_a_restart_of_the_database() -> None:
    figures = run_cluster_test(ClusterSettings(), print)
    print(format_figures(figures))
    assert figures.problems == []
    assert figures.steady is not None
    assert figures.steady.moves_per_second > 550
    assert figures.faults is not None
    assert figures.faults.reconnection_max < MAX_ABSENCE_SECONDS
    assert max(figures.agreement_seconds.values()) < MAX_DISAGREEMENT_SECONDS


def test_limits_count_the_addresses_of_clients_behind_a_proxy(group: ServerGroup) -> None:
    asyncio.run(open_many_sockets(group))


async def open_many_sockets(group: ServerGroup) -> None:
    limit = OPEN_LIMITS["WebSockets"].by_user * VISITOR_FACTOR * len(group.servers)  # each server counts its own sockets
    with ExitStack() as stack:
        refused: list[Any] = []
        for _ in range(2 * limit):
            client = ReconnectingClient(group.endpoint(9000), lambda: "/api/lobby/stream", None, refused.append)
            stack.callback(client.close)
            await client.connect()
        for _ in range(400):
            if "error" in [message["type"] for message in refused]:
                break
            await asyncio.sleep(0.01)
        assert "too-many" in [message.get("code") for message in refused]
        assert [message["type"] for message in await follow(stack, group.endpoint(9001), "/api/lobby/stream")] == [
            "snapshot"
        ]


def test_the_clients_of_the_tests_reconnect_as_the_page_does() -> None:
    source = (WEB / "api" / "socket.ts").read_text(encoding="utf-8")
    constants = {name: int(value.replace("_", "")) for name, value in re.findall(r"const (\w+_MS) = ([\d_]+);", source)}
    assert constants["FIRST_DELAY_MS"] == light_client.FIRST_DELAY_SECONDS * 1000
    assert constants["STABLE_MS"] == light_client.STABLE_SECONDS * 1000
    store = (WEB / "match" / "matchStore.svelte.ts").read_text(encoding="utf-8")
    assert f"MAX_DELAY_MS = {light_client.MAX_DELAY_SECONDS * 1000:_.0f};" in store
