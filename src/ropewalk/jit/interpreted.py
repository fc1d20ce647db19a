"""Kernels as plain Python: each has a twin that calls twins, so that a few calls need not wait for machine code."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from .kernel import DispatchTable, Function

PACKAGE_NAME = __name__.partition(".")[0]
_COUNTERPARTS: dict[int, tuple[Any, Any]] = {}  # by the identity of an original, which is kept so that nothing else gets it


def interpreted(kernel: Function) -> Function:
    """The same function, not compiled, nor anything that it calls."""
    counterpart: Function = interpreted_counterpart(kernel)
    return counterpart


def interpreted_impl(function: Callable[..., Any], rules: Any) -> Any:
    """The answer to a question for these rules, as plain Python."""
    return interpreted_counterpart(function.dispatch_table.implementations[type(rules)])  # type: ignore[attr-defined]


def interpreted_counterpart(original: Any) -> Any:
    """What stands for a kernel, a question or a module of ours; all else stands for itself."""
    if hasattr(original, "py_func"):
        return memoized(original, lambda: interpret_function(original.py_func))
    if hasattr(original, "dispatch_table"):
        return memoized(original, lambda: interpret_dispatch(original.dispatch_table))
    if isinstance(original, ModuleType) and original.__name__.partition(".")[0] == PACKAGE_NAME:
        return memoized(original, lambda: InterpretedModule(interpret_namespace(vars(original))))
    return original


def memoized(original: Any, make: Callable[[], Any]) -> Any:
    """A twin that was made before, or a new one."""
    if id(original) not in _COUNTERPARTS:
        _COUNTERPARTS[id(original)] = original, make()
    return _COUNTERPARTS[id(original)][1]


def interpret_function(function: Any) -> Any:
    """The same code among twins."""
    return FunctionType(
        function.__code__, interpret_namespace(function.__globals__), function.__name__, function.__defaults__
    )


def interpret_dispatch(table: DispatchTable) -> Any:
    """A question that the twins of its answers answer."""
    return lambda rules, *arguments: interpreted_counterpart(table.implementations[type(rules)])(rules, *arguments)


class InterpretedModule:
    """A module's names, as attributes."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.__dict__ = namespace


def interpret_namespace(namespace: dict[str, Any]) -> dict[str, Any]:
    """What the functions of a module see. It is remembered before it is filled, for modules name each other."""
    if id(namespace) not in _COUNTERPARTS:
        counterparts: dict[str, Any] = {}
        _COUNTERPARTS[id(namespace)] = namespace, counterparts
        counterparts.update({name: interpreted_counterpart(value) for name, value in namespace.items()})
    interpreted_names: dict[str, Any] = _COUNTERPARTS[id(namespace)][1]
    return interpreted_names
