"""Threads that help with a batch: every position is done exactly once before the call returns."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from ropewalk.games.helper_threads import HelperThreads, SharedJob
from ropewalk.jit.interpreted import interpret
from ropewalk.rules import batch
from ropewalk.rules.batch import RANGE_LENGTH, BatchShare

take_range, finish_range = interpret(batch.take_range), interpret(batch.finish_range)


@pytest.mark.parametrize("num_helpers", [1, 2, 4])
@pytest.mark.parametrize("num_positions", [0, 1, RANGE_LENGTH, 5 * RANGE_LENGTH + 3, 1000])
def test_every_position_is_taken_once(num_helpers: int, num_positions: int) -> None:
    counts = np.zeros(num_positions, np.int64)

    def count(share: BatchShare) -> None:
        begin, end = take_range(share)
        while begin < end:
            counts[begin:end] += 1
            share.results[share.thread] += end - begin
            time.sleep(0.0001)
            begin, end = finish_range(share, begin, end)

    helpers = HelperThreads(num_helpers)
    for calls in range(1, 4):
        assert sum(helpers.run(count, num_positions)) == num_positions
        assert (counts == calls).all()


def test_a_helper_without_a_range_does_not_end_the_wait_for_another() -> None:
    taken, released = threading.Event(), threading.Event()

    def wait_in_a_helper(share: BatchShare) -> None:
        begin, end = take_range(share)
        while begin < end:
            if share.thread == 1:
                taken.set()
                released.wait(10)
            share.results[share.thread] += end - begin
            begin, end = finish_range(share, begin, end)

    job, results = SharedJob(wait_in_a_helper, 3 * RANGE_LENGTH, 3), []
    busy = threading.Thread(target=job.help, args=(1,))
    busy.start()
    taken.wait(10)
    caller = threading.Thread(target=lambda: results.extend(job.run()))
    caller.start()
    job.help(2)
    job.help(2)  # finds no range left
    caller.join(0.1)
    assert caller.is_alive()
    released.set()
    caller.join(10)
    busy.join(10)
    assert sum(results) == 3 * RANGE_LENGTH


def test_an_exception_in_a_helper_reaches_the_caller() -> None:
    caller = threading.get_ident()

    def fail_in_helpers(share: BatchShare) -> None:
        begin, end = take_range(share)
        while begin < end:
            if threading.get_ident() != caller:
                raise ValueError("in a helper")
            time.sleep(0.05)
            begin, end = finish_range(share, begin, end)

    with pytest.raises(ValueError, match="in a helper"):
        HelperThreads(1).run(fail_in_helpers, 20 * RANGE_LENGTH)
