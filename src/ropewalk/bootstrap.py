"""Adjustments of a process before it imports the heavy libraries; programs call them, imports of the package do not."""

from __future__ import annotations

import sys

loads_cached_kernels = True  # whether single steps use machine code from the cache from their first call


def block_scipy_import() -> None:
    """Keep numba from importing scipy where that is installed: no kernel needs it, and it takes half a second."""
    sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]  # how Python marks what must not be imported


def prefer_interpreter() -> None:
    """Let single steps be interpreted first even if they are in the cache: for commands that make a few steps and end."""
    global loads_cached_kernels  # noqa: PLW0603
    loads_cached_kernels = False
