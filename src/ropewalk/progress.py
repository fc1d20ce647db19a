"""Progress bars on the terminal's error stream; where there is no terminal, silence at first, then a plain line a minute."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Protocol, TypeAlias

Progress: TypeAlias = Callable[[int, int], None]  # called with parts done and parts in all


class ProgressBar(Protocol):
    """A progress that can also change what stands beside the bar."""

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Parts done, parts in all, and perhaps other words."""


DELAY_SECONDS = 0.3  # seconds without a bar

LOG_INTERVAL_SECONDS = 60.0  # seconds between two lines where no bar can be drawn


def can_draw_bar() -> bool:
    """Whether the error stream is a terminal on which a bar can be drawn over and over."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_bar(description: str) -> Iterator[ProgressBar]:
    """A bar that goes away at the end; call what it gives with parts done and parts in all."""
    if not can_draw_bar():
        yield PeriodicLog(description)
        return
    with ExitStack() as exit_stack:
        yield DelayedBar(description, exit_stack)


class PeriodicLog:
    """A line a minute, so that a log shows that long work goes on."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.last_logged = time.monotonic()

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Say how much is done, if it is time to."""
        self.description = description or self.description
        now = time.monotonic()
        if now - self.last_logged >= LOG_INTERVAL_SECONDS and sys.stderr is not None:
            self.last_logged = now
            print(f"ropewalk: {done:,} of {total:,}: {self.description}", file=sys.stderr, flush=True)


class DelayedBar:
    """A bar that is drawn only when the work turns out to take a while: short work shall not flicker."""

    def __init__(self, description: str, exit_stack: ExitStack) -> None:
        self.description = description
        self.exit_stack = exit_stack
        self.started_at = time.monotonic()
        self.update: Callable[..., None] | None = None

    def __call__(self, done: int, total: int, description: str = "") -> None:
        """Draw how much is done."""
        self.description = description or self.description
        if self.update is None and time.monotonic() - self.started_at > DELAY_SECONDS:
            self.update = self.start_display()
        if self.update is not None:
            self.update(completed=done, total=total, description=self.description)

    def start_display(self) -> Callable[..., None]:
        """Put the bar on the screen."""
        from rich import progress
        from rich.console import Console

        text_column = progress.TextColumn("{task.description}", markup=False)
        columns = (text_column, progress.BarColumn(), progress.TaskProgressColumn(), progress.TimeElapsedColumn())
        display = self.exit_stack.enter_context(progress.Progress(*columns, console=Console(stderr=True), transient=True))
        return partial(display.update, display.add_task(self.description, total=None))


@contextmanager
def status_line(description: str) -> Iterator[Callable[[str], None]]:
    """A line for work that nobody knows the length of; call what it gives with words on how far it is."""
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
