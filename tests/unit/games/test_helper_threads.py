"""Threads that help with a batch: every position is done exactly once before the call returns."""

from __future__ import annotations

import gc
import random
import threading
import time
import weakref

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch
from ropewalk.games.helper_threads import HelperThreads, SharedJob
from ropewalk.jit.interpreted import interpret
from ropewalk.rules import batch
from ropewalk.rules.batch import RANGE_LENGTH, BatchShare

take_range, finish_range = interpret(batch.take_range), interpret(batch.finish_range)


@pytest.mark.parametrize("num_helpers", [0, 1, 2, 4])
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


def test_the_caller_does_something_else_while_helpers_work_in_ranges_of_a_length() -> None:
    ranges: list[tuple[int, int]] = []

    def record(share: BatchShare) -> None:
        begin, end = take_range(share)
        while begin < end:
            ranges.append((begin, end))
            begin, end = finish_range(share, begin, end)

    def wait_for_all() -> None:
        until = time.monotonic() + 10
        while len(ranges) < 10 and time.monotonic() < until:
            time.sleep(0.001)

    HelperThreads(1).run(record, 50, range_length=5, meanwhile=wait_for_all)
    assert sorted(ranges) == [(begin, begin + 5) for begin in range(0, 50, 5)]


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


def test_calls_with_the_same_key_are_one_job_whose_helpers_may_come_and_go() -> None:
    counts, jobs = np.zeros(1000, np.int64), []

    def count(share: BatchShare) -> None:
        jobs.append(share.counters)
        begin, end = take_range(share)
        while begin < end:
            counts[begin:end] += 1
            begin, end = finish_range(share, begin, end)

    helpers = HelperThreads(2)
    for calls in range(1, 200):
        helpers.run(count, 1000, key="same" if calls < 150 else calls)
        time.sleep(0.0005 * (calls % 3))
        assert (counts == calls).all()
    assert len({id(counters) for counters in jobs}) == 51


def test_steps_in_any_rhythm_are_those_of_one_thread() -> None:
    """Helpers wait in the kernel, leave it, or are on their way when the next call comes."""
    rng, game = random.Random(1), ropewalk.game("tether-5")
    alone, shared = (Batch(game, 1024, seed=3, threads=threads) for threads in (1, 3))
    masks = [np.zeros((1024, game.num_actions), np.bool_) for _ in range(2)]
    for _ in range(1500):
        kind = rng.randrange(8)
        if kind == 0:
            moves = alone.choose()
            assert (moves == shared.choose()).all()
            alone.play(moves, restart=True)
            shared.play(moves, restart=True)
        else:
            out = masks if kind == 1 else [None, None]
            made = [each.play_random(restart=True, masks=mask) for each, mask in zip((alone, shared), out, strict=True)]
            assert (made[0] == made[1]).all()
            assert (masks[0] == masks[1]).all()
        time.sleep(rng.choice((0, 0, 0, 0.0001, 0.0003)))
    assert (alone.rows == shared.rows).all()


def test_a_batch_with_helpers_is_freed_without_the_garbage_collector() -> None:
    batch = Batch(ropewalk.game("tether-5"), 1024, threads=2)
    batch.play_random(restart=True)
    rows = weakref.ref(batch.rows)
    gc.disable()
    try:
        del batch
        until = time.monotonic() + 5
        while rows() is not None and time.monotonic() < until:
            time.sleep(0.01)  # a helper leaves the kernel first
        assert rows() is None
    finally:
        gc.enable()
