"""Packages that provide games, found through their entry points and without importing them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

PLUGIN_GROUP = "ropewalk.games"  # each entry point of this group names a `GameSpec`


@cache
def plugin_dirs() -> tuple[Path, ...]:
    """Return the directories of the installed packages that provide games. Reads the metadata of all packages, once."""
    names = {entry_point.module.partition(".")[0] for entry_point in entry_points(group=PLUGIN_GROUP)}
    specs = (find_spec(name) for name in sorted(names))
    return tuple(Path(path) for spec in specs if spec for path in spec.submodule_search_locations or ())
