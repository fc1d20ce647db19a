"""Progress bar while numba compiles: the call graph of the kernels and a listener for compile events.

The call graph is read from the kernels' byte code before anything is compiled, so that the bar has a total. Dispatched
functions are replaced by the implementation for the given rules. Kernels loaded from the cache cause no compile event
and therefore no output.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any

from ..progress import Progress, can_draw_bar, progress_bar


@contextmanager
def show_compile_progress(name: str, rules: Any, *entry_points: Callable[..., Any]) -> Iterator[None]:
    """Show a progress bar on stderr while kernels compile in the body; show nothing if all come from the cache.

    Args:
        name: name of the game, for the message.
        rules: the game's rules; their type selects the implementations of dispatched functions.
        entry_points: the kernels that the body calls from Python, at least one. The total of the bar is the number
            of kernels that they call, directly or indirectly, including themselves. TypeError if there is none.

    """
    from numba.core.event import Listener, install_listener

    if not entry_points:
        raise TypeError("show_compile_progress needs at least one entry point")
    Listener.register(CompileListener)  # numba is imported late, so it cannot be a subclass
    needed_kernels = set().union(*(kernel_call_graph(entry_point, rules) for entry_point in entry_points))
    with ExitStack() as exit_stack, install_listener("numba:compile", CompileListener(name, needed_kernels, exit_stack)):
        yield


class CompileListener:
    """numba event listener that shows a bar, or prints one line where no bar can be drawn, while kernels compile.

    Progress is the number of `needed_kernels` that have machine code. The bar is opened on `exit_stack`.
    """

    def __init__(self, name: str, needed_kernels: set[Any], exit_stack: ExitStack) -> None:
        self.message = f"compiling {name} kernels, once per machine"
        self.needed_kernels = needed_kernels
        self.exit_stack = exit_stack
        self.report_progress: Progress | None = None
        self.announced = False
        self.active_compilations = 0  # nesting depth: a kernel compiles its callees before it is done itself

    def notify(self, event: Any) -> None:
        """Handle the start or the end of a compilation; close the bar when the outermost one ends."""
        self.active_compilations += 1 if event.is_start else -1
        if self.report_progress is None:
            self.report_progress = self.open_bar()
        self.report_progress(sum(bool(kernel.overloads) for kernel in self.needed_kernels), len(self.needed_kernels))
        if self.active_compilations == 0:
            self.exit_stack.close()
            self.report_progress = None

    def open_bar(self) -> Progress:
        """Open a progress bar; where none can be drawn, print the message once."""
        if not self.announced and not can_draw_bar():
            print(f"ropewalk: {self.message}", file=sys.stderr)
        self.announced = True
        return self.exit_stack.enter_context(progress_bar(self.message))


def kernel_call_graph(kernel: Any, rules: Any) -> set[Any]:
    """Return a kernel and all kernels that it calls, directly or indirectly, for one type of rules."""
    reached: set[Any] = set()
    stack = [kernel]
    while stack:
        kernel = stack.pop()
        if kernel not in reached and hasattr(kernel, "py_func"):
            reached.add(kernel)
            stack += referenced_kernels(kernel.py_func, rules)
    return reached


def referenced_kernels(function: Any, rules: Any) -> list[Any]:
    """Return the globals and module attributes that a function's code names, dispatched functions resolved for `rules`.

    The list also contains values that are no kernels, and None for names that are neither.
    """
    names = function.__code__.co_names
    referenced = [function.__globals__.get(name) for name in names]
    modules = [value for value in referenced if isinstance(value, ModuleType)]
    referenced += [getattr(module, name, None) for module in modules for name in names]
    return [implementation_for(value, rules) for value in referenced]


def implementation_for(value: Any, rules: Any) -> Any:
    """Return the implementation of a dispatched function for `rules` (None if there is none); other values unchanged."""
    table = getattr(value, "dispatch_table", None)
    return value if table is None else table.implementations.get(type(rules), table.implementations.get(object))
