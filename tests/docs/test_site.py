"""The documentation site is built without a warning, and its pages keep their links."""

from __future__ import annotations

import html
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs import page_list
from ropewalk.reports.library import list_shipped_games

ROOT = Path(__file__).parents[2]

if not os.environ.get("ROPEWALK_REQUIRE_ALL"):
    pytest.importorskip("sphinx")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built as `make docs` does it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(ROOT / "docs"), str(folder)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return folder


def test_every_page_is_part_of_the_navigation(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        name = page.relative_to(site).as_posix()
        if name not in ("index.html", "genindex.html", "py-modindex.html", "search.html") and page.parent.name != "reports":
            assert f'href="{name}"' in index, name


def test_every_page_is_built_under_its_own_name(site: Path) -> None:
    for name in page_list.read_pages():  # a page named search.md would be replaced by the results of the site's search
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        assert f"<h1>{html.escape(page_list.read_title(name), quote=False)}<a" in text, name


def test_pages_are_written_from_the_program(site: Path) -> None:
    assert "usage: ropewalk verify-proof" in (site / "cli.html").read_text(encoding="utf-8")
    assert "/api/matches/{match_id}/actions" in (site / "http-reference.html").read_text(encoding="utf-8")
    assert "ropewalk.game" in (site / "python-api.html").read_text(encoding="utf-8")


def test_shipped_reports_are_linked(site: Path) -> None:
    text = (site / "reports.html").read_text(encoding="utf-8")
    names = sorted(page.name for page in (site / "reports").iterdir())
    assert names == [f"{key}.html" for key in list_shipped_games()]
    for name in names:
        assert f'href="reports/{name}"' in text
        assert "The first player's advantage" in (site / "reports" / name).read_text(encoding="utf-8")


def test_links_out_of_the_folder_lead_to_pages(site: Path) -> None:
    assert 'href="deployment.html"' in (site / "server.html").read_text(encoding="utf-8")
    assert "Two servers on one machine" in (site / "deployment.html").read_text(encoding="utf-8")
    assert 'href="../deploy' not in (site / "server.html").read_text(encoding="utf-8")
