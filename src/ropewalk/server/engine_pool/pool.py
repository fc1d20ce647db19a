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
from .worker_client import Engine, EngineLost

MOST_WAITING = 1000
ANSWER_SECONDS = 120.0  # the longest that any level thinks, with kernels compiled meanwhile
BRIEFLY = 4.0  # seconds that a bot thinks in plain Python
log = logging.getLogger("ropewalk.engines")


@dataclass
class Job:
    """A question that waits."""

    question: dict[str, Any]
    seconds: float
    answer: asyncio.Future[dict[str, Any]] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0


class Pool:
    """Some engines, and a line of jobs for each who asks; the lines take turns."""

    def __init__(self, size: int, *, warming: bool = True, seconds: float = ANSWER_SECONDS) -> None:
        self.engines = [Engine() for _ in range(size)]
        self.warmer, self.understudy = Engine("polite"), Engine("plain")
        self.lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self.news = asyncio.Condition()
        self.cold = [standard(entry) for entry in games()] if warming else []  # still to be compiled, in this order
        self.warm: set[str] = set()  # games whose kernels are compiled
        self.seconds = seconds
        self.tasks: list[asyncio.Task[None]] = []
        self.answered = self.lost = 0

    def start(self) -> None:
        """Set the engines to work."""
        self.tasks = [asyncio.create_task(self.work(engine)) for engine in self.engines]
        if self.cold:
            self.tasks += [asyncio.create_task(self.compile()), asyncio.create_task(self.stand_in())]

    async def stop(self) -> None:
        """End all engines."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(engine.end() for engine in (*self.engines, self.warmer, self.understudy)))

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self.lines.values()))

    def is_warm(self, spec: str) -> bool:
        """Whether the kernels of this game are compiled, or nobody is about to."""
        return spec_of(spec).key not in {spec_of(cold).key for cold in self.cold}

    def hurry(self, spec: str) -> None:
        """Somebody has chosen a game: compile it next."""
        if not self.is_warm(spec):
            first, *others = self.cold  # the first is being compiled already
            self.cold = [first, *sorted(others, key=lambda other: spec_of(other).key != spec_of(spec).key)]

    async def tell(self) -> None:
        """There is something new to do."""
        async with self.news:
            self.news.notify_all()

    async def ask(self, owner: str, question: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The answer to a question; of several owners each gets a turn before anybody gets a second one."""
        if self.waiting >= MOST_WAITING:
            raise ApiError("busy", f"{MOST_WAITING} questions wait for the engines already", limit=MOST_WAITING)
        self.hurry(question["spec"])
        job = Job(question, seconds or self.seconds)
        self.lines.setdefault(owner, deque()).append(job)
        await self.tell()
        return await job.answer

    async def work(self, engine: Engine) -> None:
        """Answer one job after another; in between, load what is compiled."""

        def is_mine(job: Job) -> bool:
            return self.is_warm(job.question["spec"])

        while True:
            job = self.take(is_mine) or self.loading(engine)
            if job is None:
                await self.until(lambda: self.has(is_mine) or bool(self.warm - engine.warm))
            elif await self.have_answered(engine, job):
                self.note_warm(engine, job.question["spec"])

    async def compile(self) -> None:
        """Compile the kernels of one game after another into the cache that engines share."""
        while self.cold:
            spec = self.cold[0]
            if await self.have_answered(self.warmer, self.warming(spec)):
                self.note_warm(self.warmer, spec)
            self.cold.remove(spec)  # also where it failed: whoever needs it tries again
            await self.tell()
        await self.warmer.end()

    async def stand_in(self) -> None:
        """Move for bots whose kernels are not compiled yet."""

        def is_mine(job: Job) -> bool:
            return not self.is_warm(job.question["spec"]) and job.question["do"] == "choose"

        await self.have_answered(self.understudy, self.warming(self.cold[0], (1,)))
        while self.cold:
            job = self.take(is_mine)
            if job is None:
                await self.until(lambda: self.has(is_mine) or not self.cold)
            else:
                brief = {"seconds": min(BRIEFLY, job.question.get("seconds") or BRIEFLY)}
                job.question = job.question | brief  # what was asked stays the asker's
                await self.have_answered(self.understudy, job)
        await self.understudy.end()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something; it is looked at again whenever there is news."""
        async with self.news:
            await self.news.wait_for(is_so)

    def has(self, is_wanted: Callable[[Job], bool]) -> bool:
        """Whether such a job waits."""
        return any(is_wanted(line[0]) for line in self.lines.values())

    def warming(self, spec: str, levels: tuple[int, ...] = ()) -> Job:
        """Have an engine get a game's kernels, by default those of every kind of level that the game has."""
        levels = levels or spec_of(spec).bots.first_of_each_kind()
        return Job({"do": "warm", "spec": spec, "levels": levels}, self.seconds)

    def loading(self, engine: Engine) -> Job | None:
        """Load a game that is compiled, but not by this engine."""
        key = next(iter(sorted(self.warm - engine.warm)), None)
        if key is None:
            return None
        engine.warm.add(key)
        return self.warming(standard(spec_of(key)))

    def take(self, is_wanted: Callable[[Job], bool]) -> Job | None:
        """The next such job: the line that had its turn goes to the end."""
        for owner, line in list(self.lines.items()):
            if not is_wanted(line[0]):
                continue
            job = line.popleft()
            del self.lines[owner]
            if line:
                self.lines[owner] = line
            if not job.answer.done():
                return job
        return None

    async def have_answered(self, engine: Engine, job: Job) -> bool:
        """Have a job answered, if it can be; one whose engine was lost is tried once more."""
        try:
            answer = await engine.ask(job.question, job.seconds)
        except EngineLost as lost:
            await self.replace(engine, lost)
            job.tries += 1
            if job.tries < 2 and not job.answer.done():
                return await self.have_answered(engine, job)
            settle(job, lost)
            return False
        self.answered += 1
        settle(job, ApiError("engine-failed", answer["error"]) if "error" in answer else answer)
        return "error" not in answer

    async def replace(self, engine: Engine, lost: EngineLost) -> None:
        """End an engine; it is started anew for the next job."""
        self.lost += 1
        log.warning("%s", lost)
        await engine.end()

    def note_warm(self, engine: Engine, spec: str) -> None:
        """This engine has the kernels of a game."""
        key = spec_of(spec).key
        engine.warm.add(key)
        self.warm.add(key)


def standard(entry: GameSpec) -> str:
    """A game's standard board."""
    return entry.standard_spec


def settle(job: Job, answer: dict[str, Any] | ApiError) -> None:
    """Tell whoever waits, if they still do."""
    if job.answer.done():
        return
    if isinstance(answer, ApiError):
        job.answer.set_exception(answer)
        job.answer.exception()  # nobody may be waiting
    else:
        job.answer.set_result(answer)
