"""Games in frames of other sites: public ones with their moves, private ones not, and no other page of the server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import FrameLocator, expect

from tests.support.browser_user import BrowserUser

MOVES = ("c3", "a1", "b2")


@contextmanager
def serve_site(page: str) -> Iterator[str]:
    """Serve a page as another site, and yield its address."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Send the page."""
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *args: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def open_in_frame(user: BrowserUser, address: str, code: str) -> FrameLocator:
    """Open another site whose page has a frame; return the frame."""
    user.page.goto(address)
    assert "iframe" in code
    return user.page.frame_locator("iframe")


def test_the_html_of_a_review_shows_the_match_in_a_frame_of_another_site(user: BrowserUser) -> None:
    match = user.start_match("tether-5", moves=MOVES, public=True)
    user.open_path(f"/review/{match}")
    user.page.get_by_text("Embed in a website").click()
    code = user.page.get_by_test_id("embed-code").input_value()
    with serve_site(f"<!doctype html><title>A blog</title><link rel=icon href=data:,><p>A game</p>{code}") as site:
        frame = open_in_frame(user, site, code)
        expect(frame.locator("[data-piece]")).to_have_count(3)
        expect(frame.get_by_test_id("embed-words")).to_contain_text("b2")
        frame.get_by_role("button", name="One move back").click()
        expect(frame.locator("[data-piece]")).to_have_count(2)
        frame.get_by_role("button", name="First position").click()
        expect(frame.locator("[data-piece]")).to_have_count(0)
        link = frame.get_by_role("link", name="Open at Ropewalk")
        assert (link.get_attribute("href"), link.get_attribute("target")) == (f"/match/{match}", "_blank")
    storage = "Failed to read the 'localStorage' property"  # of these tests' own script, in the frame before it has its page
    assert [error for error in user.errors if not error.startswith(storage)] == []
    user.errors.clear()


def test_a_line_of_moves_is_shown_in_german(user: BrowserUser) -> None:
    user.open_path("/embed/position?spec=laocoon-weave&moves=b3+a7+g1&ply=2&language=de&theme=dark")
    words = user.page.get_by_test_id("embed-words")
    expect(words).to_have_text("Zug 2: a7")
    user.page.keyboard.press("ArrowRight")
    expect(words).to_have_text("Zug 3: g1")
    assert user.page.evaluate("document.documentElement.dataset.theme") == "dark"
    user.open_path("/embed/position?spec=no-such-game")
    expect(words).to_contain_text("no-such-game")
    user.errors.clear()  # the browser itself notes the answer


def test_a_private_match_is_not_shown_even_to_its_player(user: BrowserUser) -> None:
    match = user.start_match("tether-5", moves=MOVES)
    user.open_path(f"/embed/match/{match}")
    expect(user.page.get_by_test_id("embed-words")).to_have_text("There is no public game at this address.")
    user.open_path(f"/review/{match}")
    user.page.get_by_text("Embed in a website").click()
    expect(user.page.get_by_text("Only public matches can be embedded.")).to_be_visible()
    user.errors.clear()  # the browser itself notes the answer


def test_other_pages_cannot_be_framed(user: BrowserUser) -> None:
    match = user.start_match("tether-5", moves=MOVES, public=True)
    frame = f'<iframe src="{user.url}/match/{match}"></iframe>'
    with serve_site(f"<!doctype html><title>A site</title><link rel=icon href=data:,>{frame}") as site:
        open_in_frame(user, site, frame)
        user.page.wait_for_timeout(500)
        assert user.page.frame_locator("iframe").locator("[data-view]").count() == 0
    assert any("frame" in error for error in user.errors)
    user.errors.clear()
