"""The README's games run."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_readme_runs_as_it_stands() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.attempted > 8
    assert results.failed == 0


def test_every_link_of_the_readme_leads_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [part.split(")", 1)[0] for part in text.split("](")[1:]]
    assert links
    assert [link for link in links if not (ROOT / link.split("#")[0]).exists()] == []


def test_the_top_level_stays_small() -> None:
    ours = {path.name for path in ROOT.iterdir()} - {".git", ".venv", ".hypothesis", "__pycache__", "build"}
    assert len({name for name in ours if not name.endswith("_cache")}) <= 16
