"""Jobs of remote workers: each is leased to a worker, which must send heartbeats, and queued again if they stay away.

The idea is that of fishnet, the distributed analysis of lichess. A worker that dies loses nothing; what it sends after its
lease has expired is refused, because another one has the job.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...engine.protocol import ANALYSE, CHOOSE_MOVE, SOLVE
from ...games.registry import spec_of
from ..db.identifiers import generate_token
from ..errors import ApiError
from .job_queue import EngineJob
from .pool import EnginePool, shorten_late_move
from .worker_client import TERMINATE_SECONDS, EngineLostError, Response

PROTOCOL_VERSION = 1
LEASE_SECONDS = 5.0  # without a heartbeat, after which a job is queued again
REMOTE_HEARTBEAT_SECONDS = 1.0
ACQUIRE_SECONDS = 20.0  # for which a worker waits for a job
CHECK_SECONDS = 0.5
MAX_REMOTE_ATTEMPTS = 4  # workers that may lose a job before it fails
CONNECTED_SECONDS = 30.0  # after its last request, for which a worker counts as connected
RESULT_FIELDS = {"isDuringSearch", "seat", "value", "certainty", "visits", "lines"}  # of an analysis
REPORT_FIELDS = RESULT_FIELDS | {"seconds"}
FINAL_FIELDS = {  # by the action of a job
    ANALYSE: RESULT_FIELDS,
    CHOOSE_MOVE: {"isDuringSearch", "move", "engine"},
    SOLVE: {"isDuringSearch", "winner", "turns", "moves"},
}
log = logging.getLogger("ropewalk.leases")


@dataclass(eq=False)
class JobLease:
    """A job that a remote worker runs."""

    job: EngineJob
    worker: str
    id: str = field(default_factory=generate_token)
    expires_at: float = field(default_factory=lambda: time.monotonic() + LEASE_SECONDS)
    ends_at: float = float("inf")  # when the job must be finished
    is_terminated: bool = False

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        """Tell the worker with its next heartbeat to end the job, and revoke the lease if it does not."""
        self.is_terminated = True
        self.ends_at = min(self.ends_at, time.monotonic() + max(TERMINATE_SECONDS, seconds or 0.0))

    def extend(self) -> None:
        """Extend the lease after a heartbeat."""
        self.expires_at = time.monotonic() + LEASE_SECONDS


class RemoteEngines:
    """The leases of the jobs in a pool's queue, and the workers that have asked for one."""

    def __init__(self, pool: EnginePool) -> None:
        self.pool = pool
        self.leases: dict[str, JobLease] = {}  # by id
        self.last_seen: dict[str, float] = {}  # by worker
        self.expired_count = 0
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task that checks the leases."""
        self.task = asyncio.create_task(self.check_leases())

    async def stop(self) -> None:
        """End the task; jobs that are leased fail with the pool."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
        for lease in self.leases.values():
            lease.job.finish(EngineLostError("the engines are stopped"))
        self.leases.clear()

    def count_connected(self) -> int:
        """Return the number of workers that have sent a request within CONNECTED_SECONDS."""
        now = time.monotonic()
        self.last_seen = {name: seen for name, seen in self.last_seen.items() if now - seen < CONNECTED_SECONDS}
        return len(self.last_seen)

    def mark_seen(self, worker: str) -> None:
        """Count a worker as connected."""
        self.last_seen[worker] = time.monotonic()
        self.pool.remote_count = self.count_connected()

    async def acquire(self, worker: str, games: Sequence[str], seconds: float = ACQUIRE_SECONDS) -> JobLease | None:
        """Lease the next job of these games to a worker; None if there is none within `seconds`."""

        def is_wanted(job: EngineJob) -> bool:
            return spec_of(job.request["spec"]).key in games

        self.mark_seen(worker)
        try:
            async with asyncio.timeout(seconds):
                while (job := self.pool.queue.take(is_wanted)) is None:
                    await self.pool.wait_for_job(is_wanted)
        except TimeoutError:
            return None
        finally:
            self.mark_seen(worker)
        return self.lease(job, worker)

    def lease(self, job: EngineJob, worker: str) -> JobLease:
        """Lease a job to a worker."""
        lease = JobLease(job, worker, ends_at=time.monotonic() + job.seconds)
        self.leases[lease.id] = lease
        self.pool.queue.start(job, lease)
        job.attempts += 1
        shorten_late_move(job)
        return lease

    def find(self, lease_id: str) -> JobLease:
        """Return a lease that has not expired. Raises ApiError `lease-expired`."""
        lease = self.leases.get(lease_id)
        if lease is None:
            message = f"the lease of this job has expired after {LEASE_SECONDS:g} s without a heartbeat; acquire another job"
            raise ApiError("lease-expired", message, limit=LEASE_SECONDS)
        self.mark_seen(lease.worker)
        return lease

    def beat(self, lease_id: str, report: Response | None) -> bool:
        """Extend a lease and deliver the report of a running analysis. Returns whether the worker must end the job."""
        lease = self.find(lease_id)
        if report is not None and not report.keys() >= REPORT_FIELDS:
            raise ApiError("bad-request", f"a report must have the fields {', '.join(sorted(REPORT_FIELDS))}")
        lease.extend()
        if report is not None and not lease.job.is_cancelled:
            self.pool.deliver_report(lease.job, report)
        return lease.is_terminated

    async def finish(self, lease_id: str, response: Response) -> None:
        """Deliver the final response of a leased job."""
        lease = self.find(lease_id)
        if not is_final_response(lease.job, response):
            raise ApiError("bad-request", "this is not the final response of an engine to the request of this job")
        del self.leases[lease_id]
        self.pool.finish_job(lease.job, response)
        self.pool.queue.stop(lease.job)
        await self.pool.notify()

    async def release(self, lease_id: str) -> None:
        """Queue a job again that a worker hands back."""
        lease = self.find(lease_id)
        lease.job.attempts -= 1
        await self.return_job(lease)

    async def return_job(self, lease: JobLease) -> None:
        """End a lease and queue its job again, unless it is cancelled or was lost too often."""
        del self.leases[lease.id]
        job = lease.job
        self.pool.queue.stop(job)
        if job.attempts >= MAX_REMOTE_ATTEMPTS:
            job.finish(EngineLostError(f"{job.attempts} engine workers were lost during this search"))
        elif not job.is_cancelled:
            self.pool.queue.put_back(job)
        await self.pool.notify()

    async def check_leases(self) -> None:
        """Queue jobs again whose workers send no heartbeats."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            now = time.monotonic()
            self.pool.remote_count = self.count_connected()
            for lease in [lease for lease in self.leases.values() if now >= min(lease.expires_at, lease.ends_at)]:
                log.warning("the engine worker %s has lost %s", lease.worker, lease.job.id)
                self.expired_count += 1
                await self.return_job(lease)


def is_final_response(job: EngineJob, response: Response) -> bool:
    """Return whether a response has the fields that the owner of a job needs, or is an error."""
    if "error" in response or "noResults" in response:
        return True
    return not response.get("isDuringSearch", True) and FINAL_FIELDS[job.action] <= response.keys()
