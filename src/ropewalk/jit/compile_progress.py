"""Progress bar while numba compiles: the call graph of the kernels and a listener for compile events."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..progress import Progress, can_draw_bar, progress_bar

if TYPE_CHECKING:
    from ..games.game import Game


@contextmanager
def show_compile_progress(game: Game, *entry_points: Callable[..., Any]) -> Iterator[None]:
    """Say so while numba compiles kernels; say nothing when all machine code comes from the cache.

    `entries` are the kernels that the body will call from Python, `inspect_row` when none is named; with them are
    counted all that they call for this game.
    """
    from numba.core.event import Listener, install_listener

    from ..rules.generic import inspect_row

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
