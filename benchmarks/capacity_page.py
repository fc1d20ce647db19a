"""Computes from measured costs what machines carry, and writes docs/capacity.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
CLUSTER_RESULTS = [Path(__file__).with_name("results") / f"cluster-{size}.json" for size in ("small", "large", "16-cores")]
MACHINE_CORES, MACHINE_MEMORY_MB = 4, 8000
MACHINES = (1, 4, 16)
UTILISATION = 0.6  # of a core or of the memory, beyond which waiting times grow
MOVE_INTERVAL_SECONDS = 10.0  # between two moves of one player
SPECTATORS_PER_MATCH = 0.5


@dataclass(frozen=True)
class Layout:
    """How machines are used: server processes, and cores for PostgreSQL; nginx has one core."""

    machines: int
    servers: int
    database_cores: float
    server_memory_mb: float

    @classmethod
    def of(cls, machines: int) -> Layout:
        """Return the layout of some machines; from two machines on PostgreSQL has one of its own."""
        if machines == 1:
            return cls(1, MACHINE_CORES - 2, 1.0, MACHINE_MEMORY_MB / 2)
        servers = (machines - 1) * MACHINE_CORES - 1
        return cls(machines, servers, MACHINE_CORES, (machines - 1) * MACHINE_MEMORY_MB)


def compute_capacity(costs: Mapping[str, Any], layout: Layout, by_match: bool) -> dict[str, float]:
    """Return how many players each part carries.

    Per server process and player: the share of moves and of messages to spectators that the process handles, and of every
    move of the other processes a notification. `by_match` says that the players of a match are on the same process; else
    they are with probability 1/n, where n is the number of processes.
    """
    n, moves = layout.servers, 1 / MOVE_INTERVAL_SECONDS
    together = 1.0 if by_match else 1 / n
    move_ms = costs["move_ms"] * together + costs["move_split_ms"] * (1 - together)
    watching_ms = SPECTATORS_PER_MATCH * costs["spectator_message_ms"]
    own_ms = (moves * (move_ms + watching_ms) + costs["player_idle_ms"]) / n
    notified_ms = moves * costs["move_notification_ms"] * (n - 1) / n
    budget_ms = 1000 * UTILISATION
    free_mb = UTILISATION * layout.server_memory_mb - n * costs["server_memory_mb"]
    return {
        "server processes": (budget_ms - costs["server_idle_ms"]) / (own_ms + notified_ms),
        "notifications to all servers": budget_ms / notified_ms if notified_ms else float("inf"),
        "PostgreSQL": budget_ms * layout.database_cores / (moves * costs["move_database_ms"]),
        "nginx": budget_ms / (moves * costs["move_proxy_ms"]) if costs["move_proxy_ms"] else float("inf"),
        "memory of servers": 1000 * free_mb / costs["player_memory_kb"] if costs["player_memory_kb"] > 0 else float("inf"),
    }


def find_bottleneck(limits: Mapping[str, float]) -> tuple[str, int]:
    """Return the part that carries the fewest players, and how many; notifications are part of the servers' work."""
    parts = {name: limit for name, limit in limits.items() if name != "notifications to all servers"}
    name = min(parts, key=lambda part: parts[part])
    return name, round_down(parts[name])


def round_down(number: float) -> int:
    """Return a number with two significant digits."""
    digits = max(0, len(str(int(number))) - 2)
    return int(number) // 10**digits * 10**digits


def format_page(costs: Mapping[str, Any]) -> str:
    """Return the page with the measured costs and the table of machines."""
    parts = (INTRODUCTION, format_costs(costs), EXTRAPOLATION, format_machines(costs), CLOSING, CLUSTER, format_clusters())
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def format_costs(costs: Mapping[str, Any]) -> list[str]:
    """Return the table of costs."""
    player = f"{costs['player_memory_kb']:.0f} kB of the server, {costs['player_proxy_memory_kb']:.0f} kB of nginx"
    move = f"{costs['move_ms']:.2f} ms of the server, {costs['move_database_ms']:.2f} ms of PostgreSQL"
    analysis = (
        f"{costs['analysis_worker_ms']:.0f} ms of an engine worker, {costs['analysis_server_ms']:.1f} ms of the server"
    )
    rows = [
        ("a connected player", player, f"{costs['player_idle_ms']:.3f} ms a second"),
        ("a move, both players on one server", f"{costs['move_database_bytes']:.0f} bytes in the database", move),
        ("a move, the players on two servers", "", f"{costs['move_split_ms']:.2f} ms of both servers together"),
        ("a move, through nginx", "", f"{costs['move_proxy_ms']:.2f} ms of nginx"),
        ("a move, on every other server", "", f"{costs['move_notification_ms']:.3f} ms for the notification"),
        ("a message to a spectator", "", f"{costs['spectator_message_ms']:.3f} ms of the server"),
        ("a second of analysis", "", analysis),
        ("a server without players", f"{costs['server_memory_mb']:.0f} MB", f"{costs['server_idle_ms']:.1f} ms a second"),
        ("an engine worker", f"{costs['worker_memory_mb']:.0f} MB", ""),
        ("PostgreSQL with the connections of two servers", f"{costs['database_memory_mb']:.0f} MB", ""),
    ]
    table = ["| what | memory or disk | processor time |", "| --- | --- | --- |"]
    table += [f"| {what} | {memory} | {time} |" for what, memory, time in rows]
    return [f"Measured {costs['measured']}:", "", *table]


