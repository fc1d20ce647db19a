"""Atomic replacement of files: a reader finds the old contents or the new ones, never a mixture."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path` for the body to write; then rename it to `path`.

    If the body raises, the temporary file is deleted and `path` stays as it was. Not safe for two writers of one path.
    """
    temporary_path = path.with_name(f".{path.name}.part")
    try:
        yield temporary_path
        os.replace(temporary_path, path)
    finally:
        temporary_path.unlink(missing_ok=True)
