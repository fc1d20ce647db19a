"""The review of a match: computed once and shared, qualities of moves, better moves as variations, steps inside them."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser

MOVES = ("c3", "a1", "b2", "e5", "d4", "a5")


def open_review(user: BrowserUser, moves: tuple[str, ...] = MOVES) -> str:
    """Open the review of a match at one screen; return the id of the match."""
    match = user.start_match("tether-5", moves=moves, public=True)
    user.open_path(f"/review/{match}")
    return match


def test_a_match_is_analysed_once_for_all_viewers(user: BrowserUser, other_user: BrowserUser) -> None:
    match = open_review(user)
    user.page.get_by_test_id("start-review").click()
    graph = user.page.locator("svg[data-points]")
    expect(graph).to_have_attribute("data-points", str(len(MOVES) + 1))
    expect(user.page.get_by_test_id("review").get_by_role("progressbar")).to_have_count(0)
    judged = user.page.locator("[data-quality]")
    expect(judged).to_have_count(len(MOVES))
    other_user.open_path(f"/review/{match}")
    expect(other_user.page.locator("svg[data-points]")).to_have_attribute("data-points", str(len(MOVES) + 1))
    assert other_user.page.get_by_test_id("start-review").count() == 0
    worst = judged.locator("css=.mark").first
    if worst.count():
        worst.click()
        user.page.get_by_test_id("better").click()
        expect(user.page).to_have_url(re.compile("variation="))
        expect(user.page.get_by_test_id("branch")).to_have_count(1)


def test_steps_inside_a_variation_stay_in_it(user: BrowserUser) -> None:
    open_review(user)
    expect(user.page.locator("[data-piece]")).to_have_count(len(MOVES))
    user.page.get_by_role("button", name="c3", exact=True).click()
    expect(user.page.locator("[data-piece]")).to_have_count(1)
    for number, cell in enumerate(("e1", "e2", "e3"), start=2):
        user.click(cell)
        expect(user.page.locator("[data-piece]")).to_have_count(number)
    branch = user.page.get_by_test_id("branch")
    expect(branch.locator("[data-branch]")).to_have_text(["e1", "e2", "e3"])
    user.page.evaluate("document.activeElement.blur()")  # on the board, arrow keys move its cursor
    user.page.keyboard.press("ArrowLeft")
    expect(user.page).to_have_url(re.compile(r"variation=e1\+e2$"))
    user.page.keyboard.press("ArrowRight")
    expect(user.page).to_have_url(re.compile(r"variation=e1\+e2\+e3$"))
    user.page.get_by_role("button", name="One move back", exact=True).first.click()
    expect(branch.locator("[aria-current]")).to_have_text("e2")
    user.page.get_by_role("button", name="Remove the variation e1 e2 e3").click()
    expect(branch).to_have_count(0)
    expect(user.page.locator("[data-piece]")).to_have_count(1)
