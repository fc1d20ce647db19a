"""Kernels as plain Python: each has a twin that calls twins, so that a few calls need not wait for machine code."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from .kernels import Function, Question

PACKAGE = __name__.partition(".")[0]
TWINS: dict[int, tuple[Any, Any]] = {}  # by the identity of an original, which is kept so that nothing else gets it


def plain(kernel: Function) -> Function:
    """The same function, not compiled, nor anything that it calls."""
    found: Function = twin(kernel)
    return found


def plain_answer(asked: Callable[..., Any], rules: Any) -> Any:
    """The answer to a question for these rules, as plain Python."""
    return twin(asked.question.answers[type(rules)])  # type: ignore[attr-defined]


def twin(original: Any) -> Any:
    """What stands for a kernel, a question or a module of ours; all else stands for itself."""
    if hasattr(original, "py_func"):
        return remembered(original, lambda: twin_of_function(original.py_func))
    if hasattr(original, "question"):
        return remembered(original, lambda: twin_of_question(original.question))
    if isinstance(original, ModuleType) and original.__name__.partition(".")[0] == PACKAGE:
        return remembered(original, lambda: TwinOfModule(twins_of_names(vars(original))))
    return original


def remembered(original: Any, make: Callable[[], Any]) -> Any:
    """A twin that was made before, or a new one."""
    if id(original) not in TWINS:
        TWINS[id(original)] = original, make()
    return TWINS[id(original)][1]


def twin_of_function(function: Any) -> Any:
    """The same code among twins."""
    return FunctionType(function.__code__, twins_of_names(function.__globals__), function.__name__, function.__defaults__)


def twin_of_question(asked: Question) -> Any:
    """A question that the twins of its answers answer."""
    return lambda rules, *arguments: twin(asked.answers[type(rules)])(rules, *arguments)


class TwinOfModule:
    """A module's names, as attributes."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.__dict__ = names


def twins_of_names(names: dict[str, Any]) -> dict[str, Any]:
    """What the functions of a module see. It is remembered before it is filled, for modules name each other."""
    if id(names) not in TWINS:
        twins: dict[str, Any] = {}
        TWINS[id(names)] = names, twins
        twins.update({name: twin(value) for name, value in names.items()})
    found: dict[str, Any] = TWINS[id(names)][1]
    return found
