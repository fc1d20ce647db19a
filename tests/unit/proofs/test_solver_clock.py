"""The time limit of a solver is the time that it works, not the time that numba compiles."""

from __future__ import annotations

import time

from numba.core.event import trigger_event

from ropewalk.proofs.solver import SolverClock, SolverLimits


def test_compilations_do_not_count() -> None:
    clock = SolverClock(SolverLimits(seconds=0.4))
    with trigger_event("numba:compile"), trigger_event("numba:compile"):
        time.sleep(0.5)
    assert clock.elapsed_seconds < 0.4
    assert clock.should_continue(0, 0)
    time.sleep(0.5)
    assert clock.elapsed_seconds > 0.4
    assert not clock.should_continue(0, 0)
