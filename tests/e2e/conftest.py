"""A server with the built page, and a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.support.browser_user import FLAGS, BrowserUser
from tests.support.server_process import Server, run_server

PAGE = Path(__file__).parents[2] / "src" / "ropewalk" / "server" / "page" / "index.html"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not PAGE.is_file():
        pytest.fail("the page is not built: `make page` builds it")
    with run_server(str(tmp_path_factory.mktemp("page") / "matches.db")) as running:
        yield running


@pytest.fixture(scope="package")  # not longer: while it is there, no other test of this process can run a loop of its own
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.fail("Chromium is not installed: `make browser` installs it")
    with sync_playwright() as playwright:
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
