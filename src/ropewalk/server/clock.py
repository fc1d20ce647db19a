"""The time of a server: monotonic, and the same on all servers that share a PostgreSQL database.

The wall clock is read once, when a server starts; from then on time advances with the monotonic clock, so that a wall clock
that is set anew changes no match. On PostgreSQL the database's clock is the reference: `synchronise` gets samples of it.
A difference is corrected by at most MAX_SLEW of the elapsed time, and time never goes backwards.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MAX_SLEW = 0.05  # milliseconds of correction per millisecond
MAX_SAMPLES = 8  # of the database's clock: the one with the shortest round trip counts
MAX_DIFFERENCE_MS = 2000  # between wall clock and reference, beyond which a warning is logged


class ClockSource:
    """The clocks of the operating system, in milliseconds.

    `offset_file` is for tests: a file with the milliseconds by which the wall clock is wrong.
    """

    def __init__(self, offset_file: Path | None = None) -> None:
        self.offset_file = offset_file

    def wall_ms(self) -> float:
        """Return the wall clock, in milliseconds since 1970."""
        offset = 0.0
        if self.offset_file is not None:
            with suppress(OSError, ValueError):
                offset = float(self.offset_file.read_text())
        return time.time_ns() / 1e6 + offset

    def monotonic_ms(self) -> float:
        """Return the monotonic clock, whose zero is arbitrary."""
        return time.monotonic_ns() / 1e6


class ClockSample(NamedTuple):
    """A reading of the reference clock: its difference from the monotonic clock, and the duration of the query."""

    offset_ms: float
    round_trip_ms: float


class ServerClock:
    """Milliseconds since 1970 that advance with the monotonic clock."""

    def __init__(self, source: ClockSource | None = None) -> None:
        self.source = source or ClockSource()
        self.updated_ms = self.source.monotonic_ms()
        self.offset_ms = self.source.wall_ms() - self.updated_ms  # from the monotonic clock
        self.target_ms = self.offset_ms  # the offset that is approached
        self.last_ms = 0
        self.wall_difference_ms = 0.0  # of the wall clock from the reference, when it was last compared
        self.samples: deque[ClockSample] = deque(maxlen=MAX_SAMPLES)

    def now_ms(self) -> int:
        """Return the current time in whole milliseconds since 1970."""
        monotonic = self.source.monotonic_ms()
        limit = (monotonic - self.updated_ms) * MAX_SLEW
        self.offset_ms += min(limit, max(-limit, self.target_ms - self.offset_ms))
        self.updated_ms = monotonic
        self.last_ms = max(self.last_ms, int(monotonic + self.offset_ms))
        return self.last_ms

    def set_time(self, now_ms: float) -> None:
        """Set the time at once; only when the server starts, before anything is stored."""
        self.updated_ms = self.source.monotonic_ms()
        self.offset_ms = self.target_ms = now_ms - self.updated_ms
        self.last_ms = 0

    def synchronise(self, reference_ms: float, sent_ms: float, received_ms: float, *, at_once: bool = False) -> None:
        """Take a sample of the reference clock, which was read between two readings of the monotonic clock.

        The reading is assumed to be half a round trip old. `at_once` sets the time instead of approaching it.
        """
        middle = (sent_ms + received_ms) / 2
        self.samples.append(ClockSample(reference_ms - middle, received_ms - sent_ms))
        self.target_ms = min(self.samples, key=lambda sample: sample.round_trip_ms).offset_ms
        if at_once:
            self.offset_ms, self.last_ms = self.target_ms, 0
        self.compare_wall_clock(self.source.monotonic_ms() + reference_ms - middle)

    def compare_wall_clock(self, reference_ms: float) -> None:
        """Compare the wall clock with the reference."""
        self.wall_difference_ms = self.source.wall_ms() - reference_ms

    @property
    def is_wall_clock_wrong(self) -> bool:
        """Whether the wall clock differs from the reference by more than MAX_DIFFERENCE_MS."""
        return abs(self.wall_difference_ms) > MAX_DIFFERENCE_MS
