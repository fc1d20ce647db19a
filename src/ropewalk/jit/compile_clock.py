"""A clock that stands still while numba compiles, for time limits that must not depend on the state of the cache."""

from __future__ import annotations

import time
from typing import Any

from numba.core.event import Listener, register

COMPILE_EVENT = "numba:compile"


class CompileTimer:
    """Adds up the time of all compilations of the process; compilations nest, and only the outermost counts."""

    def __init__(self) -> None:
        self.total_seconds = 0.0
        self.depth = 0
        self.started_at = 0.0

    def notify(self, event: Any) -> None:
        """Handle the start or the end of a compilation; numba's lock lets one thread compile at a time."""
        if event.is_start:
            if self.depth == 0:
                self.started_at = time.monotonic()
            self.depth += 1
        else:
            self.depth -= 1
            if self.depth == 0:
                self.total_seconds += time.monotonic() - self.started_at


Listener.register(CompileTimer)
TIMER = CompileTimer()
register(COMPILE_EVENT, TIMER)


def read_work_clock() -> float:
    """Return `time.monotonic()` without the time that this process has spent in compilations that are finished."""
    return time.monotonic() - TIMER.total_seconds
