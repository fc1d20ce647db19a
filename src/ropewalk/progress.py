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


class Bar(Protocol):
    """A progress that can also change what stands beside the bar."""

    def __call__(self, done: int, total: int, words: str = "") -> None:
        """Parts done, parts in all, and perhaps other words."""


PATIENCE = 0.3  # seconds without a bar
MINUTE = 60.0  # seconds between two lines where no bar can be drawn


def can_draw() -> bool:
    """Whether the error stream is a terminal on which a bar can be drawn over and over."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def bar(description: str) -> Iterator[Bar]:
    """A bar that goes away at the end; call what it gives with parts done and parts in all."""
    if not can_draw():
        yield SlowLines(description)
        return
    with ExitStack() as shown:
        yield LateBar(description, shown)


class SlowLines:
    """A line a minute, so that a log shows that long work goes on."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.told = time.monotonic()

    def __call__(self, done: int, total: int, words: str = "") -> None:
        """Say how much is done, if it is time to."""
        self.description = words or self.description
        now = time.monotonic()
        if now - self.told >= MINUTE and sys.stderr is not None:
            self.told = now
            print(f"ropewalk: {done:,} of {total:,}: {self.description}", file=sys.stderr, flush=True)


class LateBar:
    """A bar that is drawn only when the work turns out to take a while: short work shall not flicker."""

    def __init__(self, description: str, shown: ExitStack) -> None:
        self.description = description
        self.shown = shown
        self.began = time.monotonic()
        self.update: Callable[..., None] | None = None

    def __call__(self, done: int, total: int, words: str = "") -> None:
        """Draw how much is done."""
        self.description = words or self.description
        if self.update is None and time.monotonic() - self.began > PATIENCE:
            self.update = self.drawn()
        if self.update is not None:
            self.update(completed=done, total=total, description=self.description)

    def drawn(self) -> Callable[..., None]:
        """Put the bar on the screen."""
        from rich import progress
        from rich.console import Console

        words = progress.TextColumn("{task.description}", markup=False)
        columns = (words, progress.BarColumn(), progress.TaskProgressColumn(), progress.TimeElapsedColumn())
        bars = self.shown.enter_context(progress.Progress(*columns, console=Console(stderr=True), transient=True))
        return partial(bars.update, bars.add_task(self.description, total=None))


@contextmanager
def ticker(description: str) -> Iterator[Callable[[str], None]]:
    """A line for work that nobody knows the length of; call what it gives with words on how far it is."""
    if not can_draw():
        yield lambda words: None
        return
    with ExitStack() as shown:
        line = LateBar(description, shown)

        def tell(words: str) -> None:
            line(0, 0)
            if line.update is not None:
                line.update(description=f"{description}: {words}", total=None)

        yield tell


@contextmanager
def compiling(game: Game, *entries: Callable[..., Any]) -> Iterator[None]:
    """Say so while numba compiles kernels; say nothing when all machine code comes from the cache.

    `entries` are the kernels that the body will call from Python, `inspect_row` when none is named; with them are
    counted all that they call for this game.
    """
    from numba.core.event import Listener, install_listener

    from .rules.stepping import inspect_row

    Listener.register(Compilations)  # numba is imported late, so it cannot be a subclass
    needed = set().union(*(called(entry, game.rules) for entry in entries or (inspect_row,)))
    with ExitStack() as shown, install_listener("numba:compile", Compilations(game, needed, shown)):
        yield


class Compilations:
    """Listens to numba: shows a bar, or prints a line once, while kernels compile, and counts the needed ones."""

    def __init__(self, game: Game, needed: set[Any], shown: ExitStack) -> None:
        self.words = f"compiling {game.name} kernels, once per machine"
        self.needed = needed
        self.shown = shown
        self.report: Progress | None = None
        self.told = False
        self.under_way = 0  # a kernel compiles those that it calls before it is done itself

    def notify(self, event: Any) -> None:
        """A compilation begins or ends; between two of them the screen is free for others."""
        self.under_way += 1 if event.is_start else -1
        if self.report is None:
            self.report = self.begin()
        self.report(sum(bool(kernel.overloads) for kernel in self.needed), len(self.needed))
        if self.under_way == 0:
            self.shown.close()
            self.report = None

    def begin(self) -> Progress:
        """Open a bar, or print a line where none can be drawn."""
        if not self.told and not can_draw():
            print(f"ropewalk: {self.words}", file=sys.stderr)
        self.told = True
        return self.shown.enter_context(bar(self.words))


def called(kernel: Any, rules: Any) -> set[Any]:
    """A kernel and all kernels that it calls, directly or not, for one type of rules."""
    found: set[Any] = set()
    waiting = [kernel]
    while waiting:
        kernel = waiting.pop()
        if kernel not in found and hasattr(kernel, "py_func"):
            found.add(kernel)
            waiting += named_in(kernel.py_func, rules)
    return found


def named_in(function: Any, rules: Any) -> list[Any]:
    """What a function's code names: globals and attributes of modules, the answer in place of a question."""
    names = function.__code__.co_names
    found = [function.__globals__.get(name) for name in names]
    modules = [value for value in found if isinstance(value, ModuleType)]
    found += [getattr(module, name, None) for module in modules for name in names]
    return [answer_to(value, rules) for value in found]


def answer_to(value: Any, rules: Any) -> Any:
    """The kernel that answers a question for these rules; anything else as it is."""
    asked = getattr(value, "question", None)
    return value if asked is None else asked.answers.get(type(rules))
