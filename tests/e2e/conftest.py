"""A server with the built page, and a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from tests.support.browser_user import FLAGS, BrowserUser
from tests.support.server_process import Server, run_server

FULL_BROWSERS = ("chromium", "google-chrome")
PAGE = Path(__file__).parents[2] / "src" / "ropewalk" / "server" / "page" / "index.html"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not PAGE.is_file():
        pytest.fail("the page is not built: `make page` builds it")
    with run_server(str(tmp_path_factory.mktemp("page") / "matches.db")) as running:
        yield running


@pytest.fixture(scope="package")  # not longer: while it is there, no other test of this process can run a loop of its own
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    yield from launch_browser(playwright, "chromium-headless-shell", *FULL_BROWSERS)


@pytest.fixture(scope="package")
def full_browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser that shows notifications. The headless shell does not, but needs a third less time for everything else."""
    yield from launch_browser(playwright, *FULL_BROWSERS)


def launch_browser(playwright: Playwright, *names: str) -> Iterator[Browser]:
    """Yield the first browser of these that is installed, until the tests are done with it."""
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.fail("Chromium is not installed: `make browser` installs it")
    opened = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield opened
    opened.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def user(context: BrowserContext, server: Server) -> Iterator[BrowserUser]:
    arrived = BrowserUser(context, server.url)
    yield arrived
    assert arrived.errors == []


@pytest.fixture
def other_user(browser: Browser, server: Server) -> Iterator[BrowserUser]:
    made = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    arrived = BrowserUser(made, server.url)
    yield arrived
    assert arrived.errors == []
    made.close()
