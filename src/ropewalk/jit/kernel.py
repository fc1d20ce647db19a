"""Compiled kernels: one decorator, one cache folder, and questions that games answer by type.

`NUMBA_DISABLE_JIT=1` runs every kernel as plain Python, for debugging and coverage.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import njit
from numba.extending import overload

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_MAX_AGE_DAYS = 30
KERNEL_SOURCE_MARKERS = (b"@kernel", b"@dispatched", b"@intrinsic", b"def kernel")  # a source with one of these is compiled

# Kernels make no arrays, so they need no reference counts; those would cost more than the rules themselves,
# and so would calls that hand over a state and a board, a hundred words each: everything is inlined.
JIT_OPTIONS = {"_nrt": False, "error_model": "numpy", "forceinline": True}


def user_cache_dir() -> Path:
    """Where this system keeps what can be made again."""
    if override := os.environ.get("ROPEWALK_CACHE"):
        return Path(override)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ropewalk" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ropewalk"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ropewalk"


def source_hash() -> str:
    """A name for the text of all kernels: numba itself does not see a change in another file."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    package_dir = Path(__file__).parent.parent
    for source in sorted(package_dir.rglob("*.py")):
        text = source.read_bytes()
        if any(marker in text for marker in KERNEL_SOURCE_MARKERS):
            digest.update(source.relative_to(package_dir).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def kernel_cache_dir() -> Path:
    """The folder of this version's compiled kernels, made on first use; long unused ones are pruned."""
    folder = user_cache_dir() / "kernels" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        prune_old_caches(folder)
    except OSError:  # a read-only home: numba then finds a place of its own, or compiles each time
        pass
    return folder


def prune_old_caches(current: Path) -> None:
    """Remove compiled kernels of versions that nobody has used for a month."""
    cutoff = time.time() - CACHE_MAX_AGE_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and folder.stat().st_mtime < cutoff:
            shutil.rmtree(folder, ignore_errors=True)


CACHE_DIR = kernel_cache_dir()


def kernel(function: Function) -> Function:
    """Compile a function on its first call and keep the machine code in our own cache folder."""
    previous_cache_dir = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)  # read when the decorator runs; other users of numba keep theirs
    try:
        compiled: Function = njit(cache=True, nogil=True, **JIT_OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = previous_cache_dir
    return compiled


@kernel
def to_int64(number: Any) -> int:
    """A number read from an array as the plain int that a state holds."""
    return np.int64(number)  # type: ignore[return-value]


def compile_for(function: Function, *example_args: Any) -> Function:
    """The machine code of a kernel for arguments like these.

    Calling it skips numba's choice by type, which for boards of many arrays costs more than the kernel.
    """
    if numba.config.DISABLE_JIT:
        return function
    entry: Function = function.compile(tuple(map(numba.typeof, example_args)))  # type: ignore[attr-defined]
    return entry


class DispatchTable:
    """The kernels that answer one question, by the type of the rules they are asked about."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        self.name = stub.__name__
        self.parameters = ", ".join(inspect.signature(stub).parameters)
        self.implementations: dict[type, Callable[..., Any]] = {}

    def resolve(self, rules: Any) -> Callable[..., Any]:
        """What numba inlines: a function of the question's own parameters that calls the answer."""
        implementation = self.implementations[rules.instance_class]
        dispatcher: Callable[..., Any] = eval(
            f"lambda {self.parameters}: answer({self.parameters})", {"answer": implementation}
        )
        return dispatcher


def dispatched(stub: Function) -> Function:
    """Turn a stub into a question: callable from Python and from any kernel, answered by `implements`.

    The first argument is a game's rules, a NamedTuple of its own type; it decides who answers.
    """
    table = DispatchTable(stub)

    @functools.wraps(stub)
    def dispatch(rules: Any, *arguments: Any) -> Any:
        return table.implementations[type(rules)](rules, *arguments)

    first_parameter = table.parameters.split(", ", 1)[0]
    resolver = eval(f"lambda {table.parameters}: choose({first_parameter})", {"choose": table.resolve})
    overload(dispatch, jit_options=JIT_OPTIONS)(resolver)
    dispatch.dispatch_table = table  # type: ignore[attr-defined]
    return dispatch  # type: ignore[return-value]


def implements(function: Callable[..., Any], rules_type: type) -> Callable[[Function], Function]:
    """Register a kernel as the answer to a question for one type of rules."""

    def register(implementation: Function) -> Function:
        function.dispatch_table.implementations[rules_type] = implementation  # type: ignore[attr-defined]
        return implementation

    return register
