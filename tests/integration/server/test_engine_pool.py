"""The engine pool: cancelled jobs free their process at once, and live analysis reports while it searches."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ropewalk.server.engine_pool import pool as pool_module
from ropewalk.server.engine_pool import worker_client
from ropewalk.server.engine_pool.pool import MAX_PREEMPTIONS, EnginePool
from ropewalk.server.engine_pool.worker_client import EngineLostError, EngineWorkerClient
from ropewalk.server.errors import ApiError

Result = TypeVar("Result")
SHORT: dict[str, Any] = {"spec": "tether-5", "level": 4, "visits": 50}
LONG: dict[str, Any] = {"spec": "tether-5", "level": 6, "seconds": 60}
MOVE: dict[str, Any] = {"action": "choose_move", "spec": "tether-5", "level": 1}
SOON_SECONDS = 20.0  # a third of the search; on an idle machine it is a few hundredths of a second
WAIT_SECONDS = 240.0  # kernels may have to be compiled
# Processes that do not speak the protocol as they should; each reads a query first.
DEAF = "import sys, time; sys.stdin.readline(); time.sleep(300)"
GARBAGE = "import sys, time; sys.stdin.readline(); print('garbage', flush=True); time.sleep(300)"
NO_OBJECT = "import sys, time; sys.stdin.readline(); print('[1]', flush=True); time.sleep(300)"
LONG_LINE = "import sys, time; sys.stdin.readline(); print('x' * 3_000_000, flush=True); time.sleep(300)"
ENDS = "import sys; sys.stdin.readline()"
# An engine whose searches hang.
STUCK = (
    "import time; from ropewalk.search.mcts_search import MctsSearch; "
    "MctsSearch.run_chunk = lambda self, count: time.sleep(300); from ropewalk.engine.worker import main; main()"
)
NOTICED_SECONDS = 12.0  # on an idle machine 5


@asynccontextmanager
async def running_pool(size: int = 1) -> AsyncIterator[EnginePool]:
    pool = EnginePool(size, warming=False)
    pool.start()
    try:
        yield pool
    finally:
        await pool.stop()


def run(test: Callable[[EnginePool], Awaitable[Result]]) -> Result:
    """Return the result of a test with a pool of one process that has its kernels."""

    async def go() -> Result:
        async with running_pool() as pool:
            await pool.ask("warm up", SHORT)
            return await test(pool)

    return asyncio.run(asyncio.wait_for(go(), WAIT_SECONDS))


def get_pid(pool: EnginePool) -> int:
    process = pool.workers[0].process
    assert process is not None
    return process.pid


def measure_cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def start_search(pool: EnginePool, request: dict[str, Any] = LONG) -> asyncio.Task[Any]:
    """Return a task that waits for a search which has begun."""
    task = asyncio.create_task(pool.ask("searcher", request))
    before = measure_cpu_seconds(get_pid(pool))
    while measure_cpu_seconds(get_pid(pool)) - before < 0.1:
        await asyncio.sleep(0.01)
    return task


async def measure_seconds(work: Awaitable[object]) -> float:
    started_at = time.monotonic()
    await work
    return time.monotonic() - started_at


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="measures processes by /proc")
def test_a_cancelled_search_stops_and_its_process_is_idle_at_once() -> None:
    async def test(pool: EnginePool) -> None:
        pid, search = get_pid(pool), await start_search(pool)
        search.cancel()
        with suppress(asyncio.CancelledError):
            await search
        assert await measure_seconds(pool.ask("next", SHORT)) < SOON_SECONDS
        before = measure_cpu_seconds(pid)
        await asyncio.sleep(1)
        assert measure_cpu_seconds(pid) - before < 0.3, "it still searches"
        assert (get_pid(pool), pool.restart_count) == (pid, 0), "nothing had to be killed"

    run(test)


def test_a_move_that_is_terminated_is_answered_with_what_is_known() -> None:
    async def test(pool: EnginePool) -> Any:
        (worker,) = pool.workers
        move = {"id": "m", "action": "choose_move", "spec": "tether-13", "level": 7}
        await worker.ask(move | {"seconds": 0.01}, WAIT_SECONDS)  # loads what it needs
        moving = asyncio.create_task(worker.ask(move, WAIT_SECONDS))
        await asyncio.sleep(0.05)
        worker.terminate("m")
        return await moving

    assert run(test)["terminated"]


def test_a_cancelled_job_in_the_queue_reaches_no_process() -> None:
    async def test(pool: EnginePool) -> None:
        search = await start_search(pool)
        waiting = [asyncio.create_task(pool.ask(owner, LONG)) for owner in ("a", "a", "b")]
        await asyncio.sleep(0.05)
        assert len(pool.queue) == 3
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert len(pool.queue) == 0
        answered = pool.completed_count
        search.cancel()
        await pool.ask("next", SHORT)
        assert pool.completed_count - answered == 2, "the search that was cancelled, and the next"

    run(test)


def test_cancelling_is_fair_to_the_jobs_behind() -> None:
    async def test(pool: EnginePool) -> None:
        search = await start_search(pool)
        first, second = (asyncio.create_task(pool.ask("a", SHORT)) for _ in range(2))
        await asyncio.sleep(0.05)
        first.cancel()
        search.cancel()
        assert (await second)["visits"] == 50

    run(test)


def test_a_process_that_does_not_stop_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_client, "TERMINATE_SECONDS", 0.3)

    async def test(pool: EnginePool) -> None:
        (worker,) = pool.workers
        command = worker.command
        await worker.kill()
        worker.command = (sys.executable, "-c", DEAF)
        search = asyncio.create_task(pool.ask("a", SHORT))
        while not any(query.timeout for query in worker.queries.values()):
            await asyncio.sleep(0.01)
        worker.warm.add("tether")  # a process that may be compiling has more time
        worker.command = command
        search.cancel()
        assert (await pool.ask("b", SHORT))["visits"] == 50
        assert pool.restart_count == 1

    run(test)


def test_a_process_that_may_be_compiling_is_not_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_client, "TERMINATE_SECONDS", 0.0)

    async def go() -> None:
        async with running_pool() as pool:
            search = asyncio.create_task(pool.ask("a", LONG))
            while not any(query.timeout for query in pool.workers[0].queries.values()):
                await asyncio.sleep(0.01)
            search.cancel()
            assert (await pool.ask("b", SHORT))["visits"] == 50
            assert pool.restart_count == 0

    asyncio.run(asyncio.wait_for(go(), WAIT_SECONDS))


def test_a_job_that_is_cancelled_while_the_process_starts_is_not_sent() -> None:
    async def go() -> None:
        worker = EngineWorkerClient()
        asking = asyncio.create_task(worker.ask(LONG | {"id": "a"}, 60))
        await asyncio.sleep(0)
        worker.terminate("a")
        assert (await asking)["noResults"]
        assert worker.queries == {}
        await worker.kill()

    asyncio.run(go())


@pytest.mark.parametrize("program", [GARBAGE, NO_OBJECT, LONG_LINE, ENDS])
def test_a_process_that_does_not_speak_the_protocol_is_tried_twice(program: str) -> None:
    async def go() -> tuple[str, int]:
        async with running_pool() as pool:
            pool.workers[0].command = (sys.executable, "-c", program)
            with pytest.raises(EngineLostError) as caught:
                await pool.ask("a", SHORT)
            return str(caught.value), pool.restart_count

    message, restarts = asyncio.run(asyncio.wait_for(go(), WAIT_SECONDS))
    assert message.startswith("the engine ended: ")
    assert restarts == 2


def test_a_program_that_cannot_be_started_is_an_error() -> None:
    async def go() -> None:
        async with running_pool() as pool:
            pool.workers[0].command = ("/nonexistent",)
            with pytest.raises(EngineLostError, match="nonexistent"):
                await pool.ask("a", SHORT)

    asyncio.run(go())


def test_an_analysis_reports_while_it_searches_and_then_its_result() -> None:
    async def test(pool: EnginePool) -> list[Any]:
        return [report async for report in pool.analyse("a", LONG | {"seconds": 1.5, "lines": 2})]

    *reports, final = run(test)
    assert len(reports) >= 2
    assert all(report["isDuringSearch"] for report in reports)
    assert not final["isDuringSearch"]
    assert "terminated" not in final
    visits = [report["visits"] for report in (*reports, final)]
    assert visits == sorted(visits)
    assert all(len(report["lines"]) == 2 for report in reports)


def test_who_reads_slowly_gets_the_newest_report() -> None:
    async def test(pool: EnginePool) -> list[Any]:
        reports = []
        async with aclosing(pool.analyse("a", LONG | {"seconds": 2})) as responses:
            async for report in responses:
                reports.append(report)
                await asyncio.sleep(1.5)
        return reports

    reports = run(test)
    assert not reports[-1]["isDuringSearch"]
    assert len(reports) <= 3


def test_an_analysis_that_nobody_follows_ends() -> None:
    async def test(pool: EnginePool) -> None:
        async with aclosing(pool.analyse("a", LONG)) as responses:
            async for _ in responses:
                break
        assert await measure_seconds(pool.ask("b", SHORT)) < SOON_SECONDS
        assert pool.restart_count == 0

    run(test)


def test_an_analysis_whose_process_is_killed_goes_on_in_another() -> None:
    async def test(pool: EnginePool) -> tuple[list[Any], int]:
        reports = []
        async with aclosing(pool.analyse("a", LONG | {"seconds": 2})) as responses:
            async for report in responses:
                reports.append(report)
                if len(reports) == 2:
                    os.kill(get_pid(pool), 9)
        return reports, pool.restart_count

    reports, restarts = run(test)
    assert (restarts, reports[-1]["isDuringSearch"]) == (1, False)
    assert reports[-1]["seconds"] > 1.5, "from the beginning"


def test_an_analysis_whose_process_is_killed_again_and_again_fails_clearly() -> None:
    async def kill_at_every_report(pool: EnginePool) -> None:
        async for _ in pool.analyse("a", LONG):
            os.kill(get_pid(pool), 9)

    async def test(pool: EnginePool) -> None:
        with pytest.raises(ApiError, match="the engine ended: output closed"):
            await kill_at_every_report(pool)
        assert (await pool.ask("b", SHORT))["visits"] == 50

    run(test)


def test_a_long_analysis_ends_early_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MAX_UNSHARED_SECONDS", 0.5)

    async def test(pool: EnginePool) -> Any:
        async with aclosing(pool.analyse("a", LONG)) as responses:
            asyncio.get_running_loop().call_later(1, lambda: tasks.append(asyncio.create_task(pool.ask("b", SHORT))))
            tasks: list[asyncio.Task[Any]] = []
            last = [report async for report in responses][-1]
        assert (await tasks[0])["visits"] == 50
        return last

    final = run(test)
    assert (final["isDuringSearch"], final["terminated"]) == (False, True)
    assert 0.5 <= final["seconds"] < 30


def test_a_move_does_not_wait_for_analyses_which_are_searched_again() -> None:
    async def test(pool: EnginePool) -> None:
        requests = [LONG | {"seconds": 1.5} for _ in range(15)]
        analyses = [asyncio.create_task(pool.ask(f"owner {number}", request)) for number, request in enumerate(requests)]
        while not pool.queue.running:
            await asyncio.sleep(0.01)
        for _ in range(3):
            await asyncio.sleep(0.2)
            assert await measure_seconds(pool.ask("match", MOVE | {"seconds": 2})) < 4
        assert (pool.preemption_count, pool.restart_count) == (3, 0)
        first, *others = analyses
        assert (await first)["seconds"] > 1.4, "searched for its whole time"
        for task in others:
            task.cancel()

    run(test)


def test_an_analysis_that_is_preempted_again_and_again_ends_with_what_is_known() -> None:
    async def test(pool: EnginePool) -> None:
        analysis = asyncio.create_task(pool.ask("a", LONG))
        for _ in range(MAX_PREEMPTIONS + 1):
            while not pool.queue.running:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            await pool.ask("match", MOVE)
        assert (await analysis)["terminated"]

    run(test)


def test_a_process_that_does_not_stop_an_analysis_for_a_move_is_replaced_within_the_budget() -> None:
    async def test(pool: EnginePool) -> None:
        (worker,) = pool.workers
        command = worker.command
        await worker.kill()
        worker.command = (sys.executable, "-c", DEAF)
        analysis = asyncio.create_task(pool.ask("a", SHORT))
        while not any(query.timeout for query in worker.queries.values()):
            await asyncio.sleep(0.01)
        worker.command = command
        move = asyncio.create_task(pool.ask("match", MOVE | {"seconds": 2}))
        while pool.restart_count == 0:
            await asyncio.sleep(0.01)
        assert "move" in await move
        assert (await analysis)["visits"] == 50

    run(test)


def test_a_process_that_is_stopped_during_a_search_is_noticed_within_seconds_and_its_job_repeated() -> None:
    async def test(pool: EnginePool) -> None:
        pid, search = get_pid(pool), await start_search(pool, LONG | {"seconds": 2})
        os.kill(pid, signal.SIGSTOP)
        stopped_at = time.monotonic()
        while pool.restart_count == 0:
            await asyncio.sleep(0.05)
            assert time.monotonic() - stopped_at < NOTICED_SECONDS
        assert (await search)["seconds"] > 1.5
        assert get_pid(pool) != pid

    run(test)


def test_an_idle_process_that_is_stopped_is_replaced_before_the_next_job() -> None:
    async def test(pool: EnginePool) -> None:
        process = pool.workers[0].process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        assert await measure_seconds(process.wait()) < NOTICED_SECONDS
        assert (await pool.ask("a", SHORT))["visits"] == 50

    run(test)


def test_a_search_that_hangs_is_noticed_within_seconds_and_reported() -> None:
    async def test(pool: EnginePool) -> None:
        (worker,) = pool.workers
        await worker.kill()
        worker.command = (sys.executable, "-c", STUCK)
        with pytest.raises(EngineLostError, match="the engine hangs: its search made no progress for 4 s"):
            await pool.ask("a", SHORT)
        assert pool.restart_count == 2

    run(test)


def test_a_process_with_too_much_memory_is_replaced_between_two_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(pool: EnginePool) -> None:
        pid = get_pid(pool)
        assert (await pool.ask("a", LONG | {"spec": "tether-19", "seconds": 2.5}))["visits"] > 0
        while not pool.workers[0].memory_bytes:
            await asyncio.sleep(0.1)
        assert get_pid(pool) == pid
        monkeypatch.setattr(pool_module, "MAX_WORKER_BYTES", pool.workers[0].memory_bytes - 1)
        assert (await pool.ask("a", SHORT))["visits"] == 50
        assert (await pool.ask("a", SHORT))["visits"] == 50
        assert pool.restart_count >= 1
        assert get_pid(pool) != pid

    run(test)


@pytest.mark.slow
def test_the_memory_of_a_process_is_bounded_on_the_largest_boards() -> None:
    async def test(pool: EnginePool) -> None:
        for spec in ("laocoon", "tether-19", "lariat-6x24", "cube-lariat-8", "liger-10"):
            for level in (1, 6, 7, 8):
                await pool.ask("a", LONG | {"spec": spec, "level": level, "seconds": 25})
                status = Path(f"/proc/{get_pid(pool)}/status").read_text()
                assert int(status.partition("VmHWM:")[2].split()[0]) * 1024 < pool_module.MAX_WORKER_BYTES
        assert pool.restart_count == 0

    run(test)


def test_stopping_ends_searches_and_fails_what_waits() -> None:
    async def test(pool: EnginePool) -> None:
        pid, search = get_pid(pool), await start_search(pool)
        waiting = asyncio.create_task(pool.ask("a", SHORT))
        await asyncio.sleep(0.05)
        assert await measure_seconds(pool.stop()) < SOON_SECONDS
        for task in (search, waiting):
            with pytest.raises(ApiError, match="stopped"):
                await task
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    run(test)


def test_a_process_without_server_ends_during_a_search() -> None:
    async def test(pool: EnginePool) -> None:
        search = await start_search(pool)
        process = pool.workers[0].process
        assert process is not None
        assert process.stdin is not None
        process.stdin.close()
        assert await measure_seconds(process.wait()) < SOON_SECONDS
        search.cancel()

    run(test)
