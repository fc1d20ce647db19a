"""A wheel contains the built page, so that who installs it needs no Node; an editable install is left as it is."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILD = Path(__file__).resolve().parent / "build.py"


class PageHook(BuildHookInterface[Any]):
    """Builds the page before a wheel is packed."""

    def dependencies(self) -> list[str]:
        """Node from PyPI, where there is none."""
        return [] if shutil.which("npm") else [runpy.run_path(str(BUILD))["NODE_PACKAGE"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless nothing is packed."""
        if version != "editable":
            runpy.run_path(str(BUILD))["build"]()
