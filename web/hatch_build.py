"""Wheels and source archives contain the built page, so that who installs them needs no Node.

A wheel that is made of an unpacked source archive takes the page of the archive. An editable install builds nothing.
"""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "web" / "build.py"


def has_archived_page(root: Path) -> bool:
    """Return whether a folder is an unpacked source archive with a built page; only an archive has PKG-INFO."""
    return (root / "PKG-INFO").is_file() and (root / "src" / "ropewalk" / "server" / "page" / "index.html").is_file()


class PageHook(BuildHookInterface[Any]):
    """Builds the page before a wheel or a source archive is packed."""

    def dependencies(self) -> list[str]:
        """Return Node from PyPI where there is none and the page must be built."""
        if has_archived_page(ROOT) or shutil.which("npm"):
            return []
        return [runpy.run_path(str(BUILD))["NODE_PACKAGE"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless nothing is packed or it is there."""
        if version != "editable" and not has_archived_page(ROOT):
            runpy.run_path(str(BUILD))["build"]()
