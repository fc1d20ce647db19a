"""Adjustments of a process before it imports the heavy libraries; programs call them, imports of the package do not."""

from __future__ import annotations

import sys


def block_scipy_import() -> None:
    """Keep numba from importing scipy where that is installed: no kernel needs it, and it takes half a second."""
    sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]  # how Python marks what must not be imported
