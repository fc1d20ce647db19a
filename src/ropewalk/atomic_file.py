"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A file beside the one that is meant, which it replaces at the end: who stops us finds the old one or the new one."""
    temporary_path = path.with_name(f".{path.name}.part")
    try:
        yield temporary_path
        os.replace(temporary_path, path)
    finally:
        temporary_path.unlink(missing_ok=True)
