"""Conditional moves on the page: entered on the board, listed, replaced, deleted, and played by the server."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.e2e.test_table import start_with
from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

THREE_DAYS = {"kind": "days", "days": 3}


def enter_line(user: BrowserUser, *cells: str) -> None:
    """Enter a line of conditional moves on the board, and save it."""
    user.page.get_by_role("button", name="Add a line").click()
    for number, cell in enumerate(cells):
        expect(user.prompt).to_have_text(
            "Choose your answer" if number % 2 else "Choose a move that you expect from your opponent"
        )
        user.click(cell)
    user.page.get_by_role("button", name="Save this line").click()
    expect(user.page.get_by_role("button", name=f"Show {' '.join(cells)}")).to_be_visible()


def test_a_line_is_entered_on_the_board_replaced_and_deleted_and_the_answer_is_played(
    user: BrowserUser, other_user: BrowserUser
) -> None:
    match = start_with(user, other_user, "tether-5", clock=THREE_DAYS)
    card = user.page.get_by_test_id("conditional-moves")
    card.locator("summary").click()
    expect(card).to_contain_text("You can add lines while it is your opponent")
    user.click("c3")
    user.wait_for(1)
    user.page.get_by_role("button", name="Add a line").click()
    user.click("a1")
    expect(user.page.get_by_role("button", name="Save this line")).to_be_disabled()
    expect(card).to_contain_text("A line ends with a move of yours.")
    user.page.get_by_role("button", name="Cancel").click()
    expect(user.page.locator("[data-piece]")).to_have_count(1)

    enter_line(user, "a1", "b2")
    enter_line(user, "e5", "d4")
    enter_line(user, "a1", "b1", "a2", "b3")  # another answer to a1
    expect(user.page.get_by_role("button", name="Show a1 b2")).to_have_count(0)
    user.page.reload()
    expect(card).to_contain_text("Conditional moves (2)")
    user.page.get_by_role("button", name="Show e5 d4").click()
    expect(user.page.locator("[data-piece]")).to_have_count(3)
    user.page.get_by_role("button", name="Delete e5 d4").click()
    expect(card).to_contain_text("Conditional moves (1)")
    other_user.open_path(f"/match/{match}")
    expect(other_user.page.get_by_test_id("conditional-moves")).not_to_contain_text("a1 b1")

    other_user.click("a1")
    user.wait_for(3)
    assert [played["move"] for played in other_user.wait_for(3)["moves"]] == ["c3", "a1", "b1"]
    expect(user.page.get_by_role("button", name="Show a2 b3")).to_be_visible()
    other_user.click("e1")  # the match leaves the line
    user.wait_for(4)
    expect(card).to_contain_text("There are no lines.")


def test_lines_are_entered_in_german_on_a_phone_and_matches_with_a_clock_have_none(
    browser: Browser, server: Server, other_user: BrowserUser
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", is_mobile=True
    )
    user = BrowserUser(context, server.url, language="de")
    start_with(user, other_user, "laocoon-weave", clock=THREE_DAYS)
    state = user.get_match()["state"]
    user.play_move(user.page.url.split("/")[-1], "b3", state)
    card = user.page.get_by_test_id("conditional-moves")
    card.locator("summary").click()
    card.get_by_role("button", name="Zugfolge hinzufügen").click()
    expect(user.prompt).to_have_text("Wähle einen Zug, den du vom Gegner erwartest")
    user.click("a7")
    expect(user.prompt).to_have_text("Wähle deine Antwort")
    user.click("g1")
    user.page.get_by_role("button", name="Zugfolge speichern").click()
    expect(card.get_by_role("button", name="a7 g1 zeigen")).to_be_visible()
    start_with(user, other_user, "tether-3", clock={"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5})
    expect(card).to_have_count(0)
    assert user.errors == []
    context.close()
