"""Progress bars on stderr; if stderr is not a terminal, one line of text per minute instead."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Protocol, TypeAlias

Progress: TypeAlias = Callable[[int, int], None]  # called with the number of units done and the total

DELAY_SECONDS = 0.3  # before a bar is drawn
LOG_INTERVAL_SECONDS = 60.0  # between two lines where no bar can be drawn


class ProgressBar(Protocol):
    """A progress callback that can also change the description."""

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Report `done` of `total` units; a description other than "" replaces the current one."""


def can_draw_bar() -> bool:
    """Return whether stderr is a terminal that can redraw a line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_bar(description: str) -> Iterator[ProgressBar]:
    """Yield a callback that draws a progress bar on stderr, erased at the end; without a terminal it logs periodically."""
    if not can_draw_bar():
        yield PeriodicLog(description)
        return
    with ExitStack() as exit_stack:
        yield DelayedBar(description, exit_stack)


class PeriodicLog:
    """Prints a line of progress to stderr at most every LOG_INTERVAL_SECONDS; the first after that time."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.last_logged = time.monotonic()

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Print a line if LOG_INTERVAL_SECONDS have passed since the last one."""
        self.description = description or self.description
        now = time.monotonic()
        if now - self.last_logged >= LOG_INTERVAL_SECONDS and sys.stderr is not None:
            self.last_logged = now
            print(f"ropewalk: {done:,} of {total:,}: {self.description}", file=sys.stderr, flush=True)


class DelayedBar:
    """A progress bar that appears only after DELAY_SECONDS, so that short work does not flicker."""

    def __init__(self, description: str, exit_stack: ExitStack) -> None:
        self.description = description
        self.exit_stack = exit_stack
        self.started_at = time.monotonic()
        self.update: Callable[..., None] | None = None

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Update the bar; draw it first if DELAY_SECONDS have passed."""
        self.description = description or self.description
        if self.update is None and time.monotonic() - self.started_at > DELAY_SECONDS:
            self.update = self.start_display()
        if self.update is not None:
            self.update(completed=done, total=total, description=self.description)

    def start_display(self) -> Callable[..., None]:
        """Draw the bar until `exit_stack` closes; return the function that updates it."""
        from rich import progress
        from rich.console import Console

        text_column = progress.TextColumn("{task.description}", markup=False)
        columns = (text_column, progress.BarColumn(), progress.TaskProgressColumn(), progress.TimeElapsedColumn())
        display = self.exit_stack.enter_context(progress.Progress(*columns, console=Console(stderr=True), transient=True))
        return partial(display.update, display.add_task(self.description, total=None))


@contextmanager
def status_line(description: str) -> Iterator[Callable[[str], None]]:
    """Yield a callback that shows a status text beside a bar without a total. Shows nothing without a terminal."""
    if not can_draw_bar():
        yield lambda status: None
        return
    with ExitStack() as exit_stack:
        delayed_bar = DelayedBar(description, exit_stack)

        def update_status(status: str) -> None:
            delayed_bar(0, 0)
            if delayed_bar.update is not None:
                delayed_bar.update(description=f"{description}: {status}", total=None)

        yield update_status
