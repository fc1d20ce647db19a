"""Bounded thread pools: each kind of work has threads and a queue of its own, so that one kind cannot delay another."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from .errors import ApiError

RETRY_SECONDS = 1.0
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class BoundedExecutor:
    """A thread pool with a bounded number of jobs, running or waiting, in all and by client.

    Clients take turns, so that one with many jobs does not delay the others. All methods are called by the event loop.
    """

    def __init__(self, name: str, num_threads: int, max_jobs: int, max_client_jobs: int) -> None:
        self.name = name
        self.num_threads = num_threads
        self.max_jobs = max_jobs
        self.max_client_jobs = max_client_jobs
        self.threads = ThreadPoolExecutor(num_threads, thread_name_prefix=name)
        self.running_count = 0
        self.job_count = 0
        self.client_jobs: Counter[str] = Counter()
        self.refused_count = 0
        self.turns: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # of jobs that wait; the next client first

    async def run(
        self, client: str, function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        """Return the result of a function that runs in a thread. A job that waits is dropped if the caller is cancelled.

        Raises:
            ApiError: `too-many`: the client has too many jobs. `busy`: there are too many in all.
        """
        self.check_limits(client)
        self.job_count += 1
        self.client_jobs[client] += 1
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self.turns.setdefault(client, deque()).append(turn)
        self.start_waiting()
        try:
            await turn
        except asyncio.CancelledError:
            self.finish(client, has_run=turn.done() and not turn.cancelled())
            raise
        job = self.threads.submit(function, *args, **kwargs)

        def report(_: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(self.finish, client)

        job.add_done_callback(report)
        return await asyncio.wrap_future(job)

    def check_limits(self, client: str) -> None:
        """Raise ApiError if there are too many jobs."""
        if self.client_jobs[client] >= self.max_client_jobs:
            self.refused_count += 1
            message = f"too many requests at once; at most {self.max_client_jobs} of this kind are allowed ({self.name})"
            raise ApiError("too-many", message, limit=self.max_client_jobs, retry_after=RETRY_SECONDS)
        if self.job_count >= self.max_jobs:
            self.refused_count += 1
            message = f"the server is busy: {self.max_jobs} requests of this kind wait ({self.name}); try again later"
            raise ApiError("busy", message, limit=self.max_jobs, retry_after=RETRY_SECONDS)

    def start_waiting(self) -> None:
        """Start jobs that wait while threads are free, one of each client in turn."""
        while self.turns and self.running_count < self.num_threads:
            client, turns = self.turns.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self.turns[client] = turns
            if not turn.cancelled():
                self.running_count += 1
                turn.set_result(None)

    def finish(self, client: str, has_run: bool = True) -> None:
        """Count a job as finished or dropped, and start the next one."""
        self.running_count -= has_run
        self.job_count -= 1
        self.client_jobs[client] -= 1
        if not self.client_jobs[client]:
            del self.client_jobs[client]
        self.start_waiting()

    def shut_down(self) -> None:
        """Start no more jobs; those that run end by themselves."""
        self.threads.shutdown(wait=False, cancel_futures=True)


class WorkExecutors:
    """The thread pools of a server process."""

    def __init__(self) -> None:
        self.passwords = BoundedExecutor("password hashing", num_threads=2, max_jobs=64, max_client_jobs=8)
        self.rules = BoundedExecutor("rules of games", num_threads=2, max_jobs=64, max_client_jobs=8)
        self.loading = BoundedExecutor("loading of matches", num_threads=1, max_jobs=10_000, max_client_jobs=10_000)

    def __iter__(self) -> Iterator[BoundedExecutor]:
        """Iterate over all pools."""
        return iter((self.passwords, self.rules, self.loading))

    def shut_down(self) -> None:
        """Drop all jobs that wait."""
        for executor in self:
            executor.shut_down()


async def run_in_daemon_thread(name: str, function: Callable[[], Result]) -> Result:
    """Return the result of a function that runs in a thread of its own, which the process does not wait for when it ends."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # from here on it cannot be cancelled: the thread sets its result in any case

    def work() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # the caller gets it
            future.set_exception(error)

    Thread(target=work, name=name, daemon=True).start()
    return await asyncio.wrap_future(future)
