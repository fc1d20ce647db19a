"""Tests that need optional packages: skipped where one is missing, unless ROPEWALK_REQUIRE_ALL=1 says that all must run."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def import_optional(name: str) -> Any:
    """Return a module. Where it is not installed, skip the test module, or fail if all tests are required."""
    if os.environ.get("ROPEWALK_REQUIRE_ALL") == "1":
        return importlib.import_module(name)
    return pytest.importorskip(name)
