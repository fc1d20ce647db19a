"""A pool of engine processes that serves its owners round-robin; a job whose owner is cancelled is cancelled too.

One more process compiles the kernels of all games. Until it is done, another one, which compiles nothing, chooses moves
within a short time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from itertools import count

from ...engine.protocol import CHOOSE_MOVE, WARM_UP
from ...games.definition import GameSpec
from ...games.registry import games, spec_of
from ..errors import ApiError
from .worker_client import EngineLostError, EngineWorkerClient, Request, Response

MAX_QUEUE_LENGTH = 1000
RESPONSE_SECONDS = 120.0  # the longest search of any level, with kernels compiled meanwhile
FALLBACK_SECONDS = 4.0  # for a move without compiled kernels
MAX_UNSHARED_SECONDS = 10.0  # after which an analysis with reports ends early if another job waits
REPORT_SECONDS = 0.3  # between reports of an analysis
MAX_ATTEMPTS = 2
COMPILER_NICENESS = 15  # compiling must not slow down games
log = logging.getLogger("ropewalk.engines")


@dataclass(eq=False)
class EngineJob:
    """A query of an owner, with the last response that the owner has not received."""

    id: str
    owner: str
    request: Request
    seconds: float
    worker: EngineWorkerClient | None = None  # the worker that runs it
    attempts: int = 0
    is_cancelled: bool = False
    is_finished: bool = False
    queued_at: float = field(default_factory=time.monotonic)
    unread: asyncio.Queue[Response | ApiError] = field(default_factory=lambda: asyncio.Queue(maxsize=1))

    def put(self, response: Response | ApiError) -> None:
        """Replace the unread response by a newer one."""
        if self.unread.full():
            self.unread.get_nowait()
        self.unread.put_nowait(response)

    def finish(self, response: Response | ApiError) -> None:
        """Deliver the final response or the error."""
        if not self.is_finished:
            self.is_finished = True
            self.put(response)

    async def receive(self) -> Response:
        """Wait for a response that was not received yet, and return the newest. Raises ApiError if the job failed."""
        response = await self.unread.get()
        if isinstance(response, ApiError):
            raise response
        return response


class EnginePool:
    """Engine processes, and a queue of jobs for each owner; the queues take turns."""

    def __init__(self, size: int, *, warming: bool = True, seconds: float = RESPONSE_SECONDS) -> None:
        self.workers = [EngineWorkerClient() for _ in range(size)]
        self.compiler = EngineWorkerClient("--niceness", str(COMPILER_NICENESS))
        self.fallback_worker = EngineWorkerClient("--interpreted")
        self.queues: OrderedDict[str, deque[EngineJob]] = OrderedDict()
        self.changed = asyncio.Condition()
        self.cold = [default_spec(entry) for entry in games()] if warming else []  # still to be compiled, in this order
        self.warm: set[str] = set()  # games whose kernels are compiled
        self.seconds = seconds
        self.tasks: list[asyncio.Task[None]] = []
        self.job_numbers = count(1)
        self.completed_count = self.restart_count = 0
        self.observe_wait: Callable[[float], None] = lambda seconds: None  # set by the metrics

    def start(self) -> None:
        """Start the tasks that run jobs; processes are started when they have something to do."""
        self.tasks = [asyncio.create_task(self.run_worker(worker)) for worker in self.workers]
        if self.cold:
            self.tasks += [asyncio.create_task(self.run_compiler()), asyncio.create_task(self.run_fallback_worker())]

    async def stop(self) -> None:
        """End all tasks and processes; jobs that are open fail."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for job in [job for queue in self.queues.values() for job in queue]:
            job.finish(EngineLostError("the engines are stopped"))
        self.queues.clear()
        await asyncio.gather(*(worker.kill() for worker in (*self.workers, self.compiler, self.fallback_worker)))

    @property
    def queue_length(self) -> int:
        """The number of jobs that wait."""
        return sum(map(len, self.queues.values()))

    def is_warm(self, spec: str) -> bool:
        """Return whether the kernels of this game are compiled, or nothing is going to compile them in advance."""
        return spec_of(spec).key not in {spec_of(cold).key for cold in self.cold}

    def prioritise(self, spec: str) -> None:
        """Compile a game next, because a user has chosen it."""
        if not self.is_warm(spec):
            first, *others = self.cold  # the first is being compiled already
            self.cold = [first, *sorted(others, key=lambda other: spec_of(other).key != spec_of(spec).key)]

    # Owners of jobs

    async def ask(self, owner: str, request: Request, seconds: float | None = None) -> Response:
        """Return the final response to a request; cancelling the calling task cancels the job.

        Of several owners each gets a turn before any gets a second one. Raises ApiError.
        """
        job = self.make_job(owner, request, seconds)
        try:
            await self.enqueue(job)
            return await job.receive()
        finally:
            self.cancel(job)

    async def analyse(self, owner: str, request: Request, seconds: float | None = None) -> AsyncGenerator[Response, None]:
        """Yield reports of an analysis, the final response last; closing the iterator cancels the job.

        Reports that are not received in time are dropped for newer ones. After MAX_UNSHARED_SECONDS the analysis ends
        early if another job waits. Raises ApiError.
        """
        job = self.make_job(owner, request | {"reportDuringSearchEvery": REPORT_SECONDS}, seconds)
        try:
            await self.enqueue(job)
            is_final = False
            while not is_final:
                response = await job.receive()
                is_final = not response["isDuringSearch"]
                yield response
        finally:
            self.cancel(job)

    def make_job(self, owner: str, request: Request, seconds: float | None = None) -> EngineJob:
        """Return a new job, which is not queued yet; fields of the request that are None are left out."""
        name = f"job {next(self.job_numbers)}"
        fields = {key: value for key, value in request.items() if value is not None}
        return EngineJob(name, owner, fields | {"id": name}, seconds or self.seconds)

    async def enqueue(self, job: EngineJob) -> None:
        """Add a job to the queue of its owner. Raises ApiError if too many wait."""
        if self.queue_length >= MAX_QUEUE_LENGTH:
            raise ApiError(
                "busy", f"the engine queue is full ({MAX_QUEUE_LENGTH} requests); try again later", limit=MAX_QUEUE_LENGTH
            )
        self.prioritise(job.request["spec"])
        self.queues.setdefault(job.owner, deque()).append(job)
        await self.notify()

    def cancel(self, job: EngineJob) -> None:
        """Remove a job from its queue, or terminate its search; does nothing if the job is finished."""
        if job.is_finished or job.is_cancelled:
            return
        job.is_cancelled = True
        if job.worker is not None:
            job.worker.terminate(job.id)
        elif job in self.queues.get(job.owner, ()):
            self.queues[job.owner].remove(job)
            if not self.queues[job.owner]:
                del self.queues[job.owner]

    # Tasks that run jobs

    async def notify(self) -> None:
        """Wake the tasks that wait for a change."""
        async with self.changed:
            self.changed.notify_all()

    async def wait_until(self, predicate: Callable[[], bool]) -> None:
        """Wait until the predicate holds; it is evaluated after each `notify`."""
        async with self.changed:
            await self.changed.wait_for(predicate)

    async def run_worker(self, worker: EngineWorkerClient) -> None:
        """Run one job after another; in between, load kernels that are compiled."""
        while True:
            job = self.take_job(self.is_for_worker) or self.make_loading_job(worker)
            if job is None:
                await self.wait_until(lambda: self.has_job(self.is_for_worker) or bool(self.warm - worker.warm))
            elif await self.run_job(worker, job):
                self.mark_warm(worker, job.request["spec"])

    def is_for_worker(self, job: EngineJob) -> bool:
        """Return whether a job can be run with compiled kernels."""
        return self.is_warm(job.request["spec"])

    async def run_compiler(self) -> None:
        """Compile the kernels of one game after another into the cache that all processes share."""
        while self.cold:
            spec = self.cold[0]
            if await self.run_job(self.compiler, self.make_warm_up_job(spec)):
                self.mark_warm(self.compiler, spec)
            self.cold.remove(spec)  # also after a failure: the next job of the game compiles its kernels itself
            await self.notify()
        await self.compiler.kill()

    async def run_fallback_worker(self) -> None:
        """Choose moves in games whose kernels are not compiled yet, within FALLBACK_SECONDS."""

        def is_for_fallback(job: EngineJob) -> bool:
            return not self.is_warm(job.request["spec"]) and job.request.get("action") == CHOOSE_MOVE

        await self.run_job(self.fallback_worker, self.make_warm_up_job(self.cold[0], level=1))
        while self.cold:
            job = self.take_job(is_for_fallback)
            if job is None:
                await self.wait_until(lambda: self.has_job(is_for_fallback) or not self.cold)
            else:
                job.request = job.request | {"seconds": min(FALLBACK_SECONDS, job.request.get("seconds", FALLBACK_SECONDS))}
                await self.run_job(self.fallback_worker, job)
        await self.fallback_worker.kill()

    def has_job(self, is_wanted: Callable[[EngineJob], bool]) -> bool:
        """Return whether such a job is the first of a queue."""
        return any(is_wanted(queue[0]) for queue in self.queues.values())

    def make_warm_up_job(self, spec: str, level: int | None = None) -> EngineJob:
        """Return a job that gets the kernels of a level, or of all levels of a game."""
        return self.make_job("", {"action": WARM_UP, "spec": spec, "level": level})

    def make_loading_job(self, worker: EngineWorkerClient) -> EngineJob | None:
        """Return a job that loads a game that is compiled, but not loaded by this process; None if there is none."""
        key = next(iter(sorted(self.warm - worker.warm)), None)
        if key is None:
            return None
        worker.warm.add(key)
        return self.make_warm_up_job(default_spec(spec_of(key)))

    def take_job(self, is_wanted: Callable[[EngineJob], bool]) -> EngineJob | None:
        """Remove and return the next such job; the queue that had its turn goes to the end."""
        for owner, queue in list(self.queues.items()):
            if is_wanted(queue[0]):
                job = queue.popleft()
                self.observe_wait(time.monotonic() - job.queued_at)
                del self.queues[owner]
                if queue:
                    self.queues[owner] = queue
                return job
        return None

    async def run_job(self, worker: EngineWorkerClient, job: EngineJob) -> bool:
        """Run a job and return whether it has a result; a lost process is replaced, and the job is tried again."""
        job.worker = worker
        while not job.is_cancelled and job.attempts < MAX_ATTEMPTS:
            job.attempts += 1
            try:
                response = await worker.ask(job.request, job.seconds, lambda report: self.deliver_report(job, report))
            except EngineLostError as lost:
                await self.replace(worker, lost)
                error: ApiError = lost
            except asyncio.CancelledError:
                job.finish(EngineLostError("the engines are stopped"))
                raise
            else:
                self.completed_count += 1
                job.finish(check_response(response))
                return "error" not in response and "noResults" not in response
        if not job.is_cancelled:
            job.finish(error)
        return False

    def deliver_report(self, job: EngineJob, report: Response) -> None:
        """Pass a report on; a long analysis ends early if another job waits."""
        job.put(report)
        if job.worker is not None and report["seconds"] >= MAX_UNSHARED_SECONDS and self.has_job(self.is_for_worker):
            job.worker.terminate(job.id)

    async def replace(self, worker: EngineWorkerClient, lost: EngineLostError) -> None:
        """End a process; the next job starts it again."""
        self.restart_count += 1
        log.warning("%s", lost)
        await worker.kill()

    def mark_warm(self, worker: EngineWorkerClient, spec: str) -> None:
        """Mark the kernels of a game as compiled, and as loaded by a process."""
        key = spec_of(spec).key
        worker.warm.add(key)
        self.warm.add(key)


def default_spec(entry: GameSpec) -> str:
    """Return the spec of a game's standard board."""
    return entry.standard_spec


def check_response(response: Response) -> Response | ApiError:
    """Return a final response, or the error of one without result."""
    if "error" in response:
        return ApiError("engine-failed", response["error"])
    if "noResults" in response:
        return ApiError("engine-failed", "the search ended without a result")
    return response
