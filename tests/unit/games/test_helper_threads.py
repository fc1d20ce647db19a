"""Threads that help with ranges of a batch: every range is done exactly once before the call returns."""

from __future__ import annotations

import threading
import time

import pytest

from ropewalk.games.helper_threads import HelperThreads, RangeJob


def test_a_helper_without_a_range_does_not_end_the_wait_for_another() -> None:
    taken, released = threading.Event(), threading.Event()

    def wait_in_the_first(begin: int, end: int) -> int:
        if begin == 0:
            taken.set()
            released.wait(10)
        return begin

    job, results = RangeJob(wait_in_the_first, size=2, length=1), []
    busy = threading.Thread(target=job.help)
    busy.start()
    taken.wait(10)
    caller = threading.Thread(target=lambda: results.extend(job.run()))
    caller.start()
    job.help()  # finds no range left, or the one that the caller would have taken
    caller.join(0.1)
    assert caller.is_alive()
    released.set()
    caller.join(10)
    busy.join(10)
    assert sorted(results) == [0, 1]


def test_an_exception_in_a_helper_reaches_the_caller() -> None:
    caller = threading.get_ident()

    def fail_in_helpers(begin: int, end: int) -> None:
        if threading.get_ident() != caller:
            raise ValueError("in a helper")
        time.sleep(0.2)

    with pytest.raises(ValueError, match="in a helper"):
        HelperThreads(1).map_ranges(fail_in_helpers, 4, 1)


def test_no_range_gives_no_result() -> None:
    assert HelperThreads(1).map_ranges(lambda begin, end: begin, 0, 4) == []
