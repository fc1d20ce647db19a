"""The opening explorer on the analysis board: its moves are played, symmetric positions are joined, phones show it."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Browser, Locator, expect

from tests.e2e.test_everyone import AXE, SERIOUS
from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

LIMIT_SECONDS = 60.0  # the server counts every few seconds
GAMES = (("a1", "b2"), ("k11", "j10"), ("f6", "a1"))  # the first two are images of each other


def count_games(user: BrowserUser, other: BrowserUser, spec: str) -> None:
    """Let two users play the openings in public matches, and wait until the server has counted them."""
    for moves in GAMES:
        body = {"opponent": {"kind": "invitation"}, "seat": 0, "public": True}
        created = user.request("POST", "/matches", spec=spec, **body)
        match = created["match"]["id"]
        state = other.request("POST", f"/invitations/{created['invitation']}/accept")["state"]
        for player, move in zip((user, other), moves, strict=True):
            state = player.play_move(match, move, state)
        user.request("POST", f"/matches/{match}/actions", type="resign")
    until = time.monotonic() + LIMIT_SECONDS
    while user.request("GET", f"/explorer?spec={spec}")["games"] < len(GAMES):
        assert time.monotonic() < until, "the matches are not counted"
        time.sleep(0.2)


def open_explorer(user: BrowserUser, spec: str) -> Locator:
    """Open the analysis board at the start of a game, and the explorer on it."""
    user.open_path(f"/analysis?spec={spec}")
    explorer = user.page.get_by_test_id("explorer")
    explorer.locator("summary").click()
    return explorer


def test_moves_of_the_explorer_are_played_and_symmetric_openings_are_one(user: BrowserUser, other_user: BrowserUser) -> None:
    count_games(user, other_user, "tether-11")
    explorer = open_explorer(user, "tether-11")
    rows = explorer.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0).locator("td").nth(1)).to_have_text("2")
    expect(rows.nth(1).locator("td").nth(1)).to_have_text("1")
    expect(explorer.get_by_role("list").locator("li")).to_have_count(3)
    rows.nth(0).get_by_role("button").press("Enter")
    expect(user.page).to_have_url(re.compile(r"moves=(a1|k11)$"))
    expect(user.page.locator("[data-piece]")).to_have_count(1)
    expect(rows).to_have_count(1)
    expect(rows.locator("td").nth(1)).to_have_text("2")
    first = user.page.url.rsplit("=", 1)[1]
    expect(rows.get_by_role("button")).to_have_text("b2" if first == "a1" else "j10")

    user.open_path("/analysis?spec=tether-11&moves=k11")  # the other image of the same opening
    explorer.locator("summary").click()
    expect(rows.get_by_role("button")).to_have_text("j10")
    rows.get_by_role("button").click()
    expect(user.page.locator("[data-piece]")).to_have_count(2)
    expect(explorer).to_contain_text("No public match has come here yet.")


def test_the_explorer_fits_every_screen_and_has_no_serious_barrier(
    browser: Browser, server: Server, user: BrowserUser, other_user: BrowserUser
) -> None:
    count_games(user, other_user, "tether-15")
    for language, width, theme in (("en", 1280, "light"), ("de", 360, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 740}, reduced_motion="reduce")
        viewer = BrowserUser(context, server.url, language=language, theme=theme)
        explorer = open_explorer(viewer, "tether-15")
        expect(explorer.locator("tbody tr")).to_have_count(3)
        assert viewer.page.evaluate("document.documentElement.scrollWidth") <= width
        viewer.page.evaluate(AXE.read_text("utf-8"))
        assert viewer.page.evaluate(SERIOUS) == []
        assert viewer.errors == []
        context.close()
