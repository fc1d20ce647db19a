"""The heartbeat of a server: tests that the database can be written, finds outages, and synchronises the clock."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from .clock import ServerClock
from .db.heartbeat_repository import HeartbeatRepository, HeartbeatWrite, StoredHeartbeat
from .domain.outages import Outage
from .errors import ApiError

INTERVAL_SECONDS = 1.0
MIN_OUTAGE_MS = 3000  # a shorter gap is a delay; at the start with an SQLite file, which has one server, every gap counts
MAX_STEP_BACK_MS = 3_600_000  # a wall clock that is wrong by more is believed when a server starts
START_SAMPLES = 3  # of the database's clock
log = logging.getLogger("ropewalk.heartbeat")


class ServerHeartbeat:
    """Stores a heartbeat every INTERVAL_SECONDS, and knows all outages."""

    def __init__(self, repository: HeartbeatRepository, clock: ServerClock) -> None:
        self.repository = repository
        self.clock = clock
        self.outages: tuple[Outage, ...] = ()  # sorted by their ends
        self.listeners: list[Callable[[], object]] = []  # called when there is a new outage
        self.stored_at: float | None = None  # of time.monotonic(): the last heartbeat that was stored
        self.current: asyncio.Task[None] | None = None  # the heartbeat that is being stored
        self.has_warned = False
        self.task: asyncio.Task[None] | None = None
        self.stop_requested = asyncio.Event()

    async def start(self) -> None:
        """Set the clock and store the first heartbeat, which finds the outage before this start; then start the loop."""
        is_sqlite = self.repository.database.is_sqlite
        try:
            if is_sqlite:
                self.continue_time(await self.repository.find_last())
            await self.store(0 if is_sqlite else MIN_OUTAGE_MS, at_once=True)
            for _ in range(0 if is_sqlite else START_SAMPLES - 1):
                await self.store(MIN_OUTAGE_MS, at_once=True)
        except ApiError as error:  # a database that can only be read
            log.warning("no heartbeat can be stored: %s", error)
        self.task = asyncio.create_task(self.run())

    def continue_time(self, last_ms: int | None) -> None:
        """Go on from the last heartbeat if the wall clock was set back while no server ran."""
        behind_ms = 0 if last_ms is None else last_ms - self.clock.now_ms()
        if last_ms is not None and behind_ms > 0:
            log.warning("the wall clock is %g s behind the last heartbeat of the server", behind_ms / 1000)
            if behind_ms <= MAX_STEP_BACK_MS:
                self.clock.set_time(last_ms)

    async def run(self) -> None:
        """Store heartbeats until the server stops."""
        while not self.stop_requested.is_set():
            try:
                await asyncio.wait_for(self.stop_requested.wait(), INTERVAL_SECONDS)
            except TimeoutError:
                await self.try_beat()

    async def try_beat(self) -> None:
        """Store a heartbeat; a failure is logged, and the next one is tried."""
        try:
            await self.beat()
        except ApiError as error:
            log.warning("no heartbeat can be stored: %s", error)
        except Exception:
            log.exception("no heartbeat can be stored")

    async def beat(self) -> None:
        """Store a heartbeat, or wait for the one that is being stored. Raises ApiError if the database fails."""
        if self.current is None or self.current.done():
            self.current = asyncio.create_task(self.store(MIN_OUTAGE_MS))
            self.current.add_done_callback(lambda task: task.cancelled() or task.exception())  # somebody may wait or not
        await asyncio.shield(self.current)

    async def ensure_recent(self) -> None:
        """Store a heartbeat if the last one is old: what is decided next must know of the outage since then."""
        if self.stored_at is not None and time.monotonic() - self.stored_at > MIN_OUTAGE_MS / 1000:
            await self.beat()

    @property
    def age_seconds(self) -> float | None:
        """The seconds since the last heartbeat was stored, None if none was."""
        return None if self.stored_at is None else time.monotonic() - self.stored_at

    async def store(self, min_outage_ms: int, *, at_once: bool = False) -> None:
        """Store a heartbeat, synchronise the clock, and report new outages."""
        request = HeartbeatWrite(self.clock.now_ms(), min_outage_ms, self.clock.source.monotonic_ms)
        stored = await self.repository.store(request)
        self.stored_at = time.monotonic()
        self.compare_clocks(stored, at_once=at_once)
        if stored.outages != self.outages:
            self.outages = stored.outages
            for listener in self.listeners:
                listener()

    def compare_clocks(self, stored: StoredHeartbeat, *, at_once: bool) -> None:
        """Synchronise the clock with PostgreSQL's, and log once if the wall clock is wrong."""
        if stored.database_ms is None:
            self.clock.compare_wall_clock(self.clock.now_ms())
        else:
            self.clock.synchronise(stored.database_ms, stored.sent_ms, stored.received_ms, at_once=at_once)
        if self.clock.is_wall_clock_wrong and not self.has_warned:
            reference = "its time at the start of the server" if stored.database_ms is None else "the database's clock"
            log.warning(
                "the wall clock differs by %+.1f s from %s; matches are not affected, but synchronise it by NTP",
                self.clock.wall_difference_ms / 1000,
                reference,
            )
        self.has_warned = self.clock.is_wall_clock_wrong

    async def stop(self) -> None:
        """Store a last heartbeat, so that an outage begins with the end of this server."""
        self.stop_requested.set()
        if self.task is not None:
            await self.task
            await self.try_beat()
