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

PRUNE_AFTER_DAYS = 30
COMPILED_MARKS = (b"@kernel", b"@question", b"@intrinsic", b"def kernel")  # a source with one of these is compiled

# Kernels make no arrays, so they need no reference counts; those would cost more than the rules themselves,
# and so would calls that hand over a state and a board, a hundred words each: everything is inlined.
OPTIONS = {"_nrt": False, "error_model": "numpy", "forceinline": True}


def user_cache() -> Path:
    """Where this system keeps what can be made again."""
    if chosen := os.environ.get("ROPEWALK_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ropewalk" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ropewalk"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ropewalk"


def source_hash() -> str:
    """A name for the text of all kernels: numba itself does not see a change in another file."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    package = Path(__file__).parent
    for source in sorted(package.rglob("*.py")):
        text = source.read_bytes()
        if any(mark in text for mark in COMPILED_MARKS):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """The folder of this version's compiled kernels, made on first use; long unused ones are pruned."""
    folder = user_cache() / "kernels" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        prune(folder)
    except OSError:  # a read-only home: numba then finds a place of its own, or compiles each time
        pass
    return folder


def prune(current: Path) -> None:
    """Remove compiled kernels of versions that nobody has used for a month."""
    oldest = time.time() - PRUNE_AFTER_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


CACHE = cache_folder()


def kernel(function: Function) -> Function:
    """Compile a function on its first call and keep the machine code in our own cache folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE)  # read when the decorator runs; other users of numba keep theirs
    try:
        compiled: Function = njit(cache=True, nogil=True, **OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


@kernel
def whole(number: Any) -> int:
    """A number read from an array as the plain int that a state holds."""
    return np.int64(number)  # type: ignore[return-value]


def compiled(function: Function, *examples: Any) -> Function:
    """The machine code of a kernel for arguments like these.

    Calling it skips numba's choice by type, which for boards of many arrays costs more than the kernel.
    """
    if numba.config.DISABLE_JIT:
        return function
    entry: Function = function.compile(tuple(map(numba.typeof, examples)))  # type: ignore[attr-defined]
    return entry


class Question:
    """The kernels that answer one question, by the type of the rules they are asked about."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        self.name = stub.__name__
        self.parameters = ", ".join(inspect.signature(stub).parameters)
        self.answers: dict[type, Callable[..., Any]] = {}

    def choose(self, rules: Any) -> Callable[..., Any]:
        """What numba inlines: a function of the question's own parameters that calls the answer."""
        answer = self.answers[rules.instance_class]
        chosen: Callable[..., Any] = eval(f"lambda {self.parameters}: answer({self.parameters})", {"answer": answer})
        return chosen


def question(stub: Function) -> Function:
    """Turn a stub into a question: callable from Python and from any kernel, answered by `answers`.

    The first argument is a game's rules, a NamedTuple of its own type; it decides who answers.
    """
    asked = Question(stub)

    @functools.wraps(stub)
    def ask(rules: Any, *arguments: Any) -> Any:
        return asked.answers[type(rules)](rules, *arguments)

    rules = asked.parameters.split(", ", 1)[0]
    chooser = eval(f"lambda {asked.parameters}: choose({rules})", {"choose": asked.choose})
    overload(ask, jit_options=OPTIONS)(chooser)
    ask.question = asked  # type: ignore[attr-defined]
    return ask  # type: ignore[return-value]


def answers(asked: Callable[..., Any], rules: type) -> Callable[[Function], Function]:
    """Register a kernel as the answer to a question for one type of rules."""

    def register(answer: Function) -> Function:
        asked.question.answers[rules] = answer  # type: ignore[attr-defined]
        return answer

    return register
