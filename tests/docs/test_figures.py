"""Every measured figure of README.md and docs is that of its result file."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from docs import figures

README = figures.ROOT / "README.md"
GENERATED = [figures.ROOT / name for name in figures.GENERATED_PAGES]
WITH_FIGURES = [
    path for path in figures.list_pages() if path in GENERATED or "<!-- figure:" in path.read_text(encoding="utf-8")
]
MEASUREMENT = re.compile(r"\d ?(%|ms\b|µs\b|kB\b|MB\b)|\d (times|seconds|a second|per second)\b")


@pytest.mark.parametrize("path", WITH_FIGURES, ids=lambda path: path.name)
def test_the_figures_of_a_page_are_those_of_the_files(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == figures.rewrite(path), "run `make figures`"


def test_a_changed_result_changes_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = json.loads((figures.RESULTS / "server.json").read_text(encoding="utf-8"))
    results["databases"]["sqlite"]["rows"][1]["moves_per_second"] = 4321
    changed = tmp_path / "results"
    shutil.copytree(figures.RESULTS, changed)
    (changed / "server.json").write_text(json.dumps(results), encoding="utf-8")
    page = figures.DOCS / "server.md"
    assert "4,321" not in figures.rewrite(page)
    monkeypatch.setattr(figures, "RESULTS", changed)
    assert "| SQLite | 100 | 4,321 |" in figures.rewrite(page)


def test_every_figure_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WITH_FIGURES)
    assert {match["name"] for match in figures.FIGURE.finditer(text)} == set(figures.FIGURES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a <!-- figure: server.paced -->1", "has no end"),
        ("a <!-- figure: nothing -->1<!-- /figure -->", "unknown figure 'nothing'"),
        ("<!-- figure: server.measured -->1<!-- /figure -->", "beginning of a line"),
    ],
)
def test_a_wrong_marker_is_an_error(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        figures.rewrite(tmp_path / "page.md")


def test_the_readme_measures_nothing_outside_its_figures() -> None:
    text = figures.FIGURE.sub("", README.read_text(encoding="utf-8"))
    assert not [line for line in text.splitlines() if MEASUREMENT.search(line)]
