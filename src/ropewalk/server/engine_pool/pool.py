"""A pool of engine processes that takes jobs from one queue; a job whose owner is cancelled is cancelled too.

A move of a bot does not wait for analyses: if no process is free, an analysis is terminated and queued again.

One more process compiles the kernels of all games. Until it is done, another one, which compiles nothing, chooses moves
within a short time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from itertools import count

from ...engine.protocol import ANALYSE, CHOOSE_MOVE, WARM_UP
from ...games.definition import GameSpec
from ...games.registry import games, spec_of
from ..errors import ApiError
from .job_queue import EngineJob, JobQueue, QueuePosition, scale_limit
from .worker_client import EngineLostError, EngineWorkerClient, Request, Response

RESPONSE_SECONDS = 120.0  # the longest search of any level, with kernels compiled meanwhile
FALLBACK_SECONDS = 4.0  # for a move without compiled kernels
MAX_UNSHARED_SECONDS = 10.0  # after which an analysis with reports ends early if another job waits
REPORT_SECONDS = 0.3  # between reports of an analysis
POSITION_SECONDS = 0.5  # between reports of a position in the queue
MAX_ATTEMPTS = 2
MAX_WORKER_BYTES = 900 * 2**20  # of resident memory, above which a process is replaced between two jobs
MAX_PREEMPTIONS = 3  # after which an analysis ends with what it has found instead of being queued again
PREEMPTION_SHARE = 0.5  # of a move's time budget, after which a process that does not stop an analysis is killed
MIN_PREEMPTION_SECONDS = 1.0
MIN_TIME_SHARE = 0.25  # of a move's time budget, for a search that could not begin in time
COMPILER_NICENESS = 15  # compiling must not slow down games
log = logging.getLogger("ropewalk.engines")


class EnginePool:
    """Engine processes, and the queue of their jobs."""

    def __init__(
        self, size: int, *, warming: bool = True, seconds: float = RESPONSE_SECONDS, limit_scale: float = 0
    ) -> None:
        self.workers = [EngineWorkerClient() for _ in range(size)]
        self.compiler = EngineWorkerClient("--niceness", str(COMPILER_NICENESS))
        self.fallback_worker = EngineWorkerClient("--interpreted")
        self.queue = JobQueue(scale_limit(limit_scale))
        self.idle_workers: list[Callable[[EngineJob], bool]] = []  # for each that waits, whether it can run a job
        self.remote_count = 0  # remote workers that are connected
        self.changed = asyncio.Condition()
        self.cold = [default_spec(entry) for entry in games()] if warming else []  # still to be compiled, in this order
        self.warm: set[str] = set()  # games whose kernels are compiled
        self.seconds = seconds
        self.tasks: list[asyncio.Task[None]] = []
        self.job_numbers = count(1)
        self.completed_count = self.restart_count = self.preemption_count = 0
        self.observe_wait: Callable[[float], None] = lambda seconds: None  # set by the metrics

    def start(self) -> None:
        """Start the tasks that run jobs; processes are started when they have something to do."""
        self.tasks = [asyncio.create_task(self.run_worker(worker)) for worker in self.workers]
        self.tasks.append(asyncio.create_task(self.tell_positions()))
        if self.cold:
            self.tasks += [asyncio.create_task(self.run_compiler()), asyncio.create_task(self.run_fallback_worker())]

    async def stop(self) -> None:
        """End all tasks and processes; jobs that are open fail."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for job in self.queue.waiting:
            job.finish(EngineLostError("the engines are stopped"))
        self.queue.waiting.clear()
        await asyncio.gather(*(worker.kill() for worker in (*self.workers, self.compiler, self.fallback_worker)))

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
        """Return the final response to a request; cancelling the calling task cancels the job. Raises ApiError."""
        job = self.make_job(owner, request, seconds)
        try:
            await self.enqueue(job)
            response = await job.receive()
            assert not isinstance(response, QueuePosition)  # only `analyse` reports positions
            return response
        finally:
            self.cancel(job)

    async def analyse(
        self, owner: str, request: Request, seconds: float | None = None
    ) -> AsyncGenerator[Response | QueuePosition, None]:
        """Yield reports of an analysis, the final response last; closing the iterator cancels the job.

        As long as it waits, its position in the queue is yielded whenever that changes. Reports that are not received in
        time are dropped for newer ones. After MAX_UNSHARED_SECONDS the analysis ends early if another job waits.
        Raises ApiError.
        """
        job = self.make_job(owner, request | {"reportDuringSearchEvery": REPORT_SECONDS}, seconds)
        job.wants_positions = True
        try:
            await self.enqueue(job)
            is_final = False
            while not is_final:
                response = await job.receive()
                is_final = not isinstance(response, QueuePosition) and not response["isDuringSearch"]
                yield response
        finally:
            self.cancel(job)

    def make_job(self, owner: str, request: Request, seconds: float | None = None) -> EngineJob:
        """Return a new job, which is not queued yet; fields of the request that are None are left out."""
        number = next(self.job_numbers)
        fields = {key: value for key, value in request.items() if value is not None}
        return EngineJob(f"job {number}", number, owner, fields | {"id": f"job {number}"}, seconds or self.seconds)

    async def enqueue(self, job: EngineJob) -> None:
        """Add a job to the queue. Raises ApiError if too many wait, or an analysis would wait for engines in vain."""
        if not job.is_move and not self.workers and not self.remote_count:
            raise ApiError("busy", "no engine is connected to this server; try again later")
        self.queue.add(job)
        self.prioritise(job.request["spec"])
        await self.notify()
        if job.is_move and (self.is_for_worker(job) or self.remote_count):
            self.preempt_analyses(job)

    def cancel(self, job: EngineJob) -> None:
        """Remove a job from the queue, or terminate its search; does nothing if the job is finished."""
        if job.is_finished or job.is_cancelled:
            return
        job.is_cancelled = True
        if job.runner is not None:
            job.runner.terminate(job.id)
        else:
            self.queue.remove(job)

    # Moves before analyses

    def preempt_analyses(self, move: EngineJob) -> None:
        """Terminate so many analyses that all moves that wait get a worker, those that have run longest first.

        A worker that does not stop in time for the new move, because it is compiling, is killed. Without a time budget
        the move waits for it.
        """
        budget = move.request.get("seconds")
        seconds = None if budget is None else max(MIN_PREEMPTION_SECONDS, PREEMPTION_SHARE * budget)
        moves = sum(job.is_move and self.is_for_worker(job) for job in self.queue.waiting)
        others = (self.compiler, self.fallback_worker)
        running = [job for job in self.queue.running if not job.is_move and job.runner not in others]
        running.sort(key=lambda job: (not job.is_cancelled, not job.is_preempted, job.started_at or 0.0))
        idle_count = sum(can_run(move) for can_run in self.idle_workers)
        for job in running[: max(0, moves - idle_count)]:
            if not job.is_cancelled and not job.is_preempted:
                job.is_preempted = True
                self.preemption_count += 1
            if job.runner is not None:
                job.runner.terminate(job.id, seconds if job.action == ANALYSE else None)

    # Tasks that run jobs

    async def notify(self) -> None:
        """Wake the tasks that wait for a change."""
        async with self.changed:
            self.changed.notify_all()

    async def wait_until(self, predicate: Callable[[], bool]) -> None:
        """Wait until the predicate holds; it is evaluated after each `notify`."""
        async with self.changed:
            await self.changed.wait_for(predicate)

    async def wait_for_job(self, is_wanted: Callable[[EngineJob], bool], has_other_work: Callable[[], bool] = bool) -> None:
        """Wait as an idle worker until such a job waits, or there is other work."""
        self.idle_workers.append(is_wanted)
        try:
            await self.wait_until(lambda: self.queue.has_job(is_wanted) or has_other_work())
        finally:
            self.idle_workers.remove(is_wanted)

    async def run_worker(self, worker: EngineWorkerClient) -> None:
        """Run one job after another; in between, load kernels that are compiled."""
        while True:
            job = self.queue.take(self.is_for_worker) or self.make_loading_job(worker)
            if job is None:
                await self.wait_for_job(self.is_for_worker, lambda: bool(self.warm - worker.warm))
            else:
                if await self.run_job(worker, job):
                    self.mark_warm(worker, job.request["spec"])
                if job.action == WARM_UP and job.is_preempted:  # it is loaded again when there is time
                    worker.warm.discard(spec_of(job.request["spec"]).key)
                await self.limit_memory(worker)

    async def limit_memory(self, worker: EngineWorkerClient) -> None:
        """End a process that has too much memory between two jobs; the next job starts it again."""
        if worker.memory_bytes > MAX_WORKER_BYTES:
            log.warning("an engine with %d MB was replaced", worker.memory_bytes // 2**20)
            self.restart_count += 1
            await worker.kill()

    async def tell_positions(self) -> None:
        """Tell the owners of analyses that wait their position in the queue."""
        while True:
            await asyncio.sleep(POSITION_SECONDS)
            self.queue.tell_positions(len(self.workers) + self.remote_count)

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
            return not self.is_warm(job.request["spec"]) and job.action == CHOOSE_MOVE

        await self.run_job(self.fallback_worker, self.make_warm_up_job(self.cold[0], level=1))
        while self.cold:
            job = self.queue.take(is_for_fallback)
            if job is None:
                await self.wait_until(lambda: self.queue.has_job(is_for_fallback) or not self.cold)
            else:
                job.request = job.request | {"seconds": min(FALLBACK_SECONDS, job.request.get("seconds", FALLBACK_SECONDS))}
                await self.run_job(self.fallback_worker, job)
        await self.fallback_worker.kill()

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

    async def run_job(self, worker: EngineWorkerClient, job: EngineJob) -> bool:
        """Run a job and return whether it has a result; a lost process is replaced, and the job is tried again."""
        self.queue.start(job, worker)
        self.observe_wait(job.waited_seconds)
        shorten_late_move(job)
        error: ApiError = EngineLostError(f"{job.attempts} engines were lost during this search")
        try:
            while not job.is_cancelled and job.attempts < MAX_ATTEMPTS:
                job.attempts += 1
                try:
                    response = await worker.ask(job.request, job.seconds, lambda report: self.deliver_report(job, report))
                except EngineLostError as lost:
                    await self.replace(worker, lost)
                    error = lost
                    if job.is_preempted:
                        break
                else:
                    return self.finish_job(job, response)
            if job.is_preempted and job.action == ANALYSE and not job.is_cancelled:
                self.put_back(job)
            elif not job.is_cancelled:
                job.finish(error)
            return False
        except asyncio.CancelledError:
            job.finish(EngineLostError("the engines are stopped"))
            raise
        except Exception:  # its owner needs a response, and the worker goes on with the next job
            log.exception("%s has failed", job.id)
            job.finish(ApiError("engine-failed", "the engine failed by an error of the server; its log says why"))
            await worker.kill()
            return False
        finally:
            self.queue.stop(job)
            await self.notify()  # a job that was put back may be for another worker

    def finish_job(self, job: EngineJob, response: Response) -> bool:
        """Deliver the final response of a job, or queue a preempted analysis again. Returns whether there is a result."""
        self.completed_count += 1
        is_early = job.is_preempted and response.get("terminated", False) and job.action == ANALYSE
        is_repeated = job.preemption_count < MAX_PREEMPTIONS or "noResults" in response
        if is_early and is_repeated and not job.is_cancelled:
            self.put_back(job)
            return False
        job.finish(check_response(response))
        return "error" not in response and "noResults" not in response

    def put_back(self, job: EngineJob) -> None:
        """Queue an analysis again whose search was terminated for a move."""
        job.preemption_count += 1
        job.attempts -= 1
        self.queue.put_back(job)

    def deliver_report(self, job: EngineJob, report: Response) -> None:
        """Pass a report on; a long analysis ends early if another job waits."""
        job.put(report)
        is_long = report["seconds"] >= MAX_UNSHARED_SECONDS
        if is_long and job.runner is not None and self.queue.has_job(self.is_for_worker):
            job.runner.terminate(job.id)

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


def shorten_late_move(job: EngineJob) -> None:
    """Subtract the time that a move has waited from its time budget; at least MIN_TIME_SHARE of it is left."""
    seconds = job.request.get("seconds")
    if job.is_move and seconds is not None:
        left = max(MIN_TIME_SHARE * seconds, seconds - job.waited_seconds)
        job.request = job.request | {"seconds": left}


def check_response(response: Response) -> Response | ApiError:
    """Return a final response, or the error of one without result."""
    if "error" in response:
        return ApiError("engine-failed", response["error"])
    if "noResults" in response:
        return ApiError("engine-failed", "the search ended without a result")
    return response
