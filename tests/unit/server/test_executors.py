"""Thread pools: a full queue refuses with its number, clients are limited each, and cancelled jobs do not run."""

from __future__ import annotations

import asyncio
import threading

import pytest

from ropewalk.server.executors import BoundedExecutor
from tests.support.match_log import expect_error

pytestmark = pytest.mark.anyio


async def wait_until_idle(executor: BoundedExecutor) -> None:
    """Wait until all jobs have been counted as finished."""
    while executor.job_count:
        await asyncio.sleep(0.001)


async def test_a_full_pool_refuses_with_its_number_and_is_free_again() -> None:
    executor, gate = BoundedExecutor("test", num_threads=1, max_jobs=3, max_client_jobs=2), threading.Event()
    jobs = [asyncio.create_task(executor.run(client, gate.wait)) for client in ("a", "a", "b")]
    await asyncio.sleep(0)
    with expect_error("too-many") as caught:
        await executor.run("a", gate.wait)
    assert caught.value.details["limit"] == 2
    with expect_error("busy") as caught:
        await executor.run("c", gate.wait)
    assert caught.value.details["limit"] == 3
    assert caught.value.headers() == {"Retry-After": "1"}
    gate.set()
    assert await asyncio.gather(*jobs) == [True] * 3
    await wait_until_idle(executor)
    assert await executor.run("c", str, 5) == "5"
    await wait_until_idle(executor)
    assert (executor.client_jobs, executor.refused_count) == ({}, 2)
    executor.shut_down()


async def test_an_exception_reaches_the_caller() -> None:
    executor = BoundedExecutor("test", num_threads=1, max_jobs=3, max_client_jobs=2)
    with pytest.raises(ValueError, match="invalid literal"):
        await executor.run("a", int, "x")
    await wait_until_idle(executor)
    executor.shut_down()


async def test_a_job_that_waits_is_dropped_when_its_caller_is_cancelled() -> None:
    executor, gate = BoundedExecutor("test", num_threads=1, max_jobs=3, max_client_jobs=3), threading.Event()
    ran: list[int] = []
    first = asyncio.create_task(executor.run("a", gate.wait))
    second = asyncio.create_task(executor.run("a", ran.append, 1))
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    gate.set()
    await first
    await wait_until_idle(executor)
    assert ran == []
    executor.shut_down()


async def test_clients_take_turns() -> None:
    executor, gate = BoundedExecutor("test", num_threads=1, max_jobs=9, max_client_jobs=9), threading.Event()
    order: list[str] = []
    first = asyncio.create_task(executor.run("a", gate.wait))
    await asyncio.sleep(0)
    jobs = [asyncio.create_task(executor.run(name[0], order.append, name)) for name in ("a1", "a2", "a3", "b1", "b2")]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, *jobs)
    assert order == ["a1", "b1", "a2", "b2", "a3"]
    await wait_until_idle(executor)
    executor.shut_down()
