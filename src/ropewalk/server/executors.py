"""Bounded thread pools: each kind of work has threads and a queue of its own, so that one kind cannot delay another."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from .errors import ApiError

RETRY_SECONDS = 1.0
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class BoundedExecutor:
    """A thread pool with a bounded number of jobs, running or waiting, in all and by client."""

    def __init__(self, name: str, threads: int, max_jobs: int, max_client_jobs: int) -> None:
        self.name = name
        self.max_jobs = max_jobs
        self.max_client_jobs = max_client_jobs
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.lock = threading.Lock()  # of the two counters, which are decremented by the threads
        self.job_count = 0
        self.client_jobs: Counter[str] = Counter()
        self.refused_count = 0

    async def run(
        self, client: str, function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        """Return the result of a function that runs in a thread. A job that waits is dropped if the caller is cancelled.

        Raises:
            ApiError: `too-many`: the client has too many jobs. `busy`: there are too many in all.
        """
        self.enter(client)
        try:
            job = self.threads.submit(function, *args, **kwargs)
        except BaseException:
            self.leave(client)
            raise
        job.add_done_callback(lambda _: self.leave(client))
        return await asyncio.wrap_future(job)

    def enter(self, client: str) -> None:
        """Count a new job."""
        with self.lock:
            if self.client_jobs[client] >= self.max_client_jobs:
                self.refused_count += 1
                message = f"too many requests at once; at most {self.max_client_jobs} of this kind are allowed ({self.name})"
                raise ApiError("too-many", message, limit=self.max_client_jobs, retry_after=RETRY_SECONDS)
            if self.job_count >= self.max_jobs:
                self.refused_count += 1
                message = f"the server is busy: {self.max_jobs} requests of this kind wait ({self.name}); try again later"
                raise ApiError("busy", message, limit=self.max_jobs, retry_after=RETRY_SECONDS)
            self.job_count += 1
            self.client_jobs[client] += 1

    def leave(self, client: str) -> None:
        """Count a job as finished."""
        with self.lock:
            self.job_count -= 1
            self.client_jobs[client] -= 1
            if not self.client_jobs[client]:
                del self.client_jobs[client]

    def shut_down(self) -> None:
        """Drop the jobs that wait; those that run end by themselves."""
        self.threads.shutdown(wait=False, cancel_futures=True)


class WorkExecutors:
    """The thread pools of a server process."""

    def __init__(self) -> None:
        self.passwords = BoundedExecutor("password hashing", threads=2, max_jobs=64, max_client_jobs=8)
        self.rules = BoundedExecutor("rules of games", threads=2, max_jobs=64, max_client_jobs=8)
        self.loading = BoundedExecutor("loading of matches", threads=1, max_jobs=10_000, max_client_jobs=10_000)

    def __iter__(self) -> Iterator[BoundedExecutor]:
        """Iterate over all pools."""
        return iter((self.passwords, self.rules, self.loading))

    def shut_down(self) -> None:
        """Drop all jobs that wait."""
        for executor in self:
            executor.shut_down()
