"""For everyone: no serious barrier on any page, both languages, narrow screens, colours never alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "/",
    "/new?game=laocoon",
    "/lobby",
    "/watch",
    "/my-games",
    "/tournaments",
    "/learn",
    "/learn/liger/basics/3",
    "/puzzles?game=tether",
    "/puzzles/liger-142c42d9",
    "/settings",
    "/rules/lariat",
    "/analysis?spec=tether-5&moves=c3",
    "/known/lariat",
    "/nowhere",
]
MISSING = [
    "/nowhere",
    "/match/0",
    "/review/0",
    "/tournaments/0",
    "/player/Nobody",
    "/rules/chess",
    "/known/chess",
    "/learn/chess",
]
NARROWEST = 360
NOT_FOUND = "Failed to load resource: the server responded with a status of 404 (Not Found)"
SERIOUS = """async () => (await axe.run()).violations
  .filter(({impact}) => impact === "serious" || impact === "critical")
  .map(({id, nodes}) => `${id}: ${nodes.map(node => node.target.join(" ")).join(", ")}`)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(theme: str, browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, theme=theme, text=True)
    match = user.start_match("laocoon-weave", moves=("d4",))
    tables = [f"/match/{match}", f"/review/{match}", f"/player/{user.request('GET', '/me')['user']['name']}"]
    for path in [*PAGES, *tables] if theme == "light" else ["/", *tables]:  # dark changes colours only
        user.open_path(path)
        expect(user.page.locator("h1").first).to_be_attached()
        user.page.wait_for_timeout(300)
        user.page.evaluate(AXE.read_text("utf-8"))
        assert user.page.evaluate(SERIOUS) == [], path
    context.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_is_wider_than_a_narrow_screen(language: str, browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": NARROWEST, "height": 740}, has_touch=True, reduced_motion="reduce")
    user = BrowserUser(context, server.url, language=language)
    with_discs_in_hand = user.start_match("laocoon-weave", moves=("b3", "a7", "g1", "a3", "g1-h1", "a7-a8"))
    match = user.start_match("tether-5")
    for path in [*PAGES, f"/match/{match}", f"/review/{match}", f"/match/{with_discs_in_hand}"]:
        user.open_path(path)
        expect(user.page.locator("h1").first).to_be_attached()
        user.page.wait_for_timeout(300)
        assert user.page.evaluate("document.documentElement.scrollWidth") <= NARROWEST, path
        hidden = user.page.locator("header nav").evaluate("bar => bar.scrollWidth - bar.clientWidth")
        assert hidden == 0, f"{path}: {hidden} pixels of the menu are hidden"
    assert user.errors == [NOT_FOUND], "the browser itself notes the address that does not exist"
    context.close()


def test_an_address_of_nothing_has_a_heading_and_a_way_on(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url)
    for path in MISSING:
        user.open_path(path)
        expect(user.page.locator("h1")).to_have_text("There is no page at this address.")
        expect(user.page.locator("main a[href]").first).to_be_visible()
    user.open_path("/join/nobody")
    expect(user.page.get_by_role("alert")).to_have_text("This invitation is no longer valid.")
    context.close()


def test_on_a_touch_screen_a_move_is_shown_first_and_then_confirmed(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    user = BrowserUser(context, server.url, confirm="touch")
    user.start_match("tether-5")
    user.page.locator('.touch [data-cell="c3"]').tap()
    expect(user.message).to_contain_text("Red places on c3")
    assert user.get_match()["moves"] == []
    user.page.get_by_test_id("confirm").tap()
    assert user.wait_for(1)["moves"][0]["move"] == "c3"
    context.close()


def test_on_a_phone_the_way_on_is_below_the_board(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    user = BrowserUser(context, server.url)
    user.open_path("/learn/tether/basics/1")
    expect(user.prompt).to_have_text("Look at the board.")
    user.page.locator(".board").get_by_role("button", name="Next").tap()
    user.page.wait_for_url("**/basics/2")
    user.open_path("/new?game=tether&opponent=invitation")
    user.page.get_by_role("button", name="Start").tap()
    expect(user.page.get_by_test_id("invitation")).to_be_in_viewport()
    assert user.errors == []
    context.close()


def test_german_says_everything_in_german(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, language="de")
    user.start_match("tether-5", moves=("c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3", "c4"))
    expect(user.prompt).to_have_text("Blau ist am Zug")
    user.click("c3")
    expect(user.message).to_contain_text("umzingelt")
    assert user.page.locator("html").get_attribute("lang") == "de"
    context.close()


def test_every_disc_of_laocoon_carries_its_letter(user: BrowserUser) -> None:
    user.start_match("laocoon-weave")
    letters = user.page.locator("[data-piece] text").all_text_contents()
    assert sorted(set(letters)) == ["b", "o", "p", "y"]
    assert len(letters) == 64
