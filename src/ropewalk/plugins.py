"""Packages that provide games, found through their entry points and without importing them."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PLUGIN_GROUP = "ropewalk.games"  # each entry point of this group names a `GameSpec`
METADATA_SUFFIXES = (".dist-info", ".egg-info")


@cache
def plugin_dirs() -> tuple[Path, ...]:
    """Return the directories of the installed packages that provide games. Reads the metadata of all packages, once."""
    if not may_have_plugins():
        return ()
    from importlib.metadata import entry_points

    names = {entry_point.module.partition(".")[0] for entry_point in entry_points(group=PLUGIN_GROUP)}
    specs = (find_spec(name) for name in sorted(names))
    return tuple(Path(path) for spec in specs if spec for path in spec.submodule_search_locations or ())


def may_have_plugins() -> bool:
    """Return whether an installed package may have entry points of PLUGIN_GROUP.

    Every start needs this, and `importlib.metadata` takes ten times as long. Returns True where only that knows, such as
    for packages in a zip file.
    """
    header = f"[{PLUGIN_GROUP}]".encode()
    for folder in sys.path:
        try:
            with os.scandir(folder or os.curdir) as entries:
                packages = [entry.path for entry in entries if entry.name.endswith(METADATA_SUFFIXES)]
        except FileNotFoundError:
            continue
        except OSError:
            return True
        if any(header in read_entry_points(package) for package in packages):
            return True
    return False


def read_entry_points(package: str) -> bytes:
    """Return the text of the entry points in a folder of metadata, empty if there are none."""
    try:
        with open(os.path.join(package, "entry_points.txt"), "rb") as file:
            return file.read()
    except OSError:
        return b""
