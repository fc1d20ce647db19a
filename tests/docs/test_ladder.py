"""The page shows the Elo ratings of the ladder."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(DOCS))  # it imports contests.py beside it
    spec = importlib.util.spec_from_file_location("ladder", DOCS / "ladder.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ladder"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_ratings_of_the_stored_results(ladder: ModuleType) -> None:
    results = json.loads((DOCS / "ladder" / "results.json").read_text("utf-8"))
    assert ladder.LEVEL_RATINGS.read_text("utf-8") == ladder.format_level_ratings(results)
