"""Threads that help the calling thread with ranges of a batch; lighter than the tasks and futures of an executor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any


class RangeJob:
    """Ranges that several threads take one by one. `results` receives one list from each helper, in the end."""

    def __init__(self, work: Callable[[int, int], Any], size: int, length: int) -> None:
        self.work = work
        self.size = size
        self.length = length
        ranges = range(0, size, length)
        self.num_ranges = len(ranges)
        self.begins: Iterator[int] = iter(ranges)  # the GIL makes `next` atomic
        self.results: SimpleQueue[list[Any] | BaseException] = SimpleQueue()

    def process(self) -> list[Any]:
        """Take ranges until none is left; return the results."""
        return [self.work(begin, min(begin + self.length, self.size)) for begin in self.begins]

    def help(self) -> None:
        """Take ranges in a helper thread and store the results, or the exception."""
        try:
            self.results.put(self.process())
        except BaseException as error:  # raised again by the calling thread
            self.results.put(error)

    def run(self) -> list[Any]:
        """Take ranges in the calling thread, wait until the helpers have finished theirs, and return all results."""
        collected = self.process()
        while len(collected) < self.num_ranges:
            result = self.results.get()
            if isinstance(result, BaseException):
                raise result
            collected += result
        return collected


def run_jobs(jobs: SimpleQueue[RangeJob | None]) -> None:
    """Help with jobs until None arrives."""
    while (job := jobs.get()) is not None:
        job.help()
        del job  # a waiting thread must not keep the arrays of a batch alive


class HelperThreads:
    """Daemon threads that wait for jobs; they end when this object is deleted. A forked process does without them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.jobs: SimpleQueue[RangeJob | None] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=run_jobs, args=(self.jobs,), daemon=True).start()

    def map_ranges(self, work: Callable[[int, int], Any], size: int, length: int) -> list[Any]:
        """Apply `work` to ranges of at most `length`, in this thread and the helpers; return the results in any order."""
        job = RangeJob(work, size, length)
        for _ in range(self.count):
            self.jobs.put(job)
        return job.run()

    def __del__(self) -> None:
        for _ in range(self.count):
            self.jobs.put(None)
