"""For everyone: no serious barrier on any page, both languages, narrow screens, colours never alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser_user import Visitor
from tests.support.server_process import Server

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "/",
    "/new?game=laocoon",
    "/lobby",
    "/watch",
    "/my-games",
    "/learn",
    "/learn/liger/3",
    "/settings",
    "/rules/lariat",
    "/nowhere",
]
NARROWEST = 360
SERIOUS = """async () => (await axe.run()).violations
  .filter(({impact}) => impact === "serious" || impact === "critical")
  .map(({id, nodes}) => `${id}: ${nodes.map(node => node.target.join(" ")).join(", ")}`)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(theme: str, browser: Browser, table: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    visitor = Visitor(context, table.url, theme=theme, text=True)
    match = visitor.sit_down("laocoon-weave", moves=("d4",))
    tables = [f"/match/{match}", f"/review/{match}", f"/player/{visitor.ask('GET', '/me')['user']['name']}"]
    for path in [*PAGES, *tables] if theme == "light" else ["/", *tables]:  # dark changes colours only
        visitor.go(path)
        expect(visitor.page.locator("h1").first).to_be_attached()
        visitor.page.wait_for_timeout(300)
        visitor.page.evaluate(AXE.read_text("utf-8"))
        assert visitor.page.evaluate(SERIOUS) == [], path
    context.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_is_wider_than_a_narrow_screen(language: str, browser: Browser, table: Server) -> None:
    context = browser.new_context(viewport={"width": NARROWEST, "height": 740}, has_touch=True, reduced_motion="reduce")
    visitor = Visitor(context, table.url, language=language)
    match = visitor.sit_down("tether-5")
    for path in [*PAGES, f"/match/{match}", f"/review/{match}"]:
        visitor.go(path)
        expect(visitor.page.locator("h1").first).to_be_attached()
        visitor.page.wait_for_timeout(300)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= NARROWEST, path
    assert visitor.complaints == []
    context.close()


def test_on_a_touch_screen_a_move_is_shown_first_and_then_confirmed(browser: Browser, table: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    visitor = Visitor(context, table.url, confirm="touch")
    visitor.sit_down("tether-5")
    visitor.page.locator('.touch [data-cell="c3"]').tap()
    expect(visitor.told).to_contain_text("Red places on c3")
    assert visitor.match()["moves"] == []
    visitor.page.get_by_test_id("confirm").tap()
    assert visitor.wait_for(1)["moves"][0]["move"] == "c3"
    context.close()


def test_german_says_everything_in_german(browser: Browser, table: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    visitor = Visitor(context, table.url, language="de")
    visitor.sit_down("tether-5", moves=("c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3", "c4"))
    expect(visitor.prompt).to_have_text("Blau ist am Zug")
    visitor.click("c3")
    expect(visitor.told).to_contain_text("umzingelt")
    assert visitor.page.locator("html").get_attribute("lang") == "de"
    context.close()


def test_every_disc_of_laocoon_carries_its_letter(visitor: Visitor) -> None:
    visitor.sit_down("laocoon-weave")
    letters = visitor.page.locator("[data-piece] text").all_text_contents()
    assert sorted(set(letters)) == ["b", "o", "p", "y"]
    assert len(letters) == 64
