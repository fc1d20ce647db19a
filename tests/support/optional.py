"""Tests that need optional packages: skipped if one is missing, unless ROPEWALK_REQUIRE_ALL=1 is set."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def import_optional(name: str) -> Any:
    """Return a module. If it is not installed, skip the test module, or fail if all tests are required."""
    if os.environ.get("ROPEWALK_REQUIRE_ALL") == "1":
        return importlib.import_module(name)
    return pytest.importorskip(name)
