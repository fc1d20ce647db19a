"""Directories of the user's files: data such as databases, state such as unfinished games, cached machine code.

Each is named by an environment variable, or else by the platform's convention (on Linux the XDG base directories).
Nothing is created here.
"""

from __future__ import annotations

import os
from pathlib import Path

APP_NAME = "ropewalk"


def cache_dir() -> Path:
    """Return the cache directory: $ROPEWALK_CACHE_DIR, or `ropewalk` in the platform's user cache directory.

    Without platformdirs, which only the rules can do without, it is `~/.cache/ropewalk`.
    """
    if (named := env_path("ROPEWALK_CACHE_DIR")) is not None:
        return named
    try:
        from platformdirs import user_cache_path
    except ImportError:
        return Path.home() / ".cache" / APP_NAME
    return user_cache_path(APP_NAME, appauthor=False)


def data_dir() -> Path:
    """Return the directory of databases: $ROPEWALK_DATA_DIR, or `ropewalk` in the platform's user data directory."""
    from platformdirs import user_data_path

    return env_path("ROPEWALK_DATA_DIR") or user_data_path(APP_NAME, appauthor=False)


def state_dir() -> Path:
    """Return the directory of saved state: $ROPEWALK_STATE_DIR, or `ropewalk` in the platform's user state directory."""
    from platformdirs import user_state_path

    return env_path("ROPEWALK_STATE_DIR") or user_state_path(APP_NAME, appauthor=False)


def env_path(variable: str) -> Path | None:
    """Return the path in an environment variable; None if it is unset or empty."""
    value = os.environ.get(variable)
    return Path(value) if value else None
