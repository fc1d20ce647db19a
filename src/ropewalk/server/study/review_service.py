"""Reviews of matches as background jobs: every position is analysed once, and the result is stored for all viewers.

Reviews are computed one after the other, with as many analyses at a time as there are engines. Moves of bots come first, and
analyses of visitors get turns in between, because all reviews have one owner in the queue of the engines.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..background import TaskSupervisor
from ..clock import ServerClock
from ..db.review_repository import ReviewRepository, StoredReview
from ..domain.match import MatchState
from ..domain.review import LEVEL_VALUE, PositionEvaluation, order_plies
from ..engine_pool.pool import EnginePool
from ..engine_pool.worker_client import Request, Response
from ..errors import ApiError

OWNER = "reviews"  # in the queue of the engines
REVIEW_LEVEL = 6
REVIEW_SECONDS = 0.8  # for each position
REVIEW_SEED = 1
MAX_REVIEW_MOVES = 1000
MAX_OPEN_REVIEWS = 50  # that run or wait
MAX_PARALLEL_ANALYSES = 8
MAX_BEST_MOVES = 8
PROVEN = "proven"
ReviewStatus = Literal["none", "queued", "running", "complete", "failed"]
log = logging.getLogger("ropewalk.reviews")


@dataclass(eq=False)
class ReviewJob:
    """A review that is computed: the state of the match, and the evaluations so far."""

    match_id: str
    state: MatchState
    status: ReviewStatus = "queued"
    evaluations: dict[int, PositionEvaluation] = field(default_factory=dict)
    error: ApiError | None = None

    @property
    def num_positions(self) -> int:
        """The number of positions to evaluate."""
        return len(self.state.moves) + 1

    def build_request(self, ply: int) -> Request:
        """Return the engine's request for the position after a number of moves."""
        return {
            "spec": self.state.config.spec,
            "position": self.state.config.initial_position,
            "moves": [move.move for move in self.state.moves[:ply]],
            "level": REVIEW_LEVEL,
            "seed": REVIEW_SEED,
            "seconds": REVIEW_SECONDS,
            "lines": 1,
        }


class ReviewService:
    """Starts reviews, and finds those that are computed or stored."""

    def __init__(
        self, repository: ReviewRepository, engine_pool: EnginePool, background: TaskSupervisor, clock: ServerClock
    ) -> None:
        self.repository = repository
        self.engine_pool = engine_pool
        self.background = background
        self.clock = clock
        self.jobs: dict[str, ReviewJob] = {}  # by match; one that has failed stays until it is started again
        self.turn = asyncio.Lock()
        self.completed_count = 0
        self.on_saved: Callable[[MatchState, Mapping[int, PositionEvaluation]], Awaitable[None]] = ignore_review

    async def find(self, match_id: str, state: MatchState) -> StoredReview | ReviewJob | None:
        """Return the stored review of a match, or the job that computes it, None if there is neither."""
        job = self.jobs.get(match_id)
        if job is not None and job.state.position_version == state.position_version:
            return job
        return await self.repository.find(match_id, state.position_version)

    async def start(self, match_id: str, state: MatchState) -> StoredReview | ReviewJob:
        """Return the review of a match; one that does not exist is started.

        Raises:
            ApiError: `too-large`: the match has too many moves. `busy`: too many reviews wait.
        """
        found = await self.find(match_id, state)
        if found is not None and not (isinstance(found, ReviewJob) and found.error is not None):
            return found
        if len(state.moves) > MAX_REVIEW_MOVES:
            message = f"this match has {len(state.moves)} moves; a review has at most {MAX_REVIEW_MOVES}"
            raise ApiError("too-large", message, limit=MAX_REVIEW_MOVES)
        if self.count_open() >= MAX_OPEN_REVIEWS:
            message = f"{MAX_OPEN_REVIEWS} reviews wait; try again later"
            raise ApiError("busy", message, limit=MAX_OPEN_REVIEWS)
        job = self.jobs[match_id] = ReviewJob(match_id, state)
        self.background.start(self.run(job), interruptible=True)
        return job

    def count_open(self) -> int:
        """Return the number of reviews that run or wait."""
        return sum(job.error is None for job in self.jobs.values())

    async def run(self, job: ReviewJob) -> None:
        """Compute a review when its turn comes, and store it."""
        try:
            async with self.turn:
                job.status = "running"
                await self.evaluate_all(job)
            await self.save(job)
            self.jobs.pop(job.match_id, None)
            self.completed_count += 1
        except ApiError as error:
            log.warning("the review of match %s failed: %s", job.match_id, error)
            job.status, job.error = "failed", error
        except BaseException:
            self.jobs.pop(job.match_id, None)
            raise

    async def save(self, job: ReviewJob) -> None:
        """Store a review."""
        version, now = job.state.position_version, self.clock.now_ms()
        await self.repository.save(job.match_id, StoredReview(version, REVIEW_LEVEL, REVIEW_SECONDS, now, job.evaluations))
        await self.on_saved(job.state, job.evaluations)

    async def evaluate_all(self, job: ReviewJob) -> None:
        """Evaluate all positions of a match, those that are spread over it first."""
        plies = order_plies(len(job.state.moves))
        outcome = job.state.position.outcome
        if outcome is not None:
            last = plies.pop(plies.index(len(job.state.moves)))
            value = LEVEL_VALUE if outcome.winner is None else 1.0 - outcome.winner
            job.evaluations[last] = PositionEvaluation(value, is_proven=True)
        plies.reverse()
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self.count_parallel()):
                    tasks.create_task(self.evaluate_next(job, plies))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    def count_parallel(self) -> int:
        """Return how many positions are analysed at a time."""
        engines = len(self.engine_pool.workers) + self.engine_pool.remote_count
        allowed = self.engine_pool.queue.max_analyses or MAX_PARALLEL_ANALYSES
        return max(1, min(engines, allowed, MAX_PARALLEL_ANALYSES))

    async def evaluate_next(self, job: ReviewJob, plies: list[int]) -> None:
        """Evaluate positions until none is left; the last of the list comes first."""
        while plies:
            ply = plies.pop()
            response = await self.engine_pool.ask(OWNER, job.build_request(ply))
            job.evaluations[ply] = read_evaluation(response)


async def ignore_review(state: MatchState, evaluations: Mapping[int, PositionEvaluation]) -> None:
    """Do nothing with a review that was stored."""


def read_evaluation(response: Response) -> PositionEvaluation:
    """Return the evaluation in the response of an engine, whose value is that of the seat to move."""
    value = response["value"] if response["seat"] == 0 else 1 - response["value"]
    lines: Sequence[Response] = response["lines"]
    best = tuple(lines[0]["moves"][:MAX_BEST_MOVES]) if lines else ()
    return PositionEvaluation(value, response["certainty"] == PROVEN, best)
