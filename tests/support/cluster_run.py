"""The test of several servers at full load: servers are killed in turn, PostgreSQL is restarted, and everything is timed."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.support.agreement import measure_agreement
from tests.support.cluster_load import ClusterLoad, LoadSettings, find_quantile
from tests.support.nginx import list_children
from tests.support.player_pair import Statistics
from tests.support.postgres import Cluster
from tests.support.server_group import ServerGroup, run_forked_group

AGREEMENT_SPEC = "tether-5"
POLL_SECONDS = 0.1
OPENING_MOVES_PER_SECOND = 1.0  # while sockets are opened, so that nobody plays before everybody is there
SETTLE_SECONDS = 3.0  # between the opening and the first measurement
MAX_RECOVERY_SECONDS = 60.0


@dataclass(frozen=True)
class ClusterSettings:
    """How large the test is."""

    sockets: int = 3000
    moves_per_second: float = 600.0
    servers: int = 3
    steady_seconds: float = 20.0  # without faults, in which processor time is measured
    kills: int = 4
    kill_interval_seconds: float = 20.0
    seed: int = 1
    by_match: bool = True  # nginx sends a match to one server, as in `deploy/nginx.conf`; else at random


@dataclass
class PhaseFigures:
    """The figures of one phase: times in seconds, from the first attempt of a move."""

    seconds: float
    moves: int
    moves_per_second: float
    acknowledged_p50: float
    acknowledged_p99: float
    acknowledged_max: float
    arrived_p50: float  # at the opponent's socket
    arrived_p99: float
    reconnections: int
    reconnection_p50: float
    reconnection_p99: float
    reconnection_max: float


@dataclass
class ClusterFigures:
    """Everything that the test has measured."""

    settings: ClusterSettings
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)  # of the machine, for everything together
    open_seconds: float = 0.0  # until all matches were arranged and all sockets open
    steady: PhaseFigures | None = None
    faults: PhaseFigures | None = None
    processors: dict[str, float] = field(default_factory=dict)  # cores used in the steady phase, by process
    memory_mb: dict[str, float] = field(default_factory=dict)
    recovery_seconds: dict[str, float] = field(default_factory=dict)  # until all sockets were connected after a fault
    agreement_seconds: dict[str, float] = field(default_factory=dict)  # the longest of all measurements
    repeats: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the figures for a file."""
        return asdict(self)


def compute_phase(statistics: Statistics, seconds: float) -> PhaseFigures:
    """Return the figures of the times that were measured in a phase."""
    latencies, arrivals, absences = statistics.latencies, statistics.arrivals, statistics.reconnections
    return PhaseFigures(
        seconds, len(latencies), len(latencies) / seconds,
        find_quantile(latencies, 0.5), find_quantile(latencies, 0.99), max(latencies, default=0.0),
        find_quantile(arrivals, 0.5), find_quantile(arrivals, 0.99),
        len(absences), find_quantile(absences, 0.5), find_quantile(absences, 0.99), max(absences, default=0.0),
    )  # fmt: skip


def run_cluster_test(settings: ClusterSettings, report: Callable[[str], None]) -> ClusterFigures:
    """Run the test with PostgreSQL, servers and nginx of its own.

    Servers are forked: on a machine of its own, a killed server would not take the processor time of its start from others.
    """
    cluster = Cluster()
    with ExitStack() as stack:
        stack.callback(cluster.stop)
        cluster.start()
        database = cluster.new_database()
        group = stack.enter_context(
            run_forked_group(database, settings.servers, by_match=settings.by_match, engine_workers=0, rate_limit_scale=1)
        )
        return asyncio.run(ClusterRun(settings, group, cluster, database, report).run())


