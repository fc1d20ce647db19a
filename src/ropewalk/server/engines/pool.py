"""A pool of engines: fair between those who ask. Kernels are compiled by one more process, so that nobody waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any

from ...games.registry import entry_of, games
from ..refusals import Refusal
from .engine import Engine, EngineLost

MOST_WAITING = 1000
ANSWER_SECONDS = 120.0  # the longest that any level thinks, with kernels compiled meanwhile
LEVELS_TO_WARM = (1, 4)  # one of each kind of bot that a game has
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
        self.lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self.news = asyncio.Condition()
        self.to_warm = [f"{entry.key}-{entry.standard}" for entry in games()] if warming else []
        self.warmer = Engine()
        self.warm: set[str] = set()  # games whose kernels are compiled
        self.compiling: set[str] = set()  # games whose kernels some engine compiles right now
        self.seconds = seconds
        self.tasks: list[asyncio.Task[None]] = []
        self.telling: set[asyncio.Future[None]] = set()
        self.answered = self.lost = 0

    def start(self) -> None:
        """Set the engines to work."""
        self.tasks = [asyncio.create_task(self.work(engine)) for engine in self.engines]
        self.tasks.append(asyncio.create_task(self.compile()))

    async def stop(self) -> None:
        """End all engines."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(engine.end() for engine in (*self.engines, self.warmer)))

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self.lines.values()))

    def is_warm(self, spec: str) -> bool:
        """Whether a bot of this game answers without compiling first."""
        return entry_of(spec).key in self.warm

    def hurry(self, spec: str, level: int) -> None:
        """Somebody has chosen a game: have an engine compile it now, before and beside all others."""
        entry = entry_of(spec)
        if self.to_warm and entry.key not in self.warm | self.compiling and entry.key not in self.lines:
            self.lines[entry.key] = deque([self.warming(f"{entry.key}-{entry.standard}", (level,))])
            self.lines.move_to_end(entry.key, last=False)
            self.tell_soon()

    def tell_soon(self) -> None:
        """Have the engines look again what there is to do."""
        telling = asyncio.ensure_future(self.tell())
        self.telling.add(telling)
        telling.add_done_callback(self.telling.discard)

    async def tell(self) -> None:
        """There is something new to do."""
        async with self.news:
            self.news.notify_all()

    async def ask(self, owner: str, question: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The answer to a question; of several owners each gets a turn before anybody gets a second one."""
        if self.waiting >= MOST_WAITING:
            raise Refusal("busy", f"{MOST_WAITING} questions wait for the engines already", limit=MOST_WAITING)
        job = Job(question, seconds or self.seconds)
        async with self.news:
            self.lines.setdefault(owner, deque()).append(job)
            self.news.notify()
        return await job.answer

    async def work(self, engine: Engine) -> None:
        """Answer one job after another; in between, load what is compiled."""
        while True:
            job = self.take(engine) or self.loading(engine)
            if job is not None:
                await self.do(engine, job)
            else:
                async with self.news:
                    if all(self.is_held(line[0], engine) for line in self.lines.values()):
                        await self.news.wait()

    async def compile(self) -> None:
        """Compile the kernels of one game after another, the popular ones first, into the cache that engines share."""
        for spec in self.to_warm:
            while entry_of(spec).key in self.compiling:  # somebody has chosen it: what is missing then is another level
                async with self.news:
                    await self.news.wait()
            await self.do(self.warmer, self.warming(spec))
        await self.warmer.end()

    def warming(self, spec: str, levels: tuple[int, ...] = LEVELS_TO_WARM) -> Job:
        """Have an engine get a game's kernels."""
        return Job({"do": "warm", "spec": spec, "levels": levels}, self.seconds)

    def loading(self, engine: Engine) -> Job | None:
        """Load a game that is compiled, but not by this engine."""
        for spec in self.to_warm:
            key = entry_of(spec).key
            if key in self.warm and key not in engine.warm:
                engine.warm.add(key)
                return self.warming(spec)
        return None

    def take(self, engine: Engine) -> Job | None:
        """The next job: the line that had its turn goes to the end."""
        for owner, line in list(self.lines.items()):
            if self.is_held(line[0], engine):
                continue
            job = line.popleft()
            del self.lines[owner]
            if line:
                self.lines[owner] = line
            if not job.answer.done():
                return job
        return None

    def is_held(self, job: Job, engine: Engine) -> bool:
        """Whether a job waits for kernels that another engine compiles: to compile them twice would take longer."""
        key = entry_of(job.question["spec"]).key
        return key in self.compiling and key not in self.warm | engine.warm

    async def do(self, engine: Engine, job: Job) -> None:
        """Have a job answered, while others that need the same kernels wait for them."""
        key = entry_of(job.question["spec"]).key
        compiles = key not in self.warm | self.compiling
        if compiles:
            self.compiling.add(key)
        try:
            await self.have_answered(engine, job)
        finally:
            if compiles:
                self.compiling.discard(key)
                self.tell_soon()

    async def have_answered(self, engine: Engine, job: Job) -> None:
        """Have a job answered; one whose engine was lost is tried once more."""
        try:
            answer = await engine.ask(job.question, job.seconds)
        except EngineLost as lost:
            await self.replace(engine, lost)
            job.tries += 1
            if job.tries < 2 and not job.answer.done():
                await self.have_answered(engine, job)
            else:
                settle(job, lost)
        else:
            self.answered += 1
            if "error" not in answer:
                self.note_warm(engine, job.question["spec"])
            settle(job, Refusal("engine-failed", answer["error"]) if "error" in answer else answer)

    async def replace(self, engine: Engine, lost: EngineLost) -> None:
        """End an engine; it is started anew for the next job."""
        self.lost += 1
        log.warning("%s", lost)
        await engine.end()

    def note_warm(self, engine: Engine, spec: str) -> None:
        """This engine has the kernels of a game."""
        key = entry_of(spec).key
        engine.warm.add(key)
        self.warm.add(key)


def settle(job: Job, answer: dict[str, Any] | Refusal) -> None:
    """Tell whoever waits, if they still do."""
    if job.answer.done():
        return
    if isinstance(answer, Refusal):
        job.answer.set_exception(answer)
        job.answer.exception()  # nobody may be waiting
    else:
        job.answer.set_result(answer)
