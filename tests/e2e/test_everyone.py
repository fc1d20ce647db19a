"""For everyone: no serious barrier on any page, keyboard only, both languages, narrow screens, colours never alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser_user import BrowserUser
from tests.support.keyboard import find_keyboard_problems
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
    "/email/confirm/0",
    "/email/unsubscribe/0",
    "/join/nobody",
    "/nowhere",
]
EMBEDDED = "/embed/position?spec=laocoon-weave&moves=b3+a7+g1"
PUZZLE = "tether-63b5ad36"
ENCLOSED = ("c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3", "c4")  # red surrounds c3
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
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}  # the rest of a page does not depend on the theme
THEME_RULES: dict[Literal["light", "dark"], dict[str, list[str]] | None] = {"light": None, "dark": COLOURS}
SHOWN_THEME = """() => {
  const [red, green, blue] = getComputedStyle(document.body).color.match(/[0-9.]+/g).map(Number);
  return red + green + blue < 382 ? "light" : "dark";  // dark text on light ground
}"""
SERIOUS = """async (options) => (await axe.run(options ?? {})).violations
  .filter(({impact}) => impact === "serious" || impact === "critical")
  .map(({id, nodes}) => `${id}: ${nodes.map(node => node.target.join(" ")).join(", ")}`)"""


def open_every_page(user: BrowserUser) -> Iterator[str]:
    """Open every page that a guest sees, one after another; yield its path."""
    match = user.start_match("laocoon-weave", moves=("d4",))
    over = user.start_match("tether-5", moves=("c3",), public=True)
    user.request("POST", f"/matches/{over}/actions", type="resign")
    tables = [f"/match/{match}", f"/match/{over}", f"/review/{match}", f"/review/{over}"]
    profile = f"/player/{user.request('GET', '/me')['user']['name']}"
    reports = [f"/reports/{game}" for game in user.request("GET", "/game-reports")]
    for path in [*PAGES, *tables, profile, *reports, EMBEDDED, f"/embed/match/{over}"]:
        user.open_path(path)
        yield path


def test_axe_and_the_tab_key_find_no_barrier_on_any_page(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, theme="system", text=True)
    for path in open_every_page(user):
        examine(user, path)
        assert find_keyboard_problems(user.page) == [], path
    context.close()


def test_axe_and_the_tab_key_find_no_barrier_for_members(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, theme="system")
    name = "Member by axe"
    user.request("POST", "/accounts", name=name, password="a long password")
    clock = {"kind": "days", "days": 3}
    tournament = user.request("POST", "/tournaments", name="Axe", format="swiss", spec="tether-5", clock=clock)["id"]
    user.request("POST", f"/tournaments/{tournament}/players", key=None)
    user.request("POST", f"/tournaments/{tournament}/players", level=1)
    own = ["/settings", "/my-games", "/tournaments", f"/player/{name}", "/new?game=lariat&opponent=user&name=Somebody"]
    for path in [*own, f"/tournaments/{tournament}"]:
        user.open_path(path)
        examine(user, path)
        assert find_keyboard_problems(user.page) == [], path
    user.request("POST", f"/tournaments/{tournament}/start")
    user.page.reload()
    examine(user, "a tournament in progress")
    user.start_match("tether-5", {"kind": "open"}, clock=clock)
    examine(user, "a correspondence match without an opponent")
    context.close()


def test_axe_finds_nothing_serious_while_something_is_done(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, theme="system")
    user.open_path("/analysis?spec=laocoon-weave")
    user.page.locator("summary", has_text="Game and position").click()
    user.page.get_by_role("button", name="Set up a position").click()
    examine(user, "a position being set up")
    user.open_path(f"/puzzles/{PUZZLE}")
    user.page.get_by_role("button", name="Show the solution").click()
    expect(user.page.get_by_test_id("end")).to_be_visible()
    examine(user, "the solution of a puzzle")
    user.start_match("tether-5", moves=ENCLOSED)
    user.click("c3")
    expect(user.message).to_contain_text("surrounded")
    examine(user, "a refused move")
    user.page.get_by_role("button", name="Rules").click()
    examine(user, "the rules beside a match")
    context.close()


def examine(user: BrowserUser, place: str) -> None:
    """Unfold everything, and let axe look for serious barriers in the light theme and for bad contrast in the dark one."""
    expect(user.page.locator("h1, main, [data-testid=embed-words]").first).to_be_attached()
    user.page.wait_for_timeout(300)
    user.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    user.page.wait_for_timeout(100)
    user.page.evaluate(AXE.read_text("utf-8"))
    for theme, rules in THEME_RULES.items():
        user.page.emulate_media(color_scheme=theme)
        assert user.page.evaluate(SHOWN_THEME) == theme, place
        assert user.page.evaluate(SERIOUS, rules) == [], f"{place}, {theme} theme"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_narrow_screen_and_the_tab_key_suffice_on_any_page(language: str, browser: Browser, server: Server) -> None:
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
        assert language == "de" or find_keyboard_problems(user.page) == [], path  # what Tab reaches is the same in German
    assert user.errors == [NOT_FOUND] * 2, "the browser itself notes the address and the invitation that do not exist"
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
    expect(user.map).to_be_in_viewport(ratio=0.9)
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
    user.start_match("tether-5", moves=ENCLOSED)
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
