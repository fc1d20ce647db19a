"""The page shows the Elo ratings of the ladder."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.docs_script import load_docs_script

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def ladder() -> ModuleType:
    return load_docs_script("ladder")


def test_the_page_has_the_ratings_of_the_stored_results(ladder: ModuleType) -> None:
    results = json.loads((DOCS / "ladder" / "results.json").read_text("utf-8"))
    assert ladder.LEVEL_RATINGS.read_text("utf-8") == ladder.format_level_ratings(results)
