"""docs/python.md runs as it stands, and docs/observations.md says what the games say."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load_generator() -> ModuleType:
    """Import docs/observations.py."""
    spec = importlib.util.spec_from_file_location("observations_page", DOCS / "observations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_examples_of_the_python_page_run() -> None:
    results = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert results.attempted > 15
    assert results.failed == 0


def test_the_page_of_observations_is_up_to_date() -> None:
    generated: str = load_generator().format_page()
    assert (DOCS / "observations.md").read_text(encoding="utf-8") == generated, "run python docs/observations.py"
