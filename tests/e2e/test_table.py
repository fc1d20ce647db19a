"""At the table: ratings, announcements, offers, invitations, hints and what the page says of them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser

FOCUSED = "document.activeElement.tagName"


def start_with(user: BrowserUser, other: BrowserUser, spec: str, **settings: Any) -> str:
    """Create a match by invitation, let the other user accept it, open it in both browsers, and return its id."""
    made = user.request("POST", "/matches", spec=spec, opponent={"kind": "invitation"}, seat=0, **settings)
    other.request("POST", f"/invitations/{made['invitation']}/accept")
    match = str(made["match"]["id"])
    for each in (user, other):
        each.open_path(f"/match/{match}")
        expect(each.prompt).not_to_be_empty()
    return match


def test_a_rated_match_shows_ratings_and_at_its_end_how_they_changed(user: BrowserUser, other_user: BrowserUser) -> None:
    for each, name in ((user, "Rating One"), (other_user, "Rating Two")):
        each.request("POST", "/accounts", name=name, password="a long password")
    match = start_with(user, other_user, "tether-3", rated=True)
    expect(user.page.get_by_text("rated", exact=False).first).to_be_visible()
    expect(user.page.locator('[data-seat="0"]').get_by_test_id("rating")).to_have_text("1500?")
    user.open_path(f"/review/{match}")
    expect(user.page.get_by_test_id("no-engine")).to_be_visible()
    expect(user.page.get_by_role("switch", name="Live analysis")).to_have_count(0)
    user.open_path(f"/match/{match}")
    other_user.request("POST", f"/matches/{match}/actions", type="resign")
    expect(user.prompt).to_contain_text("You win by resignation")
    expect(user.page.locator('[data-seat="0"]').get_by_test_id("rating")).to_have_text(re.compile(r"1[56]\d\d\? \+\d+"))
    expect(other_user.page.locator('[data-seat="0"]').get_by_test_id("rating")).to_contain_text("+")


def test_moves_of_the_opponent_are_announced_in_words_and_answers_to_offers_are_told(
    user: BrowserUser, other_user: BrowserUser
) -> None:
    match = start_with(user, other_user, "laocoon-weave")
    name = other_user.request("GET", "/me")["user"]["name"]
    state = user.get_match()["state"]
    for player, move in zip((user, other_user) * 2, ("b3", "a7", "g1", "a3"), strict=True):
        state = player.play_move(match, move, state)
    state = user.play_move(match, "g1-h1", state)
    for move in ("a7-a8", state["position"]["moves"][0]):
        if move != "a7-a8":
            move = state["position"]["moves"][0]
        state = other_user.play_move(match, move, state)
    user.wait_for(7)
    log = user.page.get_by_test_id("announcements").locator("li")
    expect(log.nth(-2)).to_have_text(f"{name} moves from a7 to a8.")
    expect(log.nth(-1)).to_contain_text(f"{name} places the disc on")
    expect(user.map.locator("path.last")).to_have_count(3)
    user.page.get_by_role("button", name="Offer a draw").click()
    other_user.page.get_by_role("button", name="Decline").click()
    expect(user.page.get_by_test_id("answer-to-offer")).to_have_text(f"{name} declines the draw.")


def test_a_withdrawn_invitation_offers_neither_rematch_nor_review_and_its_link_is_shown_in_every_tab(
    user: BrowserUser,
) -> None:
    user.open_path("/new?game=tether&opponent=invitation")
    user.page.get_by_role("button", name="Start").click()
    link = user.page.get_by_test_id("invitation").input_value()
    second_tab = user.context.new_page()
    second_tab.goto(user.page.url)
    expect(second_tab.get_by_test_id("invitation")).to_have_value(link)
    second_tab.close()
    user.page.get_by_role("button", name="Withdraw").click()
    expect(user.prompt).to_contain_text("This match does not count")
    expect(user.page.get_by_role("button", name="Rematch")).to_have_count(0)
    expect(user.page.get_by_role("link", name="Review the match")).to_have_count(0)


def test_after_play_now_the_heading_has_the_focus_and_a_click_out_of_turn_is_answered(
    user: BrowserUser, other_user: BrowserUser
) -> None:
    user.open_path("/")
    user.page.get_by_role("button", name="Play now: Tether").click()
    expect(user.prompt).to_contain_text("Your turn")
    assert user.page.evaluate(FOCUSED) == "H1"
    start_with(user, other_user, "tether-5")
    other_user.click("c3")
    expect(other_user.message).to_contain_text("It is not your turn")
    user.click("c3")
    expect(other_user.prompt).to_contain_text("Your turn")
    expect(other_user.message).not_to_contain_text("It is not your turn")
    expect(other_user.page.get_by_test_id("scores")).to_have_text("Territory: red 0, blue 0; 13 wins")
