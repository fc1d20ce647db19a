"""The engine pool without processes: games are compiled in the order of demand, and bots use their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import MatchConfig, apply_event, initial_state
from ropewalk.server.engine_pool.bot_player import compute_time_budget
from ropewalk.server.engine_pool.pool import EnginePool
from ropewalk.server.engine_pool.worker_client import EngineWorkerClient, Request, Response
from ropewalk.server.errors import ApiError

MOVE_REQUEST: dict[str, Any] = {"action": "choose_move", "spec": "tether-3", "moves": [], "level": 1}
ANALYSIS_REQUEST: dict[str, Any] = {"spec": "tether-3", "moves": [], "level": 1, "lines": 3}


class RecordingWorker(EngineWorkerClient):
    """An engine that answers as soon as it is allowed to, and records its requests."""

    def __init__(self, is_allowed: asyncio.Event) -> None:
        super().__init__()
        self.recorded: list[tuple[str, str, float | None]] = []
        self.is_allowed = is_allowed

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        self.recorded.append((request.get("action", "analyse"), request["spec"], request.get("seconds")))
        await self.is_allowed.wait()
        return {"move": "b2"}


def test_until_a_game_is_compiled_a_fallback_worker_chooses_its_moves_in_a_short_time() -> None:
    async def run() -> list[RecordingWorker]:
        pool, compiled, free = EnginePool(1), asyncio.Event(), asyncio.Event()
        free.set()
        compiler, fallback, engine = RecordingWorker(compiled), RecordingWorker(free), RecordingWorker(free)
        pool.compiler, pool.fallback_worker, pool.workers = compiler, fallback, [engine]
        pool.start()
        await pool.ask("a", MOVE_REQUEST | {"spec": "liger-4", "seconds": None})
        await pool.ask("a", MOVE_REQUEST | {"spec": "liger-4", "seconds": 0.5})
        review = asyncio.create_task(pool.ask("b", ANALYSIS_REQUEST | {"spec": "liger-4"}))
        await asyncio.sleep(0.01)
        assert not review.done(), "an analysis waits for the compiled kernels"
        assert not pool.is_warm("liger-4")
        compiled.set()
        await review
        await pool.ask("a", MOVE_REQUEST | {"spec": "liger-4", "seconds": None})
        await pool.stop()
        return [compiler, fallback, engine]

    compiler, fallback, engine = asyncio.run(run())
    assert [spec for _, spec, _ in compiler.recorded[:2]] == ["lariat-2x10", "liger-8"], "the requested game comes next"
    assert len(compiler.recorded) == 5
    moves = [entry for entry in fallback.recorded if entry[0] != "warm_up"]
    assert [entry[:2] for entry in moves] == 2 * [("choose_move", "liger-4")]
    assert [entry[2] for entry in moves] == pytest.approx([4, 0.5], abs=0.1)
    assert [entry[0] for entry in engine.recorded if entry[1] == "liger-4"] == ["analyse", "choose_move"]


def test_a_bot_spends_most_of_the_increment() -> None:
    def budget(increment: int) -> float:
        config = MatchConfig("tether-5", Fischer(initial_seconds=600, increment_seconds=increment))
        started = MatchEvent(1, 1000, "match-started", data={"seats": ["level-1", "me"]})
        seconds = compute_time_budget(apply_event(initial_state(config), started), now=1000)
        assert seconds is not None
        return seconds

    assert budget(20) - budget(0) == pytest.approx(15, abs=0.5)


class LoadingWorker(RecordingWorker):
    """An engine whose warm-up ends when it is terminated."""

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        assert seconds is None, "loading is not killed"
        self.is_allowed.set()


def test_loading_is_interrupted_for_a_move_and_repeated() -> None:
    async def run() -> LoadingWorker:
        pool, worker = EnginePool(1, warming=False), LoadingWorker(asyncio.Event())
        pool.workers, pool.warm = [worker], {"liger"}
        pool.start()
        await asyncio.sleep(0.01)
        await pool.ask("match", MOVE_REQUEST | {"seconds": 5})
        await asyncio.sleep(0.01)
        await pool.stop()
        return worker

    recorded = [entry[0] for entry in asyncio.run(run()).recorded]
    assert recorded == ["warm_up", "choose_move", "warm_up"]


class FailingWorker(EngineWorkerClient):
    """An engine whose first answer is an unexpected exception."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.errors = [] if error is None else [error]
        self.kill_count = 0

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        if self.errors:
            raise self.errors.pop()
        return {"move": "b2"}

    async def kill(self) -> None:
        self.kill_count += 1


def test_an_unexpected_exception_fails_its_job_and_the_worker_goes_on() -> None:
    async def run() -> FailingWorker:
        pool, worker = EnginePool(1, warming=False), FailingWorker(RuntimeError("surprise"))
        pool.workers = [worker]
        pool.start()
        async with asyncio.timeout(5):
            with pytest.raises(ApiError, match="an error of the server"):
                await pool.ask("a", MOVE_REQUEST)
            assert (await pool.ask("a", MOVE_REQUEST))["move"] == "b2"
        assert not pool.queue.running
        await pool.stop()
        return worker

    assert asyncio.run(run()).kill_count == 2, "after the exception, and at the end"


def test_a_job_that_remote_workers_have_lost_fails_here_instead_of_waiting_for_ever() -> None:
    async def run() -> None:
        pool = EnginePool(1, warming=False)
        pool.workers = [FailingWorker()]
        pool.start()
        job = pool.make_job("a", MOVE_REQUEST)
        job.attempts = 2
        async with asyncio.timeout(5):
            await pool.enqueue(job)
            with pytest.raises(ApiError, match="2 engines were lost"):
                await job.receive()
            assert (await pool.ask("a", MOVE_REQUEST))["move"] == "b2"
        await pool.stop()

    asyncio.run(run())
