"""Heartbeats of an engine process: a thread reports every second that the process runs, and whether its search goes on.

A search checks often whether it was cancelled. One that has begun and checks nothing for several heartbeats hangs, unless
kernels are being compiled or loaded. Imports nothing that takes long, so that the first heartbeat is sent at once.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .stdio import LineWriter

if TYPE_CHECKING:
    from .protocol import Query

HEARTBEAT_SECONDS = 1.0
STATM_FILE = Path("/proc/self/statm")


class CompileActivity:
    """numba event listener that counts when the compiler lock is taken and released, for compiling or for loading."""

    def __init__(self) -> None:
        self.depth = 0
        self.event_count = 0

    def notify(self, event: Any) -> None:
        """Count an event."""
        self.depth += 1 if event.is_start else -1
        self.event_count += 1

    def register(self) -> None:
        """Listen to numba's events from now on; imports numba."""
        from numba.core.event import Listener, register

        Listener.register(CompileActivity)  # numba is imported late, so it cannot be a subclass
        register("numba:compiler_lock", self)


class Heartbeat:
    """Writes a heartbeat every HEARTBEAT_SECONDS; `query` is the one in progress."""

    def __init__(self, writer: LineWriter, *, counts_stalls: bool = True) -> None:
        self.writer = writer
        self.counts_stalls = counts_stalls
        self.query: Query | None = None
        self.compile_activity = CompileActivity()
        self.stalled_count = 0
        self._last_progress: tuple[object, ...] = ()

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Write heartbeats until the output is closed."""
        while not self.writer.is_broken:
            self.writer.write_lines(json.dumps(self.measure()))
            time.sleep(HEARTBEAT_SECONDS)

    def measure(self) -> dict[str, Any]:
        """Return a heartbeat: for how many heartbeats the search has made no progress, and the memory of the process."""
        query, compiling = self.query, self.compile_activity
        poll_count = 0 if query is None else query.cancelled.poll_count
        progress = (query, poll_count, compiling.event_count)
        is_searching = poll_count > 0 and compiling.depth == 0 and self.counts_stalls
        self.stalled_count = self.stalled_count + 1 if is_searching and progress == self._last_progress else 0
        self._last_progress = progress
        return {"heartbeat": True, "stalledCount": self.stalled_count, "memoryBytes": measure_memory_bytes()}


def measure_memory_bytes() -> int:
    """Return the resident memory of this process; where the system does not tell, the maximum so far."""
    try:
        return int(STATM_FILE.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return measure_max_memory_bytes()


def measure_max_memory_bytes() -> int:
    """Return the maximum of the resident memory of this process so far, 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
