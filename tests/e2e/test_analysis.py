"""Live analysis on the page of a review: it improves while the engine searches, and ends when nobody looks at it."""

from __future__ import annotations

import re
import time

import httpx
import pytest
from playwright.sync_api import Browser, Locator, WebSocket, WebSocketRoute, expect

from tests.e2e.test_everyone import AXE, SERIOUS
from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

SOON_SECONDS = 20.0  # a third of the search; on an idle machine it is a few hundredths of a second
MOVES = ("e5", "d6", "c4")
VISITS = "Number(document.querySelector('[data-visits]').dataset.visits)"


def open_review(user: BrowserUser, spec: str = "tether-9", moves: tuple[str, ...] = MOVES) -> Locator:
    """Open the review of a match; its switch for live analysis."""
    match = user.start_match(spec, moves=moves)
    user.open_path(f"/review/{match}")
    return user.page.get_by_role("switch", name="Live analysis")


def watch_improve(user: BrowserUser, times: int) -> list[int]:
    """Wait until the number of visits has grown so many times; the numbers."""
    seen = [0]
    for _ in range(times):
        user.page.wait_for_function(f"before => {VISITS} > before", arg=seen[-1])
        seen.append(int(user.page.evaluate(VISITS)))
    return seen[1:]


def ended_jobs(server: Server) -> int:
    """Return how many jobs the engines have ended, by the server's metrics."""
    found = re.search(r"^ropewalk_engine_jobs_total (\d+)", httpx.get(f"{server.url}/metrics").text, re.MULTILINE)
    assert found is not None
    return int(found[1])


def expect_end(server: Server, before: int) -> None:
    """Wait until an engine has ended a job."""
    until = time.monotonic() + SOON_SECONDS
    while ended_jobs(server) == before:
        assert time.monotonic() < until, "the engine still searches"
        time.sleep(0.05)


def test_an_analysis_improves_and_is_cancelled_by_another_position_and_by_leaving(user: BrowserUser, server: Server) -> None:
    switch = open_review(user)
    sockets: list[WebSocket] = []
    user.page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108  # Playwright needs a plain function
    switch.click()
    visits = watch_improve(user, times=3)
    assert visits == sorted(set(visits))
    expect(user.page.get_by_test_id("value")).to_have_text(re.compile(r"^Blue \d+%"))
    lines = user.page.get_by_role("list", name="Best moves").locator("li")
    expect(lines).to_have_count(3)
    expect(user.page.locator(".heat")).to_have_count(3)
    expect(user.page.get_by_test_id("announcement")).to_contain_text("Best move")

    before = ended_jobs(server)
    user.page.get_by_role("button", name="One move back").click()
    expect_end(server, before)
    assert len(watch_improve(user, times=2)) == 2, "it follows"
    assert [socket.is_closed() for socket in sockets] == [True, False]
    expect(user.page.get_by_test_id("value")).to_have_text(re.compile(r"^Red \d+%"))

    before = ended_jobs(server)
    user.page.get_by_role("link", name="Learn", exact=True).click()
    expect_end(server, before)


def test_switching_off_stops_the_engine(user: BrowserUser, server: Server) -> None:
    switch = open_review(user)
    switch.press("Space")
    expect(switch).to_be_checked()
    watch_improve(user, times=1)
    before = ended_jobs(server)
    switch.press("Enter")
    expect_end(server, before)
    expect(user.page.get_by_role("list", name="Best moves")).to_have_count(0)
    expect(user.page.locator(".heat")).to_have_count(0)


def test_a_best_move_is_played_as_a_variation_and_the_keyboard_stays_there(user: BrowserUser) -> None:
    open_review(user).click()
    watch_improve(user, times=1)
    moves = user.page.get_by_role("list", name="Best moves")
    first = moves.get_by_role("button").first
    first.focus()
    move = first.inner_text()
    first.press("Enter")
    expect(user.page).to_have_url(re.compile(f"variation={move}$"))
    expect(moves).to_be_focused()
    watch_improve(user, times=1)


def test_arrow_keys_go_through_the_moves_of_a_review(user: BrowserUser) -> None:
    open_review(user).wait_for()
    user.page.keyboard.press("ArrowLeft")
    expect(user.page.locator("[data-piece]")).to_have_count(2)
    user.page.keyboard.press("ArrowRight")
    expect(user.page.locator("[data-piece]")).to_have_count(3)


def test_a_lost_connection_is_an_error_with_another_attempt(user: BrowserUser) -> None:
    is_broken = True

    def route(socket: WebSocketRoute) -> None:
        if is_broken:
            socket.close()
        else:
            socket.connect_to_server()

    user.page.route_web_socket("**/analyse/stream", route)
    open_review(user).click()
    expect(user.page.get_by_role("alert")).to_contain_text("No connection to the server")
    is_broken = False
    user.page.get_by_role("button", name="Try again").click()
    watch_improve(user, times=1)
    expect(user.page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize(("language", "width", "theme"), [("en", 1280, "light"), ("de", 360, "dark")])
def test_live_analysis_fits_the_screen_and_has_no_serious_barrier(
    language: str, width: int, theme: str, browser: Browser, server: Server
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 740}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, language=language, theme=theme)
    match = user.start_match("cube-lariat-4", moves=("DR2", "BL2", "UF2"))
    user.open_path(f"/review/{match}")
    user.page.get_by_role("switch").click()
    watch_improve(user, times=2)
    assert user.page.evaluate("document.documentElement.scrollWidth") <= width
    user.page.evaluate(AXE.read_text("utf-8"))
    assert user.page.evaluate(SERIOUS) == []
    assert user.errors == []
    context.close()
