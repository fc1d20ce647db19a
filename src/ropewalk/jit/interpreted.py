"""Interpreted counterparts of kernels: the same code as plain Python, so that a few calls need not wait for compilation.

The counterpart of a function runs its code object in a copy of its module's namespace in which every kernel, dispatched
function and module of this package is replaced by its own counterpart. Counterparts are made on first use and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from .kernel import DispatchTable, Function

PACKAGE_NAME = __name__.partition(".")[0]
# By id(original): the original, kept alive so that its id is not reused, and its counterpart.
_COUNTERPARTS: dict[int, tuple[Any, Any]] = {}


def interpret(kernel: Function) -> Function:
    """Return a kernel as plain Python; everything that it calls is interpreted too."""
    counterpart: Function = interpreted_counterpart(kernel)
    return counterpart


def interpreted_impl(function: Callable[..., Any], rules: Any) -> Any:
    """Return the implementation of a dispatched function for the type of `rules`, as plain Python."""
    return interpreted_counterpart(function.dispatch_table.find(type(rules)))  # type: ignore[attr-defined]


def interpreted_counterpart(original: Any) -> Any:
    """Return the counterpart of a kernel, a dispatched function or a module of this package; other values unchanged."""
    if hasattr(original, "py_func"):
        return memoize(original, lambda: interpret_function(original.py_func))
    if hasattr(original, "dispatch_table"):
        return memoize(original, lambda: interpret_dispatch(original.dispatch_table))
    if isinstance(original, ModuleType) and original.__name__.partition(".")[0] == PACKAGE_NAME:
        return memoize(original, lambda: InterpretedModule(interpret_namespace(vars(original))))
    return original


def memoize(original: Any, make: Callable[[], Any]) -> Any:
    """Return the cached counterpart of `original`; call `make` if there is none yet."""
    if id(original) not in _COUNTERPARTS:
        _COUNTERPARTS[id(original)] = original, make()
    return _COUNTERPARTS[id(original)][1]


def interpret_function(function: Any) -> Any:
    """Return a function with the same code whose globals are interpreted counterparts."""
    return FunctionType(
        function.__code__, interpret_namespace(function.__globals__), function.__name__, function.__defaults__
    )


def interpret_dispatch(table: DispatchTable) -> Any:
    """Return a function that calls the interpreted implementation for the type of its first argument."""
    return lambda rules, *arguments: interpreted_counterpart(table.find(type(rules)))(rules, *arguments)


class InterpretedModule:
    """The interpreted namespace of a module, as attributes."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.__dict__ = namespace


def interpret_namespace(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the counterparts of all values of a module's namespace.

    The dictionary is cached before it is filled, because modules refer to each other.
    """
    if id(namespace) not in _COUNTERPARTS:
        counterparts: dict[str, Any] = {}
        _COUNTERPARTS[id(namespace)] = namespace, counterparts
        counterparts.update({name: interpreted_counterpart(value) for name, value in namespace.items()})
    interpreted_names: dict[str, Any] = _COUNTERPARTS[id(namespace)][1]
    return interpreted_names
