"""Progress bars on the terminal's error stream; where there is no terminal, silence at first, then a plain line a minute."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from .games.game import Game

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


@contextmanager
def show_compile_progress(game: Game, *entry_points: Callable[..., Any]) -> Iterator[None]:
    """Say so while numba compiles kernels; say nothing when all machine code comes from the cache.

    `entries` are the kernels that the body will call from Python, `inspect_row` when none is named; with them are
    counted all that they call for this game.
    """
    from numba.core.event import Listener, install_listener

    from .rules.stepping import inspect_row

    Listener.register(CompileListener)  # numba is imported late, so it cannot be a subclass
    needed_kernels = set().union(
        *(kernel_call_graph(entry_point, game.rules) for entry_point in entry_points or (inspect_row,))
    )
    with ExitStack() as exit_stack, install_listener("numba:compile", CompileListener(game, needed_kernels, exit_stack)):
        yield


class CompileListener:
    """Listens to numba: shows a bar, or prints a line once, while kernels compile, and counts the needed ones."""

    def __init__(self, game: Game, needed_kernels: set[Any], exit_stack: ExitStack) -> None:
        self.message = f"compiling {game.name} kernels, once per machine"
        self.needed_kernels = needed_kernels
        self.exit_stack = exit_stack
        self.report_progress: Progress | None = None
        self.announced = False
        self.active_compilations = 0  # a kernel compiles those that it calls before it is done itself

    def notify(self, event: Any) -> None:
        """A compilation begins or ends; between two of them the screen is free for others."""
        self.active_compilations += 1 if event.is_start else -1
        if self.report_progress is None:
            self.report_progress = self.open_bar()
        self.report_progress(sum(bool(kernel.overloads) for kernel in self.needed_kernels), len(self.needed_kernels))
        if self.active_compilations == 0:
            self.exit_stack.close()
            self.report_progress = None

    def open_bar(self) -> Progress:
        """Open a bar, or print a line where none can be drawn."""
        if not self.announced and not can_draw_bar():
            print(f"ropewalk: {self.message}", file=sys.stderr)
        self.announced = True
        return self.exit_stack.enter_context(progress_bar(self.message))


def kernel_call_graph(kernel: Any, rules: Any) -> set[Any]:
    """A kernel and all kernels that it calls, directly or not, for one type of rules."""
    reached: set[Any] = set()
    stack = [kernel]
    while stack:
        kernel = stack.pop()
        if kernel not in reached and hasattr(kernel, "py_func"):
            reached.add(kernel)
            stack += referenced_kernels(kernel.py_func, rules)
    return reached


def referenced_kernels(function: Any, rules: Any) -> list[Any]:
    """What a function's code names: globals and attributes of modules, the answer in place of a question."""
    names = function.__code__.co_names
    referenced = [function.__globals__.get(name) for name in names]
    modules = [value for value in referenced if isinstance(value, ModuleType)]
    referenced += [getattr(module, name, None) for module in modules for name in names]
    return [implementation_for(value, rules) for value in referenced]


def implementation_for(value: Any, rules: Any) -> Any:
    """The kernel that answers a question for these rules; anything else as it is."""
    table = getattr(value, "dispatch_table", None)
    return value if table is None else table.implementations.get(type(rules))
