"""Background tasks: started, referenced, watched for exceptions, and stopped before the resources they use are closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from ..errors import RopewalkError

Result = TypeVar("Result")
STOP_SECONDS = 10.0  # longer than SQLite waits for another process that writes
CANCEL_SECONDS = 2.0
log = logging.getLogger("ropewalk.background")


class TaskSupervisor:
    """Owns background tasks from their start to the shutdown of the server.

    `stop` waits at most `limit_seconds` for tasks that finish by themselves, then at most `cancel_seconds` for those that
    it has cancelled.
    """

    def __init__(self, limit_seconds: float = STOP_SECONDS, cancel_seconds: float = CANCEL_SECONDS) -> None:
        self.limit_seconds = limit_seconds
        self.cancel_seconds = cancel_seconds
        self.tasks: set[asyncio.Task[Any]] = set()  # all that are running: the event loop keeps weak references only
        self.interruptible: set[asyncio.Task[Any]] = set()
        self.is_stopping = False
        self.is_stopped = False

    def start(self, work: Coroutine[Any, Any, Result], *, interruptible: bool = False) -> asyncio.Task[Result] | None:
        """Start a task, and log the exception that it may end with.

        An interruptible task (an endless loop, a long wait) is cancelled as soon as the server stops. Any other task is
        awaited, because it may be writing. Returns None, and does not run `work`, when the server has stopped; for
        interruptible work already when it is stopping.
        """
        if self.is_stopped or (interruptible and self.is_stopping):
            work.close()
            return None
        task = asyncio.create_task(work, name=getattr(work, "__qualname__", None))
        self.tasks.add(task)
        if interruptible:
            self.interruptible.add(task)
        task.add_done_callback(self.discard)
        return task

    def discard(self, task: asyncio.Task[Any]) -> None:
        """Remove a finished task, and log its exception."""
        self.tasks.discard(task)
        self.interruptible.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, RopewalkError):
            log.warning("%s: %s", task.get_name(), error)
        elif error is not None:
            log.error("background task %s failed", task.get_name(), exc_info=error)

    async def stop(self) -> None:
        """End all tasks: cancel the interruptible ones, await the others, and cancel those that exceed the time limit.

        Tasks that are awaited may start more work that is not interruptible. Afterwards nothing can be started.
        """
        self.is_stopping = True
        cancel_all(self.interruptible)
        await self.wait_for_all(self.limit_seconds)
        self.is_stopped = True
        if self.tasks:
            log.warning("cancelled after %g s: %s", self.limit_seconds, format_names(self.tasks))
            cancel_all(self.tasks)
            await self.wait_for_all(self.cancel_seconds)
        if self.tasks:
            log.error("background tasks still running after cancellation: %s", format_names(self.tasks))

    async def wait_for_all(self, seconds: float) -> None:
        """Wait until no task is left, including tasks that are started meanwhile, or until the time is up."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self.tasks and loop.time() < deadline:
            await asyncio.wait(self.tasks, timeout=deadline - loop.time())


def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Request the cancellation of tasks."""
    for task in tasks:
        task.cancel()


def format_names(tasks: Iterable[asyncio.Task[Any]]) -> str:
    """Return the names of tasks, sorted and separated by commas."""
    return ", ".join(sorted(task.get_name() for task in tasks))
