"""docs/python.md runs as it stands, and docs/observations.md says what the games say."""

from __future__ import annotations

import doctest
from pathlib import Path

from tests.support.docs_script import load_docs_script

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_examples_of_the_python_page_run() -> None:
    results = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert results.attempted > 15
    assert results.failed == 0


def test_the_page_of_observations_is_up_to_date() -> None:
    generated: str = load_docs_script("observations").format_page()
    assert (DOCS / "observations.md").read_text(encoding="utf-8") == generated, "run python docs/observations.py"