class ClusterRun:
    """One run of the test."""

    def __init__(
        self,
        settings: ClusterSettings,
        group: ServerGroup,
        cluster: Cluster,
        database: str,
        report: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.group = group
        self.cluster = cluster
        self.database = database
        self.report = report
        self.figures = ClusterFigures(settings)
        self.load = ClusterLoad(group, LoadSettings(settings.sockets // 2, OPENING_MOVES_PER_SECOND), settings.seed)

    async def run(self) -> ClusterFigures:
        """Open all sockets, measure without faults, then with faults; check everything at the end."""
        figures, began = self.figures, time.monotonic()
        await self.load.open()
        await self.wait_until_connected("opening")
        figures.open_seconds = time.monotonic() - began
        self.report(f"{self.load.connected} sockets open after {figures.open_seconds:.0f} s")
        self.load.set_rate(self.settings.moves_per_second)
        await asyncio.sleep(SETTLE_SECONDS)
        await self.measure_steady_phase()
        await self.measure_fault_phase()
        await self.load.stop()
        figures.problems += await self.load.check(self.database)
        figures.repeats, figures.errors = self.load.statistics.repeats, dict(self.load.statistics.errors)
        return figures

    async def measure_steady_phase(self) -> None:
        """Measure without faults, with the processor time of every process."""
        await self.measure_agreement()
        self.load.statistics.clear_times()
        before, began = self.read_processor_seconds(), time.monotonic()
        await asyncio.sleep(self.settings.steady_seconds)
        seconds, after = time.monotonic() - began, self.read_processor_seconds()
        self.figures.processors = {name: (after[name] - before[name]) / seconds for name in after}
        self.figures.memory_mb = {name: sum(map(read_memory_mb, pids)) for name, pids in self.list_processes().items()}
        self.figures.steady = compute_phase(self.load.statistics, seconds)
        self.report(f"steady: {format_phase(self.figures.steady)}")

    async def measure_fault_phase(self) -> None:
        """Kill servers in turn, and restart PostgreSQL once in the middle."""
        self.load.statistics.clear_times()
        began = time.monotonic()
        for number in range(self.settings.kills):
            ends = time.monotonic() + self.settings.kill_interval_seconds
            if number == self.settings.kills // 2:
                await self.restart_database()
            await self.kill_server(number)
            await self.measure_agreement()
            await asyncio.sleep(max(0.0, ends - time.monotonic()))
        self.figures.faults = compute_phase(self.load.statistics, time.monotonic() - began)
        self.report(f"faults: {format_phase(self.figures.faults)}")

    async def kill_server(self, number: int) -> None:
        """Kill a server, start it again, and wait until all of its clients are connected."""
        server = self.group.servers[number % len(self.group.servers)]
        await asyncio.to_thread(server.kill)
        starting = asyncio.create_task(asyncio.to_thread(server.restart))
        await self.wait_until_connected(f"kill {number + 1}")
        await starting

    async def restart_database(self) -> None:
        """Restart PostgreSQL, and wait until moves are acknowledged again."""
        began = time.monotonic()
        await asyncio.to_thread(self.cluster.stop_server)
        await asyncio.to_thread(self.cluster.start_server)
        before = self.load.statistics.acknowledged
        while self.load.statistics.acknowledged < before + self.settings.moves_per_second / 10:
            await asyncio.sleep(POLL_SECONDS)
        self.note_recovery("restart of PostgreSQL", began)
        await self.wait_until_connected("sockets after the restart of PostgreSQL")

    async def wait_until_connected(self, what: str) -> None:
        """Wait until all sockets are connected, and note how long that took."""
        began = time.monotonic()
        while self.load.connected < 2 * sum(not pair.done.is_set() for pair in self.load.pairs):
            if time.monotonic() - began > MAX_RECOVERY_SECONDS:
                self.figures.problems.append(f"{what}: not all sockets are connected after {MAX_RECOVERY_SECONDS:.0f} s")
                break
            await asyncio.sleep(POLL_SECONDS)
        self.note_recovery(what, began)

    def note_recovery(self, what: str, began: float) -> None:
        """Keep and report the time since a fault."""
        self.figures.recovery_seconds[what] = time.monotonic() - began
        self.report(f"{what}: {self.figures.recovery_seconds[what]:.1f} s")

    async def measure_agreement(self) -> None:
        """Measure how soon all servers agree; the longest time of each kind is kept."""
        kept = self.figures.agreement_seconds
        try:
            found = await measure_agreement(self.group, AGREEMENT_SPEC, random.Random())
        except TimeoutError as error:
            self.figures.problems.append(f"agreement: {error}")
            return
        self.figures.agreement_seconds = {name: max(kept.get(name, 0.0), seconds) for name, seconds in found.items()}

    def list_processes(self) -> dict[str, list[int]]:
        """Return the ids of all processes, by name."""
        servers = {
            f"server {n + 1}": [server.pid, *list_children(server.pid)] for n, server in enumerate(self.group.servers)
        }
        assert self.group.nginx is not None
        others = {"nginx": [self.group.nginx.worker_pid], "postgresql": self.cluster.list_pids(), "clients": [os.getpid()]}
        return servers | others

    def read_processor_seconds(self) -> dict[str, float]:
        """Return the processor time of all processes, by name."""
        return {name: sum(map(read_processor_seconds, pids)) for name, pids in self.list_processes().items()}


def read_processor_seconds(pid: int) -> float:
    """Return the processor time that the threads of a process have used, 0 if it has ended."""
    try:
        threads = list(Path(f"/proc/{pid}/task").glob("*/schedstat"))
        return sum(int(thread.read_text(encoding="utf-8").split()[0]) for thread in threads) / 1e9
    except OSError:
        return 0.0


def read_memory_mb(pid: int) -> float:
    """Return the proportional memory of a process, in which shared pages are divided by their users."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1000 for line in text.splitlines() if line.startswith("Pss:"))


def format_phase(figures: PhaseFigures) -> str:
    """Return the figures of a phase in one line."""
    return (
        f"{figures.moves_per_second:.0f} moves a second; acknowledged p50 {1000 * figures.acknowledged_p50:.1f} ms, "
        f"p99 {1000 * figures.acknowledged_p99:.0f} ms, max {figures.acknowledged_max:.1f} s; at the opponent p50 "
        f"{1000 * figures.arrived_p50:.1f} ms, p99 {1000 * figures.arrived_p99:.0f} ms; {figures.reconnections} "
        f"reconnections, p50 {figures.reconnection_p50:.1f} s, p99 {figures.reconnection_p99:.1f} s, "
        f"max {figures.reconnection_max:.1f} s"
    )


def format_figures(figures: ClusterFigures) -> str:
    """Return all figures as text."""
    lines = [f"{name}: {cores:.2f} cores, {figures.memory_mb[name]:.0f} MB" for name, cores in figures.processors.items()]
    lines += [f"agreement, {name}: {1000 * seconds:.0f} ms" for name, seconds in figures.agreement_seconds.items()]
    lines.append(f"moves repeated: {figures.repeats}; errors: {figures.errors or 'none'}")
    lines += [f"VIOLATION {problem}" for problem in figures.problems[:20]]
    return "\n".join([*lines, f"violations: {len(figures.problems)}"])
