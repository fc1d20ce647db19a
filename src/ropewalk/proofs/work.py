"""The limits of a solver's work: whether to go on, and word of it to whoever watches."""

from __future__ import annotations

import time

from .solution import ProgressCallback, SolverLimits

REPORT_INTERVAL_SECONDS = 0.1  # seconds


class SolverStopped(Exception):
    """Time is up, or the work is no longer wanted; what was proven stays."""


class SolverClock:
    """Counts time and passes on the news."""

    def __init__(self, limits: SolverLimits, on_progress: ProgressCallback | None = None) -> None:
        self.limits = limits
        self.on_progress = on_progress
        self.status = ""
        self.restart()

    def restart(self) -> None:
        """Count the time from now on."""
        self.started_at = self.last_report = time.monotonic()

    @property
    def elapsed_seconds(self) -> float:
        """Since the work began."""
        return time.monotonic() - self.started_at

    def should_continue(self, nodes: int, memory_bytes: int) -> bool:
        """Tell the watcher now and then; whether there is time left and nobody has called a stop."""
        now = time.monotonic()
        if self.on_progress and now - self.last_report > REPORT_INTERVAL_SECONDS:
            self.last_report = now
            self.on_progress(nodes, memory_bytes, self.status)
        is_over_time = self.limits.seconds is not None and now - self.started_at > self.limits.seconds
        return not is_over_time and not self.limits.stop.is_set()

    def check(self, nodes: int, memory_bytes: int) -> None:
        """Raise Stopped when it is time to end."""
        if not self.should_continue(nodes, memory_bytes):
            raise SolverStopped
