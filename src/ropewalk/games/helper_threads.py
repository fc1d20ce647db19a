"""Threads that help the calling thread with a batch; lighter than the tasks and futures of an executor.

A kernel of `rules.batch` takes ranges of positions by itself. So every thread calls it once, and a helper that starts late,
or is interrupted, leaves its ranges to the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TypeAlias

from ..jit.kernel import compile_for
from ..rules.batch import COUNTERS_PER_LINE, BatchShare, make_share, wait_until_finished

MAX_CHECKS = 4000  # of whether the helpers have finished, before the calling thread sleeps: some 50 microseconds
ShareWork: TypeAlias = Callable[[BatchShare], None]


class SharedJob:
    """A call of a kernel by several threads. `ended` receives None, or an exception, from each helper in the end."""

    def __init__(self, work: ShareWork, num_positions: int, num_threads: int) -> None:
        self.work = work
        self.share = make_share(num_positions, num_threads)
        self.ended: SimpleQueue[BaseException | None] = SimpleQueue()

    def help(self, thread: int) -> None:
        """Take ranges in a helper thread, and say when none is left."""
        try:
            self.work(self.share._replace(thread=thread))
            self.ended.put(None)
        except BaseException as error:  # raised again by the calling thread
            self.ended.put(error)

    def is_finished(self) -> bool:
        """Return whether all positions are finished."""
        share = self.share
        return bool(share.counters[share.num_threads * COUNTERS_PER_LINE] >= share.num_positions)

    def run(self) -> list[int]:
        """Take ranges in the calling thread, wait until the helpers have finished theirs, and return all results."""
        self.work(self.share)
        if not compile_waiting()(self.share, MAX_CHECKS):
            while not self.is_finished():
                error = self.ended.get()
                if error is not None:
                    raise error
        results: list[int] = self.share.results.tolist()
        return results


@cache
def compile_waiting() -> Callable[[BatchShare, int], bool]:
    """Return the machine code of `wait_until_finished`."""
    return compile_for(wait_until_finished, make_share(1), MAX_CHECKS)


def run_jobs(jobs: SimpleQueue[SharedJob | None], thread: int) -> None:
    """Help with jobs until None arrives."""
    while (job := jobs.get()) is not None:
        job.help(thread)
        del job  # a waiting thread must not keep the arrays of a batch alive


class HelperThreads:
    """Daemon threads that wait for jobs; they end when this object is deleted. A forked process does without them."""

    def __init__(self, count: int) -> None:
        self.queues: list[SimpleQueue[SharedJob | None]] = [SimpleQueue() for _ in range(count)]
        for index, jobs in enumerate(self.queues):
            threading.Thread(target=run_jobs, args=(jobs, index + 1), daemon=True).start()

    def run(self, work: ShareWork, num_positions: int) -> list[int]:
        """Let this thread and the helpers work on all positions; return the results, one of each thread."""
        job = SharedJob(work, num_positions, len(self.queues) + 1)
        for jobs in self.queues:
            if not jobs.empty():  # a job that the others have finished meanwhile
                with suppress(Empty):
                    jobs.get_nowait()
            jobs.put(job)
        return job.run()

    def __del__(self) -> None:
        for jobs in self.queues:
            jobs.put(None)
