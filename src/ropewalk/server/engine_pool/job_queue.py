"""The queue of engine jobs: moves of bots first, then analyses, of which every owner gets a turn before any gets a second.

A move is due when its time budget ends; the one that is due first is taken first. The owner of analyses is an account, or an
address for guests. An owner who has fewer running analyses comes first, then the one whose last turn is the longest ago.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, Protocol

from ...engine.protocol import ANALYSE, CHOOSE_MOVE, SOLVE
from ..errors import ApiError
from .worker_client import Request, Response

MAX_QUEUE_LENGTH = 1000
MAX_OPEN_ANALYSES = 8  # of one owner, waiting and running, times the scale of all limits
UNTIMED_MOVE_SECONDS = 30.0  # after which a move without a time budget is due
INITIAL_MEAN_SECONDS = 3.0  # the duration of an analysis, as long as none was measured
MEAN_DECAY = 0.9  # weight of the earlier durations in the mean


def scale_limit(scale: float) -> int:
    """Return the limit of open analyses of one owner, times the scale of all limits; 0 for no limit."""
    return 0 if scale == 0 else max(1, int(MAX_OPEN_ANALYSES * scale))


class JobRunner(Protocol):
    """What runs a job: an engine process of this server, or a remote worker."""

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        """End a job early; it must be answered within `seconds`, if that is not None."""


class QueuePosition(NamedTuple):
    """How long a job has to wait: the number of jobs that are taken before it, and an estimate of the time."""

    jobs_before: int
    expected_seconds: float


@dataclass(eq=False)
class EngineJob:
    """A query of an owner, with the last response that the owner has not received."""

    id: str
    number: int
    owner: str
    request: Request
    seconds: float  # within which an engine must answer
    queued_at: float = field(default_factory=time.monotonic)
    started_at: float | None = None  # None while it waits
    runner: JobRunner | None = None
    wants_positions: bool = False  # whether its owner is told of its position in the queue
    position: QueuePosition | None = None  # that was told last
    attempts: int = 0
    preemption_count: int = 0
    is_put_back: bool = False  # it was running before, and comes before the other analyses
    is_preempted: bool = False  # its search was terminated so that a move can be searched
    is_cancelled: bool = False
    is_finished: bool = False
    unread: asyncio.Queue[Response | QueuePosition | ApiError] = field(default_factory=lambda: asyncio.Queue(maxsize=1))

    @property
    def action(self) -> str:
        """The action of the request."""
        return self.request.get("action", ANALYSE)

    @property
    def is_move(self) -> bool:
        """Whether somebody waits for this move: of a bot, or in a puzzle."""
        return self.action in (CHOOSE_MOVE, SOLVE)

    @property
    def due_at(self) -> float:
        """When a move must be there."""
        return self.queued_at + self.request.get("seconds", UNTIMED_MOVE_SECONDS)

    @property
    def waited_seconds(self) -> float:
        """The time from its arrival to the start of its search, or until now."""
        return (self.started_at or time.monotonic()) - self.queued_at

    def put(self, response: Response | QueuePosition | ApiError) -> None:
        """Replace the unread response by a newer one."""
        if self.unread.full():
            self.unread.get_nowait()
        self.unread.put_nowait(response)

    def finish(self, response: Response | ApiError) -> None:
        """Deliver the final response or the error."""
        if not self.is_finished:
            self.is_finished = True
            self.put(response if isinstance(response, ApiError) else response | {"waitedSeconds": self.waited_seconds})

    async def receive(self) -> Response | QueuePosition:
        """Wait for a response that was not received yet, and return the newest. Raises ApiError if the job failed."""
        response = await self.unread.get()
        if isinstance(response, ApiError):
            raise response
        return response


class JobQueue:
    """The jobs that wait and those that run. `max_analyses` limits the open analyses of an owner; 0 for no limit."""

    def __init__(self, max_analyses: int = 0) -> None:
        self.max_analyses = max_analyses
        self.waiting: list[EngineJob] = []
        self.running: set[EngineJob] = set()
        self.mean_seconds = INITIAL_MEAN_SECONDS
        self._last_turns: dict[str, int] = {}  # by owner
        self._turns = count(1)

    def __len__(self) -> int:
        return len(self.waiting)

    @property
    def oldest_wait_seconds(self) -> float:
        """The time for which the first of the waiting jobs has waited."""
        return max((job.waited_seconds for job in self.waiting), default=0.0)

    def add(self, job: EngineJob) -> None:
        """Add a new job. Raises ApiError if too many wait, or too many analyses of its owner are open."""
        if len(self.waiting) >= MAX_QUEUE_LENGTH:
            raise ApiError(
                "busy", f"the engine queue is full ({MAX_QUEUE_LENGTH} requests); try again later", limit=MAX_QUEUE_LENGTH
            )
        if not job.is_move and 0 < self.max_analyses <= self.count_analyses(job.owner):
            raise ApiError(
                "too-many",
                f"at most {self.max_analyses} analyses at a time are allowed; wait until one of yours has ended",
                limit=self.max_analyses,
            )
        self.waiting.append(job)

    def count_analyses(self, owner: str) -> int:
        """Return the number of an owner's analyses that wait or run."""
        return sum(job.owner == owner and not job.is_move for job in (*self.waiting, *self.running))

    def put_back(self, job: EngineJob) -> None:
        """Queue a job again whose search has ended without a result; it comes before other analyses."""
        self.stop(job)
        job.runner = job.started_at = None
        job.is_preempted, job.is_put_back = False, True
        self.waiting.append(job)

    def remove(self, job: EngineJob) -> None:
        """Remove a job that waits."""
        if job in self.waiting:
            self.waiting.remove(job)
            self._forget_owner(job.owner)

    def has_job(self, is_wanted: Callable[[EngineJob], bool]) -> bool:
        """Return whether such a job waits."""
        return any(map(is_wanted, self.waiting))

    def take(self, is_wanted: Callable[[EngineJob], bool]) -> EngineJob | None:
        """Remove and return the next such job, None if there is none; its owner has had a turn."""
        running = Counter(job.owner for job in self.running)
        job = min(filter(is_wanted, self.waiting), key=lambda job: self._rank(job, running), default=None)
        if job is not None:
            self.waiting.remove(job)
            self._last_turns[job.owner] = next(self._turns)
        return job

    def _rank(self, job: EngineJob, running: Counter[str]) -> tuple[float, ...]:
        """Return the key by which jobs are ordered."""
        if job.is_move:
            return 0, job.due_at, job.number
        if job.is_put_back:
            return 1, job.number
        return 2, running[job.owner], self._last_turns.get(job.owner, 0), job.number

    def start(self, job: EngineJob, runner: JobRunner) -> None:
        """Count a job as running."""
        job.runner, job.started_at = runner, time.monotonic()
        self.running.add(job)

    def stop(self, job: EngineJob) -> None:
        """Count a job as not running any more."""
        if job in self.running:
            self.running.discard(job)
            if job.action == ANALYSE and job.started_at is not None:
                seconds = time.monotonic() - job.started_at
                self.mean_seconds = MEAN_DECAY * self.mean_seconds + (1 - MEAN_DECAY) * seconds
            self._forget_owner(job.owner)

    def _forget_owner(self, owner: str) -> None:
        """Forget the last turn of an owner without jobs."""
        if not any(job.owner == owner for job in (*self.waiting, *self.running)):
            self._last_turns.pop(owner, None)

    def locate(self, job: EngineJob, num_workers: int) -> QueuePosition:
        """Return the position of a job that waits."""
        jobs_before = self.count_before(job)
        return QueuePosition(jobs_before, round(self.mean_seconds * (jobs_before + 1) / max(1, num_workers), 1))

    def tell_positions(self, num_workers: int) -> None:
        """Put the position of each job whose owner wants to know it, if it has changed."""
        for job in self.waiting:
            if job.wants_positions:
                position = self.locate(job, num_workers)
                if job.position is None or position.jobs_before != job.position.jobs_before:
                    job.position = position
                    job.put(position)

    def count_before(self, job: EngineJob) -> int:
        """Return how many waiting jobs are taken before a job, if no job arrives meanwhile."""
        if job.is_move or job.is_put_back:
            rank = self._rank(job, Counter())
            return sum(other is not job and self._rank(other, Counter()) < rank for other in self.waiting)
        running = Counter(other.owner for other in self.running)
        by_owner: dict[str, list[EngineJob]] = defaultdict(list)
        for other in sorted(self.waiting, key=lambda each: each.number):
            if not other.is_move and not other.is_put_back:
                by_owner[other.owner].append(other)
        first_count = len(self.waiting) - sum(map(len, by_owner.values()))
        turn = by_owner[job.owner].index(job)  # turns of the owner before the one that takes the job
        own_rank = self._rank(by_owner[job.owner][0], running)
        others = [jobs for owner, jobs in by_owner.items() if owner != job.owner]
        return first_count + turn + sum(min(len(jobs), turn + (self._rank(jobs[0], running) < own_rank)) for jobs in others)
