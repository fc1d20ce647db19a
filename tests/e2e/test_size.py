"""How much a browser loads before it shows the first page, and that what is shown does not move."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.conftest import PAGE
from tests.support.browser_user import BrowserUser
from tests.support.server_process import Client, Server, run_server

MAX_INITIAL_BYTES = 76_000  # script and style sheet, compressed; three.js and most pages are loaded later


def test_the_first_page_is_small() -> None:
    initial = re.findall(r'(?:src|href)="/(assets/[^"]+)"', PAGE.read_text("utf-8"))
    assert {name.rsplit(".", 1)[1] for name in initial} == {"css", "js"}
    packed = sum(len(gzip.compress((PAGE.parent / name).read_bytes())) for name in initial)
    assert packed < MAX_INITIAL_BYTES, packed


LATE_S = 0.5  # seconds
MAX_LAYOUT_SHIFT = 0.02  # Lighthouse calls 0.1 good
LAYOUT_SHIFT = """() => new Promise((resolve) => new PerformanceObserver((list) =>
  resolve(list.getEntries().reduce((sum, {value}) => sum + value, 0))).observe({type: "layout-shift", buffered: true})
  || setTimeout(() => resolve(0), 500))"""


@pytest.fixture(scope="module")
def quiet_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module's own with matches: what others play on a common one would move its lists."""
    with run_server(str(tmp_path_factory.mktemp("size") / "matches.db")) as running:
        for spec in ("tether-5", "cube-lariat-6-nopie", "laocoon-weave"):
            Client(running).create_match(spec, "open")
            Client(running).create_match(spec, "self")
        yield running


@pytest.mark.parametrize("late", ["nothing", "games", "lobby", "me"])
@pytest.mark.parametrize(("path", "shown"), [("/", "article.card svg"), ("/puzzles", ".games li"), ("/lobby", "li p")])
def test_nothing_moves_while_a_page_is_loaded(
    browser: Browser, quiet_server: Server, path: str, shown: str, late: str
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.route(f"**/api/{late}", answer_late)
    user = BrowserUser(context, quiet_server.url, views="flat")
    user.open_path(path)
    expect(user.page.locator(shown).first).to_be_attached()
    user.page.wait_for_timeout(1000)
    assert user.page.evaluate(LAYOUT_SHIFT) < MAX_LAYOUT_SHIFT
    context.close()


def answer_late(route: Route) -> None:
    """Let all other answers arrive first."""
    time.sleep(LATE_S)
    route.continue_()
