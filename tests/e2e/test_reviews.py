"""The review of a match: computed once and shared, qualities of moves, better moves as variations, steps inside them."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Route, expect

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

SETTLING_MS = 1000
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


def test_on_a_phone_the_step_buttons_are_directly_below_the_board_and_go_through_a_variation(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", is_mobile=True
    )
    user = BrowserUser(context, server.url)
    open_review(user)
    pieces = user.page.locator("[data-piece]")
    expect(pieces).to_have_count(len(MOVES))
    buttons = {
        name: user.page.locator(f'button[aria-label="{name}"]:visible')
        for name in ("First position", "One move back", "One move forward", "Last position")
    }
    for button in buttons.values():
        expect(button).to_have_count(1)
    bar, board = buttons["One move back"].bounding_box(), user.map.bounding_box()
    assert bar is not None
    assert board is not None
    assert 0 <= bar["y"] - (board["y"] + board["height"]) < 200, "the buttons are directly below the board"
    assert bar["height"] >= 44, "a finger can hit them"
    for name, count in (("First position", 0), ("One move forward", 1), ("Last position", 6), ("One move back", 5)):
        buttons[name].tap()
        expect(pieces).to_have_count(count)
    user.click("b5")
    user.click("b4")  # answered when the position after b5 is there
    expect(pieces).to_have_count(7)
    buttons["One move back"].tap()
    expect(pieces).to_have_count(6)
    buttons["One move forward"].tap()
    expect(pieces).to_have_count(7)
    expect(user.page).to_have_url(re.compile(r"variation=b5\+b4$"))
    assert user.errors == []
    context.close()


def test_a_click_on_a_position_whose_moves_are_still_on_their_way_is_answered(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, service_workers="block")
    user = BrowserUser(context, server.url)
    open_review(user)
    pieces = user.page.locator("[data-piece]")
    expect(pieces).to_have_count(len(MOVES))
    user.page.wait_for_timeout(SETTLING_MS)  # the positions of the match are there, without their moves
    held: list[Route] = []
    is_holding = True

    def hold(route: Route) -> None:
        if is_holding:
            held.append(route)
        else:
            route.continue_()

    user.page.route("**/api/positions", hold)
    user.page.locator('button[aria-label="One move back"]:visible').tap()
    expect(pieces).to_have_count(5)
    user.click("b5")
    user.click("b4")
    is_holding = False
    assert held
    for route in held:
        route.continue_()
    expect(pieces).to_have_count(7)
    expect(user.page).to_have_url(re.compile(r"variation=b5\+b4$"))
    assert user.errors == []
    context.close()
