"""The analysis board: moves by hand, variations, address, engine, import and export, comments and marks, saving."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.e2e.test_everyone import AXE, SERIOUS
from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

LINE = "/analysis?spec=tether-5&moves=c3+b2"


def pieces(page: Page, count: int) -> None:
    """Wait until the board has so many pieces."""
    expect(page.locator("[data-piece]")).to_have_count(count)


def download(page: Page, button: str) -> bytes:
    """Press a button that downloads a file; its contents."""
    with page.expect_download() as started:
        page.get_by_test_id(button).click()
    return Path(started.value.path()).read_bytes()


def test_moves_by_hand_make_variations_and_the_address_names_the_position(user: BrowserUser) -> None:
    user.open_path("/")
    user.page.get_by_role("link", name="Analysis").click()
    expect(user.page).to_have_url(re.compile(r"/analysis\?spec="))
    user.open_path(LINE)
    pieces(user.page, 2)
    user.click("d4")
    pieces(user.page, 3)
    expect(user.page).to_have_url(re.compile(r"moves=c3\+b2\+d4$"))
    user.page.get_by_role("button", name="c3", exact=True).click()
    pieces(user.page, 1)
    user.click("e1")
    branch = user.page.get_by_test_id("branch")
    expect(branch.locator("[data-branch]")).to_have_text(["e1"])
    pieces(user.page, 2)
    user.click("e2")
    expect(branch.locator("[data-branch]")).to_have_text(["e1", "e2"])
    expect(user.page).to_have_url(re.compile(r"moves=c3\+e1\+e2$"))
    user.page.evaluate("document.activeElement.blur()")
    user.page.keyboard.press("ArrowLeft")
    expect(user.page).to_have_url(re.compile(r"moves=c3\+e1$"))
    user.page.reload()
    pieces(user.page, 2)
    expect(branch.locator("[data-branch]")).to_have_text(["e1", "e2"])  # the tree is kept on this device
    user.page.get_by_role("button", name="Make this the main line").click()
    expect(branch.locator("[data-branch]")).to_have_text(["b2", "d4"])
    user.page.go_back()
    expect(user.page).to_have_url(re.compile(r"/analysis\?"))


def test_a_shared_link_shows_the_position_to_another_user(user: BrowserUser, other_user: BrowserUser) -> None:
    user.open_path(LINE)
    user.page.get_by_text("Share and export").click()
    link = user.page.get_by_test_id("share").input_value()
    other_user.page.goto(link)
    pieces(other_user.page, 2)
    expect(other_user.prompt).to_have_text("Red to move")


def test_the_engine_follows_the_position(user: BrowserUser) -> None:
    user.open_path("/analysis?spec=tether-3&moves=b2")
    user.page.get_by_role("switch", name="Live analysis").click()
    best = user.page.get_by_role("list", name="Best moves").locator("li button").first
    best.click()
    pieces(user.page, 2)
    expect(user.page.get_by_test_id("value")).to_have_text(re.compile(r"^Red \d+%"))


def test_comments_and_marks_are_exported_and_read_again(user: BrowserUser) -> None:
    user.open_path(LINE)
    user.page.get_by_test_id("comment").fill("close by")
    user.page.get_by_role("radio", name="Triangle").check()
    user.click("e5")
    expect(user.page.locator('[data-mark="triangle"]')).to_have_count(1)
    expect(user.page.get_by_test_id("marks")).to_have_text("Marked: e5 Triangle")
    pieces(user.page, 2)
    user.page.get_by_text("Share and export").click()
    sgf = download(user.page, "sgf").decode()
    assert "C[close by]" in sgf
    assert "TR[e5]" in sgf
    assert download(user.page, "png").startswith(b"\x89PNG")
    assert download(user.page, "gif").startswith(b"GIF89a")
    user.page.get_by_test_id("record").fill(sgf.replace("close by", "far away").replace("tether-5", "tether-7"))
    user.page.get_by_role("button", name="Open", exact=True).click()
    expect(user.page).to_have_url(re.compile("spec=tether-7"))
    pieces(user.page, 0)
    user.page.get_by_text("Share and export").click()
    user.page.get_by_role("button", name=re.compile("^b2")).click()
    expect(user.page.get_by_test_id("comment")).to_have_value("far away")
    user.page.get_by_test_id("record").fill("7/7/7/3r3/7/7/7 blue")
    user.page.get_by_role("button", name="Open", exact=True).click()
    pieces(user.page, 1)
    expect(user.prompt).to_have_text("Blue to move")


def test_a_position_is_set_up_by_hand(user: BrowserUser) -> None:
    user.open_path("/analysis?spec=tether-5")
    user.page.get_by_text("Game and position").click()
    user.page.get_by_role("button", name="Set up a position").click()
    user.click("c3")
    user.page.get_by_role("button", name="Blue: stone").click()
    user.click("d4")
    user.page.get_by_test_id("set-up").get_by_role("button", name="blue", exact=True).click()
    expect(user.page.get_by_test_id("position-text")).to_have_text("5/5/2r2/3b1/5 blue")
    user.page.get_by_role("button", name="Analyse this position").click()
    pieces(user.page, 2)
    expect(user.prompt).to_have_text("Blue to move")
    expect(user.page).to_have_url(re.compile("position="))


def save(page: Page, name: str) -> None:
    """Save the analysis under a name."""
    page.get_by_test_id("analysis-name").fill(name)
    page.get_by_role("button", name="Save", exact=True).click()


def test_an_analysis_is_saved_and_two_tabs_do_not_overwrite_each_other(user: BrowserUser) -> None:
    user.open_path(LINE)
    user.page.get_by_text("Saved analyses").click()
    save(user.page, "My idea")
    expect(user.page.get_by_test_id("save-status")).to_have_text("Saved.")
    expect(user.page).to_have_url(re.compile("saved="))
    tab = user.context.new_page()
    tab.goto(user.page.url)
    pieces(tab, 2)
    tab.get_by_text("Saved analyses").click()
    save(tab, "My better idea")
    expect(tab.get_by_test_id("save-status")).to_have_text("Saved.")
    user.click("d4")
    save(user.page, "My idea")
    expect(user.page.get_by_test_id("save-status")).to_contain_text("another tab")
    user.page.get_by_role("button", name="Open the other version").click()
    expect(user.page.get_by_test_id("analysis-name")).to_have_value("My better idea")
    listed = user.page.get_by_test_id("saved-list").locator("li")
    expect(listed.filter(has_text="on this device")).to_have_count(1)
    delete = user.page.get_by_role("button", name="Delete My better idea")
    delete.click()
    expect(delete).to_have_count(0)
    assert user.request("GET", "/analyses") == []
    conflict = "Failed to load resource: the server responded with a status of 409 (Conflict)"
    assert user.errors == [conflict]
    user.errors.clear()


def test_nobody_meets_a_barrier_in_german_on_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    user = BrowserUser(context, server.url, language="de", theme="dark")
    user.open_path(LINE)
    pieces(user.page, 2)
    for heading in ("Spiel und Stellung", "Teilen und exportieren", "Gespeicherte Analysen"):
        user.page.get_by_text(heading).click()
    expect(user.prompt).to_have_text("Rot ist am Zug")
    user.page.evaluate(AXE.read_text("utf-8"))
    assert user.page.evaluate(SERIOUS) == []
    assert user.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert user.errors == []
    context.close()


def test_a_running_match_offers_no_analysis(user: BrowserUser, other_user: BrowserUser) -> None:
    created = user.request("POST", "/matches", spec="tether-5", opponent={"kind": "invitation"}, seat=0)
    other_user.request("POST", f"/invitations/{created['invitation']}/accept")
    for path in ("match", "review"):
        user.open_path(f"/{path}/{created['match']['id']}")
        expect(user.page.locator("[data-view]").first).to_be_visible()
        assert user.page.locator('main a[href^="/analysis"]').count() == 0