def format_clusters() -> list[str]:
    """Return the table of the stored runs of `benchmarks/cluster.py`."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in CLUSTER_RESULTS]
    columns = " | ".join(
        f"{run['settings']['sockets']:,} sockets, {run['settings']['moves_per_second']:g} moves a second" for run in found
    )
    lines = [f"| what | {columns} |", "| --- |" + " --- |" * len(found)]
    for name, describe in CLUSTER_ROWS.items():
        lines.append(f"| {name} | " + " | ".join(describe(run) for run in found) + " |")
    return lines


def describe_phase(run: Mapping[str, Any], phase: str) -> str:
    """Return the moves of a phase and when they were acknowledged."""
    found = run[phase]
    p50, p99 = (1000 * found[f"acknowledged_{share}"] for share in ("p50", "p99"))
    return f"{found['moves_per_second']:.0f} moves a second, p50 {p50:.1f} ms, p99 {p99:,.0f} ms"


def describe_reconnections(run: Mapping[str, Any]) -> str:
    """Return how long clients were away after a kill."""
    found = run["faults"]
    times = ", ".join(f"{share} {found[f'reconnection_{share}']:.1f} s" for share in ("p50", "p99", "max"))
    return f"{found['reconnections']:,} times: {times}"


CLUSTER_ROWS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "cores of the machine": lambda run: f"{run['cores']}",
    "without faults, acknowledged": lambda run: describe_phase(run, "steady"),
    "cores that were used then": lambda run: f"{sum(run['processors'].values()):.2f}",
    "servers killed": lambda run: f"{run['settings']['kills']}, one every {run['settings']['kill_interval_seconds']:g} s",
    "with faults, acknowledged": lambda run: describe_phase(run, "faults"),
    "clients without a connection": describe_reconnections,
    "PostgreSQL restarted, moves again after": lambda run: f"{run['recovery_seconds']['restart of PostgreSQL']:.1f} s",
    "all servers agree within": lambda run: f"{1000 * max(run['agreement_seconds'].values()):.0f} ms",
    "acknowledged moves lost, logs broken": lambda run: f"{sum('not all sockets' not in each for each in run['problems'])}",
}


def format_machines(costs: Mapping[str, Any]) -> list[str]:
    """Return the table of machines."""
    lines = [
        "| machines | server processes | players | moves a second | first bottleneck | next bottleneck | at random |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for machines in MACHINES:
        layout = Layout.of(machines)
        limits = compute_capacity(costs, layout, by_match=True)
        name, players = find_bottleneck(limits)
        others = {part: limit for part, limit in limits.items() if part != name}
        after, limit = find_bottleneck(others)
        _, at_random = find_bottleneck(compute_capacity(costs, layout, by_match=False))
        lines.append(
            f"| {machines} | {layout.servers} | {players:,} | {players / MOVE_INTERVAL_SECONDS:,.0f} | {name} | "
            f"{after}, at {limit:,} players | {at_random:,} |"
        )
    return lines


INTRODUCTION = """# Capacity

What a player, a move, a message and an analysis cost, and how many players some machines carry.
`python benchmarks/capacity.py` measures the costs, writes them to `benchmarks/results/capacity.json`, and writes this
page. `python benchmarks/cluster.py` tests three servers behind nginx with 3,000 sockets while servers are killed.

## Costs

Two server processes share one PostgreSQL; clients run on the same machine. Processor time and memory are those of
single processes, so that other processes on the machine do not count. Memory is proportional: shared pages are divided
by their users. A player is one socket and half a match of lariat-4x20 in memory.""".splitlines()

EXTRAPOLATION = f"""## Machines

A machine has {MACHINE_CORES} cores and {MACHINE_MEMORY_MB // 1000} GB. A player moves every {MOVE_INTERVAL_SECONDS:.0f}
seconds, and two matches have one spectator. No part is used beyond {UTILISATION:.0%}, because waiting times grow above
that. A server is one process that uses one core. One machine runs two server processes, PostgreSQL and nginx. Of several
machines one runs PostgreSQL, one core runs nginx, and every other core a server process. nginx sends the sockets of a match
to one server, as `deploy/nginx.conf` does; the last column has the players for a proxy that chooses servers at random.

The numbers are extrapolated: costs per player are linear, except that every server receives a notification of every
move, so this part of the work of a server process does not shrink when servers are added. Only up to three server processes
on one machine were tested.""".splitlines()

CLOSING = """A server process has at most 11 connections to PostgreSQL, whose `max_connections` must allow for all of them.

Analyses and bots are not part of the table: a second of analysis takes a second of a core in an engine worker.
Plan one worker for every analysis that runs at the same time, on cores of their own (`--engine-workers`).""".splitlines()


CLUSTER = """## Three servers, killed in turn

`python benchmarks/cluster.py --sockets 600 --rate 120`, and the same with 3,000 sockets and 600 moves a second on 2 and on
16 cores: clients, nginx, three servers and PostgreSQL share one machine. PostgreSQL is restarted in the middle. On 2 cores
600 moves a second use almost the whole machine before anything fails. Clients then reconnect slowly, because more than a
thousand sockets that open at once share what is left. With a core for each process they reconnect several times
faster.""".splitlines()


def write_page(costs: Mapping[str, Any]) -> None:
    """Write the page."""
    PAGE.write_text(format_page(costs), encoding="utf-8")
