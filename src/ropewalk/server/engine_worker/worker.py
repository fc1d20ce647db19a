"""The loop of an engine worker: acquire a job from one of several servers, search, send heartbeats, return the result.

Each engine process takes one job at a time. A server that cannot be reached is tried again with growing pauses; one that
refuses this worker is given up. A worker that stops hands its jobs back.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ... import __version__
from ...engine.fingerprint import compute_fingerprint
from ...engine.protocol import ANALYSE, WARM_UP
from ...games.registry import games
from ..engine_pool.leases import ACQUIRE_SECONDS, PROTOCOL_VERSION
from ..engine_pool.worker_client import EngineLostError, EngineWorkerClient, Response
from .http_client import CONNECTION_ERRORS, ServerClient, ServerResponse

REQUEST_SECONDS = 10.0
MIN_PAUSE_SECONDS = 0.5
MAX_PAUSE_SECONDS = 30.0
RESULT_ATTEMPTS = 5
WARM_UP_SECONDS = 1800.0  # for the kernels of one game, on a slow machine
REFUSALS = ("bad-engine-token", "engine-version", "bad-request", "not-found")


@dataclass(eq=False)
class ServerState:
    """A server, and how its last requests went."""

    client: ServerClient
    failure_count: int = 0
    refusal: str | None = None  # why it does not accept this worker
    retry_at: float = 0.0  # when it may be asked again

    def next_pause_seconds(self) -> float:
        """Return the pause after another failure: it doubles, with a random part."""
        self.failure_count += 1
        pause = min(MAX_PAUSE_SECONDS, MIN_PAUSE_SECONDS * 2 ** min(self.failure_count - 1, 10))
        return pause * random.uniform(0.75, 1.25)


@dataclass(eq=False)
class LeasedJob:
    """A job of a server, and the newest report of its search that was not sent."""

    server: ServerState
    id: str
    request: dict[str, Any]
    seconds: float
    heartbeat_seconds: float
    report: Response | None = None
    is_expired: bool = False
    started_at: float = field(default_factory=time.monotonic)

    def describe(self) -> str:
        """Return what the job is, for a line of progress."""
        kind = "analysis" if self.request.get("action", ANALYSE) == ANALYSE else "move"
        return f"{kind}, {self.request['spec']}, for {self.server.client.url}"


class EngineWorker:
    """Runs jobs of servers in `num_engines` engine processes; `say` prints a line of progress."""

    def __init__(
        self,
        clients: Sequence[ServerClient],
        num_engines: int,
        name: str,
        say: Callable[[str], None],
        *,
        warming: bool = True,
    ) -> None:
        self.servers = [ServerState(client) for client in clients]
        self.engines = [EngineWorkerClient() for _ in range(num_engines)]
        self.name = name
        self.say = say
        self.games: list[str] = [] if warming else [entry.key for entry in games()]
        self.has_games = asyncio.Event()
        self.is_stopping = asyncio.Event()
        self.job_count = 0

    async def run(self) -> bool:
        """Run jobs until `stop` is called or all servers refuse. Returns whether it was stopped."""
        tasks = [asyncio.create_task(self.run_engine(number)) for number in range(len(self.engines))]
        tasks.append(asyncio.create_task(self.load_games()))
        stopping = asyncio.create_task(self.is_stopping.wait())
        try:
            while not self.is_stopping.is_set() and any(server.refusal is None for server in self.servers):
                await asyncio.wait([stopping], timeout=MIN_PAUSE_SECONDS)
            return self.is_stopping.is_set()
        finally:
            for task in (*tasks, stopping):
                task.cancel()
            await asyncio.gather(*tasks, stopping, return_exceptions=True)
            await asyncio.gather(*(engine.kill() for engine in self.engines))
            self.say(f"stopped after {self.job_count} jobs")

    def stop(self) -> None:
        """End the worker; its jobs are handed back."""
        self.is_stopping.set()

    # Games

    async def load_games(self) -> None:
        """Compile or load the kernels of all games, one after the other; only jobs of these games are acquired."""
        if self.games:
            self.has_games.set()
            return
        entries = games()
        for number, entry in enumerate(entries, start=1):
            self.say(f"loading {entry.key}, game {number} of {len(entries)}; the first time it is compiled")
            engine = EngineWorkerClient()
            try:
                request = {"id": entry.key, "action": WARM_UP, "spec": entry.standard_spec}
                await engine.ask(request, WARM_UP_SECONDS)
                self.games.append(entry.key)
                self.has_games.set()
            except EngineLostError as error:
                self.say(f"{entry.key} cannot be loaded: {error}")
            finally:
                await engine.kill()
        self.say("all games are loaded")

    # Jobs

    async def run_engine(self, number: int) -> None:
        """Run one job after another in an engine process."""
        await self.has_games.wait()
        while True:
            job = await self.acquire(f"{self.name}/{number + 1}")
            if job is not None:
                await self.run_job(self.engines[number], job)

    async def acquire(self, worker: str) -> LeasedJob | None:
        """Wait for a job of any server; if two have one at the same time, one is handed back."""
        servers = [server for server in self.servers if server.refusal is None]
        polls = [asyncio.create_task(self.poll(server, worker)) for server in servers]
        try:
            if polls:
                await asyncio.wait(polls, return_when=asyncio.FIRST_COMPLETED)
            else:
                await self.is_stopping.wait()
        finally:
            for poll in polls:
                poll.cancel()
            results = await asyncio.gather(*polls, return_exceptions=True)
        jobs = [job for job in results if isinstance(job, LeasedJob)]
        for job in jobs[1:]:
            await self.release(job)
        return jobs[0] if jobs else None

    async def poll(self, server: ServerState, worker: str) -> LeasedJob | None:
        """Ask a server for jobs until it has one; returns None if it refuses this worker."""
        while server.refusal is None:
            await asyncio.sleep(server.retry_at - time.monotonic())
            try:
                response = await server.client.post(
                    "/api/engine-jobs/acquire", self.describe(worker), ACQUIRE_SECONDS + REQUEST_SECONDS
                )
            except CONNECTION_ERRORS as error:
                self.delay(server, f"cannot be reached ({str(error) or type(error).__name__})")
                continue
            if response.code in REFUSALS:
                server.refusal = response.message
                self.say(f"{server.client.url} refuses this worker: {response.message}")
            elif response.status not in (200, 204):
                self.delay(server, response.message)
            else:
                self.mark_reached(server)
                if isinstance(response.body, dict):
                    return build_job(server, response.body)
        return None

    def describe(self, worker: str) -> dict[str, Any]:
        """Return the request for a job."""
        return {
            "protocol_version": PROTOCOL_VERSION,
            "version": __version__,
            "fingerprint": compute_fingerprint(),
            "worker": worker,
            "games": self.games,
        }

    def delay(self, server: ServerState, problem: str) -> None:
        """Ask a server again after a pause, which is longer each time."""
        seconds = server.next_pause_seconds()
        server.retry_at = time.monotonic() + seconds
        self.say(f"{server.client.url} {problem}; trying again in {seconds:.1f} s")

    def mark_reached(self, server: ServerState) -> None:
        """Note that a server has answered."""
        if server.failure_count:
            self.say(f"{server.client.url} can be reached again")
            server.failure_count = 0

    async def run_job(self, engine: EngineWorkerClient, job: LeasedJob) -> None:
        """Run a job in an engine process and return its result; hand it back if the engine is lost or the worker stops."""

        def keep_report(report: Response) -> None:
            job.report = report

        heartbeats = asyncio.create_task(self.send_heartbeats(engine, job))
        try:
            response = await engine.ask(job.request, job.seconds, keep_report)
        except EngineLostError as error:
            self.say(f"{job.describe()}: {error}; handed back")
            await engine.kill()
            await self.release(job)
        except asyncio.CancelledError:
            await self.release(job)
            self.say(f"{job.describe()}: handed back")
            raise
        else:
            await self.send_result(job, response)
        finally:
            heartbeats.cancel()
            await asyncio.gather(heartbeats, return_exceptions=True)

    async def send_heartbeats(self, engine: EngineWorkerClient, job: LeasedJob) -> None:
        """Extend the lease of a job as long as it runs; end the search if the server wants that or the lease has expired."""
        while True:
            await asyncio.sleep(job.heartbeat_seconds)
            report, job.report = job.report, None
            with suppress(*CONNECTION_ERRORS):
                response = await self.post(job, "heartbeat", {"report": report})
                job.is_expired = response.code == "lease-expired"
                if job.is_expired or (response.status == 200 and response.body["is_terminated"]):
                    engine.terminate(job.request["id"])

    async def send_result(self, job: LeasedJob, response: Response) -> None:
        """Return the result of a job, with several attempts."""
        for attempt in range(RESULT_ATTEMPTS):
            with suppress(*CONNECTION_ERRORS):
                answer = await self.post(job, "result", {"response": response})
                seconds = time.monotonic() - job.started_at
                self.job_count += 1
                outcome = "done" if answer.status == 204 else f"refused: {answer.message}"
                self.say(f"{job.describe()}: {outcome} after {seconds:.1f} s")
                return
            await asyncio.sleep(MIN_PAUSE_SECONDS * 2**attempt)
        self.say(f"{job.describe()}: the result could not be sent")

    async def release(self, job: LeasedJob) -> None:
        """Hand a job back, so that its lease need not expire."""
        with suppress(*CONNECTION_ERRORS):
            await self.post(job, "release", {})

    async def post(self, job: LeasedJob, action: str, body: dict[str, Any]) -> ServerResponse:
        """Send a request about a job."""
        return await job.server.client.post(f"/api/engine-jobs/{job.id}/{action}", body, REQUEST_SECONDS)


def build_job(server: ServerState, fields: dict[str, Any]) -> LeasedJob:
    """Return the job in the response of a server."""
    return LeasedJob(server, fields["id"], fields["request"], fields["seconds"], fields["heartbeat_seconds"])
