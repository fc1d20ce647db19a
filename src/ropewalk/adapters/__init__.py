"""Adapters of the games to reinforcement-learning libraries; each module needs the library that it is named after.

- `ropewalk.adapters.pettingzoo`: `env(spec)` and `raw_env(spec)`, environments for two agents.
- `ropewalk.adapters.openspiel`: `load_game(spec)`, a game of OpenSpiel.
- `ropewalk.adapters.gymnasium`: `make_vec(spec, num_envs)`, a vector environment over `Batch`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import RopewalkError


class MissingExtraError(RopewalkError):
    """A library is not installed; the message names the extra of the package that installs it."""


def require_library(module: str, extra: str) -> Any:
    """Import and return a module of an optional library; raise a MissingExtraError that names the extra."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{module} is not installed; install it with: pip install 'ropewalk[{extra}]'") from error
