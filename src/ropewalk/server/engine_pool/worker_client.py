"""One engine process as the server sees it: started when needed, killed when stuck.

The process speaks the analysis protocol (`docs/engine.md`). A task reads its responses and matches them by id. Another one
counts the seconds without a heartbeat, and kills a process that is silent or whose search makes no progress.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...engine.heartbeat import HEARTBEAT_SECONDS
from ...engine.protocol import WARM_UP
from ...games.registry import spec_of
from ..errors import ApiError

MAX_LINE_BYTES = 1 << 20
TERMINATE_SECONDS = 5.0  # within which a query that was terminated must be answered
# Memory of search trees is returned to the system; by default glibc keeps blocks of up to 32 MB once some were freed.
MALLOC_ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
MAX_SILENT_COUNT = 4  # missing heartbeats, one a second, after which a process is killed
MAX_STALLED_COUNT = 4  # heartbeats without progress of the search, after which a process is killed
MAX_START_COUNT = 30  # missing heartbeats before the first one
log = logging.getLogger("ropewalk.engines")

Request = dict[str, Any]
Response = dict[str, Any]


class EngineLostError(ApiError):
    """The engine process has ended, or does not respond and must be killed."""

    def __init__(self, message: str) -> None:
        super().__init__("engine-failed", message)


@dataclass(eq=False)
class PendingQuery:
    """A query that has no final response yet."""

    game: str  # key of its game
    is_loading: bool = False  # it compiles or loads kernels, and cannot be interrupted at once
    responses: asyncio.Queue[Response | EngineLostError] = field(default_factory=asyncio.Queue)
    timeout: asyncio.Timeout | None = None  # None until the query is sent
    is_terminated: bool = False

    def limit_time(self, seconds: float) -> None:
        """Require the final response within `seconds`, unless it is required earlier."""
        assert self.timeout is not None
        until = asyncio.get_running_loop().time() + seconds
        self.timeout.reschedule(min(until, self.timeout.when() or until))


class EngineWorkerClient:
    """Client of one engine process; `options` are those of `ropewalk.engine.worker`."""

    def __init__(self, *options: str) -> None:
        self.command: tuple[str, ...] = (sys.executable, "-m", "ropewalk.engine.worker", *options)
        self.process: asyncio.subprocess.Process | None = None
        self.reader: asyncio.Task[None] | None = None
        self.watchdog: asyncio.Task[None] | None = None
        self.silent_count = 0  # seconds since the last line of the process
        self.memory_bytes = 0  # of the process, by its last heartbeat
        self.queries: dict[str, PendingQuery] = {}  # by id
        self.warm: set[str] = set()  # games whose kernels this process has

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        """Send a query and return its final response; `on_report` is called with each report during the search.

        The process is started if it does not run. A calling task that is cancelled terminates the query.
        Raises EngineLostError if the process ends, does not answer within `seconds`, or does not answer in time after
        `terminate`. The caller must then `kill` it.
        """
        is_loading = request.get("action") == WARM_UP
        query = self.queries[request["id"]] = PendingQuery(spec_of(request["spec"]).key, is_loading)
        try:
            await self.ensure_running()
            if query.is_terminated:
                return {"id": request["id"], "isDuringSearch": False, "noResults": True, "terminated": True}
            async with asyncio.timeout(seconds) as query.timeout:
                return await self.exchange(query, request, on_report)
        except TimeoutError:
            reason = "stop in time" if query.is_terminated else f"answer within {seconds:g} s"
            raise EngineLostError(f"the engine did not {reason} and was killed") from None
        except OSError as error:
            raise EngineLostError(f"the engine ended: {error}") from None
        except asyncio.CancelledError:
            if query.timeout is not None and not query.is_terminated:
                self.send_terminate(request["id"])
            raise
        finally:
            del self.queries[request["id"]]

    async def exchange(
        self, query: PendingQuery, request: Request, on_report: Callable[[Response], None] | None
    ) -> Response:
        """Send a query and return its final response."""
        self.send(request)
        while True:
            response = await query.responses.get()
            if isinstance(response, EngineLostError):
                raise response
            if not response.get("isDuringSearch"):
                return response
            if on_report is not None:
                on_report(response)

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        """End a query: its final response comes soon. Does nothing if it has been answered.

        A process that has the kernels of the game must answer within TERMINATE_SECONDS. One that may be compiling them
        cannot be interrupted, and keeps the time that the query had. With `seconds` it must answer within them in any
        case.
        """
        query = self.queries.get(query_id)
        if query is None:
            return
        is_new, query.is_terminated = not query.is_terminated, True
        if query.timeout is None or query.timeout.expired():
            return
        if is_new:
            self.send_terminate(query_id)
        if is_new and query.game in self.warm and not query.is_loading:
            query.limit_time(TERMINATE_SECONDS)
        if seconds is not None:
            query.limit_time(seconds)

    def send_terminate(self, query_id: str) -> None:
        """Send the request that ends a query."""
        self.send({"id": f"terminate {query_id}", "action": "terminate", "terminateId": query_id})

    def send(self, request: Request) -> None:
        """Write a line to the process; if it has ended, `read_responses` reports that."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")

    async def ensure_running(self) -> None:
        """Start the process if it does not run."""
        if (
            self.process is not None
            and self.process.returncode is None
            and self.reader is not None
            and not self.reader.done()
        ):
            return
        await self.kill()
        self.warm.clear()
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=pipe,
            stdout=pipe,
            limit=MAX_LINE_BYTES,
            start_new_session=True,
            env=os.environ | MALLOC_ENVIRONMENT,
        )
        self.silent_count, self.memory_bytes = MAX_SILENT_COUNT - MAX_START_COUNT, 0
        self.reader = asyncio.create_task(self.read_responses(self.process))
        self.watchdog = asyncio.create_task(self.watch(self.process))

    async def watch(self, process: asyncio.subprocess.Process) -> None:
        """Kill the process if it sends no heartbeats. Ticks are counted, so that a pause of the server kills nothing."""
        while self.silent_count <= MAX_SILENT_COUNT:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.silent_count += 1
        self.lose(process, f"it sent no heartbeat for {MAX_SILENT_COUNT} s")

    def lose(self, process: asyncio.subprocess.Process, reason: str) -> None:
        """Kill a process that hangs; its queries fail."""
        error = EngineLostError(f"the engine hangs: {reason}; it was killed")
        if not self.queries:
            log.warning("%s", error)
        for query in self.queries.values():
            query.responses.put_nowait(error)
        with suppress(ProcessLookupError):
            process.kill()

    async def read_responses(self, process: asyncio.subprocess.Process) -> None:
        """Pass the responses of the process on until its output ends; then all queries fail."""
        assert process.stdout is not None
        reason = "output closed"
        try:
            while line := await process.stdout.readline():
                self.dispatch(process, json.loads(line))
        except (ValueError, OSError) as error:
            reason = f"invalid response: {error}"
        finally:
            for query in self.queries.values():
                query.responses.put_nowait(EngineLostError(f"the engine ended: {reason}"))

    def dispatch(self, process: asyncio.subprocess.Process, response: Any) -> None:
        """Pass a response to its query; responses without a pending query are dropped."""
        if not isinstance(response, dict):
            raise ValueError("expected a JSON object")
        self.silent_count = 0
        if "heartbeat" in response:
            self.memory_bytes = response.get("memoryBytes", 0)
            if response.get("stalledCount", 0) >= MAX_STALLED_COUNT:
                self.lose(process, f"its search made no progress for {MAX_STALLED_COUNT} s")
            return
        query = self.queries.get(response.get("id") or "")
        if query is not None:
            query.responses.put_nowait(response)

    async def kill(self) -> None:
        """Kill the process, and wait until it and its reader have ended."""
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if self.watchdog is not None:
            self.watchdog.cancel()
        if self.reader is not None:
            await asyncio.wait([self.reader])
