"""A fault test: players play while faults are injected, and the invariants of the stored logs are checked all the time."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ropewalk.server.db.backup import back_up
from ropewalk.server.db.database import parse_url
from ropewalk.server.errors import ApiError
from tests.chaos.environment import Environment, run_environment
from tests.chaos.faults import FaultInjector
from tests.chaos.plan import Fault, choose_weights, make_plan
from tests.chaos.report import format_table, keep_evidence, list_rows, read_memory_bytes, to_megabytes
from tests.chaos.workload import Workload
from tests.support.light_client import send_request
from tests.support.stored_log import (
    StoredData,
    check_derived_data,
    check_logs,
    check_pair,
    check_ratings,
    check_view,
    load_stored_data,
)

CHECK_SECONDS = 5.0
STOP_SECONDS = 60.0  # for the acknowledgement of everything that was sent, after the last fault
SETTLE_SECONDS = 2.0  # for ratings and notifications, after the last action
MAX_VIEWS = 50  # matches whose views are compared with their logs at the end


@dataclass(frozen=True)
class ChaosSettings:
    """What a fault test runs on, how long, and by which plan."""

    database: str = "postgresql"
    seconds: float = 300.0
    seed: int = 1
    servers: int = 3
    matches: int = 30
    evidence: Path = Path("build/chaos")


@dataclass
class ChaosResult:
    """What a fault test has found."""

    faults: Counter[str] = field(default_factory=Counter)
    failed_faults: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    problems: list[str] = field(default_factory=list)
    memory_before: list[int] = field(default_factory=list)
    memory_after: list[int] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    evidence: Path | None = None  # the folder of a run that broke an invariant

    @property
    def summary(self) -> str:
        """The table at the end."""
        return format_table(list(list_rows(self.figures, self.evidence)))


def run_chaos(settings: ChaosSettings, report: Callable[[str], None] = print) -> ChaosResult:
    """Run a fault test; Ctrl-C ends it early, with its summary."""
    with run_environment(settings.database, settings.servers) as environment:
        return asyncio.run(ChaosRun(settings, environment, report).run())


class ChaosRun:
    """One run of a fault test."""

    def __init__(self, settings: ChaosSettings, environment: Environment, report: Callable[[str], None]) -> None:
        self.settings = settings
        self.environment = environment
        self.report = report
        self.result = ChaosResult()
        self.workload = Workload(environment.group, settings.matches, settings.seed)
        self.injector = FaultInjector(environment, self.workload.choose_match)
        self.stop_requested = asyncio.Event()
        self.began = time.monotonic()

    async def run(self) -> ChaosResult:
        """Play and inject faults until the time is up, then check everything."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self.stop_requested.set)
        self.result.memory_before = self.read_memory()
        self.workload.start()
        checking = asyncio.create_task(self.check_repeatedly())
        try:
            await self.inject_faults()
        finally:
            checking.cancel()
            await asyncio.gather(checking, return_exceptions=True)
        await self.finish()
        self.result.figures = self.collect_figures()
        if self.result.problems:
            await self.keep_evidence()
        return self.result

    def read_memory(self) -> list[int]:
        """Return the resident memory of every server."""
        return [read_memory_bytes(server) for server in self.environment.group.servers]

    async def inject_faults(self) -> None:
        """Inject the faults of the plan one after another until the time is up or a check has failed."""
        environment = self.environment
        weights = choose_weights(environment.cluster is not None, environment.disk.is_mounted)
        for fault in make_plan(self.settings.seed, weights):
            if await self.wait(fault.quiet_seconds) or self.result.problems:
                return
            await self.inject(fault)

    async def wait(self, seconds: float) -> bool:
        """Wait without faults. Returns whether the run is over."""
        left = self.began + self.settings.seconds - time.monotonic()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stop_requested.wait(), max(0.0, min(seconds, left)))
        return self.stop_requested.is_set() or left < seconds

    async def inject(self, fault: Fault) -> None:
        """Inject a fault and report it; a backup may fail while the database does."""
        self.result.faults[fault.kind] += 1
        try:
            await self.injector.inject(fault)
        except Exception as error:
            self.result.failed_faults[fault.kind] += 1
            self.report(f"{fault.kind} failed: {type(error).__name__}: {error}")
        self.report(self.format_progress(fault))

    def format_progress(self, fault: Fault) -> str:
        """Return a line of progress."""
        statistics, now = self.workload.statistics, time.monotonic() - self.began
        connected = sum(client.is_back for pair in self.workload.current.values() for client in pair.clients)
        return (
            f"{now:6.1f} s  {fault.kind:<18}  {sum(self.result.faults.values())} faults, "
            f"{statistics.acknowledged} actions acknowledged, {statistics.repeats} repeated, {connected} sockets, "
            f"{self.result.checks} checks, {len(self.result.problems)} violations"
        )

    # Checks

    async def check_repeatedly(self) -> None:
        """Check the stored logs every few seconds; while the database fails there is nothing to check."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            with suppress(ApiError, OSError):
                self.result.problems += await self.check_stored_logs()

    async def check_stored_logs(self) -> list[str]:
        """Check what is stored now against what was acknowledged before."""
        pairs = [(pair, len(pair.acknowledged)) for pair in self.workload.pairs]
        restores = len(self.injector.restores)
        data = await load_stored_data(self.environment.database)
        if len(self.injector.restores) != restores or self.injector.is_restoring:
            return []  # which backup was read is not certain
        self.result.checks += 1
        return check_logs(data) + [
            problem
            for pair, count in pairs
            for problem in check_pair(pair, data, self.injector.restores, count)
        ]  # fmt: skip

    async def finish(self) -> None:
        """Stop the players, and check everything."""
        problems = self.result.problems
        try:
            await asyncio.wait_for(self.workload.stop(), STOP_SECONDS)
        except TimeoutError:
            problems.append(f"players still wait {STOP_SECONDS:.0f} s after the last fault: {self.list_waiting()}")
        await asyncio.sleep(SETTLE_SECONDS)
        views = await self.load_views()
        loaded_ms = time.time_ns() // 1_000_000
        data = await load_stored_data(self.environment.database)
        problems += self.check_all(data, loaded_ms)
        for index, view in views:
            row, log = data.rows.get(view["id"]), data.logs.get(view["id"], [])
            found = [] if row is None else check_view(row, log, view)
            problems += [f"server {index}: {problem}" for problem in found]
        problems += self.workload.statistics.unexpected
        self.result.memory_after = self.read_memory()

    def check_all(self, data: StoredData, loaded_ms: int) -> list[str]:
        """Check all stored data, which were loaded at a time."""
        problems, states = check_derived_data(data)
        problems += check_logs(data) + check_ratings(data, states)
        problems += [f"match {match_id}: its rating is still pending" for match_id in data.pending]
        for pair in self.workload.pairs:
            problems += check_pair(pair, data, self.injector.restores)
        latest_ms = loaded_ms - 1000 * SETTLE_SECONDS
        deadlines = {row.id: row.move_deadline_ms for row in data.rows.values() if row.status == "playing"}
        overdue = [match_id for match_id, at_ms in deadlines.items() if at_ms is not None and at_ms < latest_ms]
        return problems + [f"match {match_id}: its time is up, but it is not over" for match_id in overdue]

    def list_waiting(self) -> str:
        """Return what players still wait for."""
        return "; ".join(f"{pair.match_id}: {pair.pending}" for pair in self.workload.current.values())

    async def load_views(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the last matches as every server shows them."""
        views = []
        for index in range(len(self.environment.group.servers)):
            for pair in self.workload.pairs[-MAX_VIEWS:]:
                endpoint = self.environment.group.server_endpoint(index)
                response = await send_request(endpoint, "GET", f"/api/matches/{pair.match_id}")
                if response.status == 200:
                    views.append((index, response.json()))
        return views

    # Summary

    def collect_figures(self) -> dict[str, Any]:
        """Return the figures of the run."""
        statistics, result = self.workload.statistics, self.result
        return {
            "database": self.settings.database,
            "servers": len(self.environment.group.servers),
            "seed": self.settings.seed,
            "seconds": round(time.monotonic() - self.began),
            "faults": dict(sorted(result.faults.items())),
            "failed_faults": dict(result.failed_faults),
            "matches": len(self.workload.pairs),
            "acknowledged": statistics.acknowledged,
            "repeated": statistics.repeats,
            "errors": dict(statistics.errors.most_common()),
            "largest_pause_s": round(max(statistics.latencies, default=0), 1),
            "largest_disconnection_s": round(max(statistics.reconnections, default=0), 1),
            "reconnections": len(statistics.reconnections),
            "memory_before_mb": to_megabytes(result.memory_before),
            "memory_after_mb": to_megabytes(result.memory_after),
            "checks": result.checks + 1,
            "violations": len(result.problems),
        }

    async def keep_evidence(self) -> None:
        """Keep the database, logs and acknowledgements of a run that broke an invariant."""
        name = f"{self.settings.database}-{self.settings.seed}-{time.strftime('%Y%m%d-%H%M%S')}"
        folder = self.settings.evidence / name
        with suppress(Exception):
            await asyncio.to_thread(back_up, parse_url(self.environment.database), self.environment.folder / "database")
        keep_evidence(folder, self.environment.folder, self.result.problems, self.workload.pairs)
        self.result.evidence = folder
