"""Threads that help the calling thread with a batch; lighter than the tasks and futures of an executor.

A kernel of `rules.batch` takes ranges of positions by itself. So every thread calls it, and a helper that starts late,
or is interrupted, leaves its ranges to the others. A helper waits in the kernel for the next call for a while: when the
calling thread calls the same kernel with the same arguments, it needs neither a lock nor the interpreter.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TypeAlias

from ..jit.kernel import compile_for, is_jit_enabled
from ..rules.batch import RANGE_LENGTH, BatchShare, call_helper, end_waiting, make_share, renew_share, wait_until_finished

MAX_CHECKS = 4000  # of whether the helpers have finished, before the calling thread sleeps: some 50 microseconds
MAX_HELPER_CHECKS = 50_000  # of whether there is another call, before a helper leaves the kernel: some 100 microseconds
SLEEP_SECONDS = 0.0002  # of the calling thread, before it checks again
ShareWork: TypeAlias = Callable[[BatchShare], None]


class SharedJob:
    """A kernel with its arguments, which several threads call. `errors` receives the exceptions of helpers."""

    def __init__(
        self,
        work: ShareWork,
        num_positions: int,
        num_threads: int,
        key: Hashable = None,
        *,
        range_length: int = RANGE_LENGTH,
    ) -> None:
        self.work = work
        self.key = key
        is_waiting = key is not None and is_jit_enabled()
        max_checks = MAX_HELPER_CHECKS if is_waiting else 0
        self.share = make_share(num_positions, num_threads, max_checks, range_length=range_length)
        self.errors: SimpleQueue[BaseException] = SimpleQueue()

    def help(self, thread: int) -> None:
        """Take ranges in a helper thread."""
        compile_calling()(self.share, thread)
        try:
            self.work(self.share._replace(thread=thread))
        except BaseException as error:  # raised again by the calling thread
            self.errors.put(error)

    def run(self) -> list[int]:
        """Take ranges in the calling thread, wait until the helpers have finished theirs, and return all results."""
        self.work(self.share)
        is_finished = compile_waiting()
        while self.share.num_threads > 1 and not is_finished(self.share, MAX_CHECKS):
            with suppress(Empty):
                raise self.errors.get(timeout=SLEEP_SECONDS)
        results: list[int] = self.share.results.tolist()
        return results


@cache
def compile_waiting() -> Callable[[BatchShare, int], bool]:
    """Return the machine code of `wait_until_finished`."""
    return compile_for(wait_until_finished, make_share(1), MAX_CHECKS)


@cache
def compile_renewal() -> Callable[[BatchShare], None]:
    """Return the machine code of `renew_share`."""
    return compile_for(renew_share, make_share(1))


@cache
def compile_calling() -> Callable[[BatchShare, int], bool]:
    """Return the machine code of `call_helper`."""
    return compile_for(call_helper, make_share(1), 1)


def run_jobs(jobs: SimpleQueue[SharedJob | None], thread: int) -> None:
    """Help with jobs until None arrives."""
    while (job := jobs.get()) is not None:
        job.help(thread)
        del job  # a waiting thread must not keep the arrays of a batch alive


class HelperThreads:
    """Daemon threads that wait for jobs; they end when this object is deleted. A forked process does without them."""

    def __init__(self, count: int) -> None:
        self.job: SharedJob | None = None  # the last one
        self.queues: list[SimpleQueue[SharedJob | None]] = [SimpleQueue() for _ in range(count)]
        for index, jobs in enumerate(self.queues):
            threading.Thread(target=run_jobs, args=(jobs, index + 1), daemon=True).start()

    @property
    def num_threads(self) -> int:
        """Number of threads that work on a job: the helpers and the calling thread."""
        return len(self.queues) + 1

    def run(
        self,
        work: ShareWork,
        num_positions: int,
        key: Hashable = None,
        *,
        range_length: int = RANGE_LENGTH,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[int]:
        """Let this thread and the helpers work on all positions; return the results, one of each thread.

        Equal keys, other than None, say that the kernel and its arguments are those of the last call: `work` is then not
        called, but the one of the last call once more. This thread calls `meanwhile` before it works itself.
        """
        job, self.job = self.job, None  # so that a job that raises is not used again
        if job is not None and job.key == key:
            compile_renewal()(job.share)
        else:
            if job is not None:
                end_waiting(job.share)
            job = SharedJob(work, num_positions, self.num_threads, key, range_length=range_length)
        self.call_helpers(job)
        if meanwhile is not None:
            meanwhile()
        results = job.run()
        if key is not None:
            self.job = job
        return results

    def call_helpers(self, job: SharedJob) -> None:
        """Send a job to the helpers that do not wait for it in the kernel."""
        for index, jobs in enumerate(self.queues):
            if compile_calling()(job.share, index + 1):
                if not jobs.empty():  # a job that the others have finished meanwhile
                    with suppress(Empty):
                        jobs.get_nowait()
                jobs.put(job)

    def __del__(self) -> None:
        if self.job is not None:
            end_waiting(self.job.share)
        for jobs in self.queues:
            jobs.put(None)
