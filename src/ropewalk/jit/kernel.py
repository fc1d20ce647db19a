"""The `@kernel` decorator, and dispatch on the type of a game's rules.

`@dispatch_by_rules` declares an interface function, `@implements` registers a kernel as its implementation for one type of
rules. The call is resolved when numba compiles the caller, and inlined.

`NUMBA_DISABLE_JIT=1` runs every kernel as plain Python, for debugging and coverage.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import njit
from numba.extending import overload

from .kernel_cache import KernelCache, is_hashed, open_cache

Function = TypeVar("Function", bound=Callable[..., Any])

# Kernels allocate no arrays, so they need no reference counting, which would cost more than the rules themselves.
# A call would copy a state and a board, about a hundred words each, so everything is inlined.
JIT_OPTIONS = {"_nrt": False, "error_model": "numpy", "forceinline": True}


def kernel(function: Function) -> Function:
    """Compile a function with numba on its first call, without the GIL; `kernel_cache` keeps the machine code."""
    dispatcher: Any = njit(nogil=True, **JIT_OPTIONS)(function)
    if not numba.config.DISABLE_JIT and is_hashed(function.__module__):
        dispatcher._cache = open_cache(function)
    compiled: Function = dispatcher
    return compiled


@kernel
def to_int64(number: Any) -> int:
    """Convert a number read from an array to int64, the type of the scalar fields of states."""
    return np.int64(number)  # type: ignore[return-value]


def compile_for(function: Function, *example_args: Any) -> Function:
    """Return a kernel's machine code for arguments of the same types as `example_args`, compiled if necessary.

    Calling it skips numba's type dispatch, which costs more than the kernel for rules with many arrays.
    With NUMBA_DISABLE_JIT the function itself is returned.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher: Any = function
    entry: Function = dispatcher.compile(tuple(map(numba.typeof, example_args)))
    return entry


def is_jit_enabled() -> bool:
    """Return whether kernels run as machine code, not as plain Python."""
    return not numba.config.DISABLE_JIT


def is_cached(function: Any, *example_args: Any) -> bool:
    """Return whether `compile_for` need not compile: the machine code is in memory or in the cache on disk."""
    if numba.config.DISABLE_JIT:
        return True
    signature = tuple(map(numba.typeof, example_args))
    if signature in function.overloads:
        return True
    cache = function._cache
    return isinstance(cache, KernelCache) and cache.has_overload(signature, function.targetctx)


class DispatchTable:
    """The implementations of one dispatched function, by type of rules; that of `object` is the default."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        self.name = stub.__name__
        self.parameters = ", ".join(inspect.signature(stub).parameters)
        self.implementations: dict[type, Callable[..., Any]] = {}

    def find(self, rules_type: type) -> Callable[..., Any]:
        """Return the implementation for a type of rules, or the default; TypeError if there is neither."""
        implementation = self.implementations.get(rules_type) or self.implementations.get(object)
        if implementation is None:
            raise TypeError(f"{rules_type.__name__} does not implement {self.name}")
        return implementation

    def resolve(self, rules: Any) -> Callable[..., Any]:
        """Return the function that numba inlines for rules of this numba type: a call of the implementation.

        It has the parameter names of the stub, as `overload` requires.
        """
        implementation = self.find(rules.instance_class)
        dispatcher: Callable[..., Any] = eval(
            f"lambda {self.parameters}: implementation({self.parameters})", {"implementation": implementation}
        )
        return dispatcher


def dispatch_by_rules(stub: Function) -> Function:
    """Turn a stub into a function that calls the implementation registered with `implements`.

    It can be called from Python and from kernels, with positional arguments. The first argument is the game's rules,
    a NamedTuple class of its own per game; its type selects the implementation.
    """
    table = DispatchTable(stub)

    @functools.wraps(stub)
    def dispatch(rules: Any, *arguments: Any) -> Any:
        return table.find(type(rules))(rules, *arguments)

    first_parameter = table.parameters.split(", ", 1)[0]
    resolver = eval(f"lambda {table.parameters}: resolve({first_parameter})", {"resolve": table.resolve})
    overload(dispatch, jit_options=JIT_OPTIONS)(resolver)
    function: Any = dispatch
    function.dispatch_table = table
    resolved: Function = function
    return resolved


def implements(function: Any, rules_type: type) -> Callable[[Function], Function]:
    """Return a decorator that registers a kernel as the implementation of a dispatched function for one type of rules.

    A second registration for the same type replaces the first; one for `object` is the default for all types.
    """

    def register(implementation: Function) -> Function:
        function.dispatch_table.implementations[rules_type] = implementation
        return implementation

    return register
