"""A pool of engines: fair between those who ask.

One more process compiles the kernels of all games, and until it is done another answers in plain Python, and briefly.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...games.definition import GameSpec
from ...games.registry import games, spec_of
from ..errors import ApiError
from .worker_client import EngineLostError, EngineWorkerClient

MAX_QUEUE_LENGTH = 1000
RESPONSE_SECONDS = 120.0  # the longest that any level thinks, with kernels compiled meanwhile
RESTART_DELAY_SECONDS = 4.0  # seconds that a bot thinks in plain Python
log = logging.getLogger("ropewalk.engines")


@dataclass
class EngineJob:
    """A question that waits."""

    request: dict[str, Any]
    seconds: float
    response: asyncio.Future[dict[str, Any]] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    attempts: int = 0


class EnginePool:
    """Some engines, and a line of jobs for each who asks; the lines take turns."""

    def __init__(self, size: int, *, warming: bool = True, seconds: float = RESPONSE_SECONDS) -> None:
        self.workers = [EngineWorkerClient() for _ in range(size)]
        self.warmer, self.understudy = EngineWorkerClient("polite"), EngineWorkerClient("plain")
        self.lines: OrderedDict[str, deque[EngineJob]] = OrderedDict()
        self.news = asyncio.Condition()
        self.cold = [default_spec(entry) for entry in games()] if warming else []  # still to be compiled, in this order
        self.warm: set[str] = set()  # games whose kernels are compiled
        self.seconds = seconds
        self.tasks: list[asyncio.Task[None]] = []
        self.completed_count = self.restart_count = 0

    def start(self) -> None:
        """Set the engines to work."""
        self.tasks = [asyncio.create_task(self.run_worker(engine)) for engine in self.workers]
        if self.cold:
            self.tasks += [asyncio.create_task(self.run_compiler()), asyncio.create_task(self.run_fallback_worker())]

    async def stop(self) -> None:
        """End all engines."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(engine.terminate() for engine in (*self.workers, self.warmer, self.understudy)))

    @property
    def queue_length(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self.lines.values()))

    def is_warm(self, spec: str) -> bool:
        """Whether the kernels of this game are compiled, or nobody is about to."""
        return spec_of(spec).key not in {spec_of(cold).key for cold in self.cold}

    def prioritise(self, spec: str) -> None:
        """Somebody has chosen a game: compile it next."""
        if not self.is_warm(spec):
            first, *others = self.cold  # the first is being compiled already
            self.cold = [first, *sorted(others, key=lambda other: spec_of(other).key != spec_of(spec).key)]

    async def notify(self) -> None:
        """There is something new to do."""
        async with self.news:
            self.news.notify_all()

    async def ask(self, owner: str, question: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The answer to a question; of several owners each gets a turn before anybody gets a second one."""
        if self.queue_length >= MAX_QUEUE_LENGTH:
            raise ApiError("busy", f"{MAX_QUEUE_LENGTH} questions wait for the engines already", limit=MAX_QUEUE_LENGTH)
        self.prioritise(question["spec"])
        job = EngineJob(question, seconds or self.seconds)
        self.lines.setdefault(owner, deque()).append(job)
        await self.notify()
        return await job.response

    async def run_worker(self, engine: EngineWorkerClient) -> None:
        """Answer one job after another; in between, load what is compiled."""

        def is_mine(job: EngineJob) -> bool:
            return self.is_warm(job.request["spec"])

        while True:
            job = self.take_job(is_mine) or self.loading(engine)
            if job is None:
                await self.wait_until(lambda: self.has_job(is_mine) or bool(self.warm - engine.warm))
            elif await self.run_job(engine, job):
                self.mark_warm(engine, job.request["spec"])

    async def run_compiler(self) -> None:
        """Compile the kernels of one game after another into the cache that engines share."""
        while self.cold:
            spec = self.cold[0]
            if await self.run_job(self.warmer, self.warming(spec)):
                self.mark_warm(self.warmer, spec)
            self.cold.remove(spec)  # also where it failed: whoever needs it tries again
            await self.notify()
        await self.warmer.terminate()

    async def run_fallback_worker(self) -> None:
        """Move for bots whose kernels are not compiled yet."""

        def is_mine(job: EngineJob) -> bool:
            return not self.is_warm(job.request["spec"]) and job.request["do"] == "choose"

        await self.run_job(self.understudy, self.warming(self.cold[0], (1,)))
        while self.cold:
            job = self.take_job(is_mine)
            if job is None:
                await self.wait_until(lambda: self.has_job(is_mine) or not self.cold)
            else:
                brief = {"seconds": min(RESTART_DELAY_SECONDS, job.request.get("seconds") or RESTART_DELAY_SECONDS)}
                job.request = job.request | brief  # what was asked stays the asker's
                await self.run_job(self.understudy, job)
        await self.understudy.terminate()

    async def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something; it is looked at again whenever there is news."""
        async with self.news:
            await self.news.wait_for(is_so)

    def has_job(self, is_wanted: Callable[[EngineJob], bool]) -> bool:
        """Whether such a job waits."""
        return any(is_wanted(line[0]) for line in self.lines.values())

    def warming(self, spec: str, levels: tuple[int, ...] = ()) -> EngineJob:
        """Have an engine get a game's kernels, by default those of every kind of level that the game has."""
        levels = levels or spec_of(spec).bots.first_of_each_kind()
        return EngineJob({"do": "warm", "spec": spec, "levels": levels}, self.seconds)

    def loading(self, engine: EngineWorkerClient) -> EngineJob | None:
        """Load a game that is compiled, but not by this engine."""
        key = next(iter(sorted(self.warm - engine.warm)), None)
        if key is None:
            return None
        engine.warm.add(key)
        return self.warming(default_spec(spec_of(key)))

    def take_job(self, is_wanted: Callable[[EngineJob], bool]) -> EngineJob | None:
        """The next such job: the line that had its turn goes to the end."""
        for owner, line in list(self.lines.items()):
            if not is_wanted(line[0]):
                continue
            job = line.popleft()
            del self.lines[owner]
            if line:
                self.lines[owner] = line
            if not job.response.done():
                return job
        return None

    async def run_job(self, engine: EngineWorkerClient, job: EngineJob) -> bool:
        """Have a job answered, if it can be; one whose engine was lost is tried once more."""
        try:
            answer = await engine.ask(job.request, job.seconds)
        except EngineLostError as lost:
            await self.replace(engine, lost)
            job.attempts += 1
            if job.attempts < 2 and not job.response.done():
                return await self.run_job(engine, job)
            complete_job(job, lost)
            return False
        self.completed_count += 1
        complete_job(job, ApiError("engine-failed", answer["error"]) if "error" in answer else answer)
        return "error" not in answer

    async def replace(self, engine: EngineWorkerClient, lost: EngineLostError) -> None:
        """End an engine; it is started anew for the next job."""
        self.restart_count += 1
        log.warning("%s", lost)
        await engine.terminate()

    def mark_warm(self, engine: EngineWorkerClient, spec: str) -> None:
        """This engine has the kernels of a game."""
        key = spec_of(spec).key
        engine.warm.add(key)
        self.warm.add(key)


def default_spec(entry: GameSpec) -> str:
    """A game's standard board."""
    return entry.standard_spec


def complete_job(job: EngineJob, answer: dict[str, Any] | ApiError) -> None:
    """Tell whoever waits, if they still do."""
    if job.response.done():
        return
    if isinstance(answer, ApiError):
        job.response.set_exception(answer)
        job.response.exception()  # nobody may be waiting
    else:
        job.response.set_result(answer)
