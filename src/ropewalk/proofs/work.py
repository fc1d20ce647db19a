"""The limits of a solver's work: whether to go on, and word of it to whoever watches."""

from __future__ import annotations

import time

from .solution import Effort, Watcher

WATCH_EVERY = 0.1  # seconds


class Stopped(Exception):
    """Time is up, or the work is no longer wanted; what was proven stays."""


class Work:
    """Counts time and passes on the news."""

    def __init__(self, effort: Effort, watch: Watcher | None = None) -> None:
        self.effort = effort
        self.watch = watch
        self.words = ""
        self.begin()

    def begin(self) -> None:
        """Count the time from now on."""
        self.began = self.told = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return time.monotonic() - self.began

    def keep_on(self, nodes: int, memory: int) -> bool:
        """Tell the watcher now and then; whether there is time left and nobody has called a stop."""
        now = time.monotonic()
        if self.watch and now - self.told > WATCH_EVERY:
            self.told = now
            self.watch(nodes, memory, self.words)
        late = self.effort.seconds is not None and now - self.began > self.effort.seconds
        return not late and not self.effort.stop.is_set()

    def require(self, nodes: int, memory: int) -> None:
        """Raise Stopped when it is time to end."""
        if not self.keep_on(nodes, memory):
            raise Stopped
