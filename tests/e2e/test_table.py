"""At the table: ratings, announcements, offers, invitations, hints and what the page says of them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, expect

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Server

FOCUSED = "document.activeElement.tagName"


def pinch(user: BrowserUser) -> None:
    """Spread two fingers on the map."""
    box = user.map.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = user.context.new_cdp_session(user.page)
    for kind, reach in (("touchStart", 20), ("touchMove", 40), ("touchMove", 80)):
        points = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


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
    state = other_user.play_move(match, "a7-a8", state)
    other_user.play_move(match, state["position"]["moves"][0], state)
    user.wait_for(7)
    log = user.page.get_by_test_id("announcements").locator("p")
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


def test_in_laocoon_the_disc_is_named_a_ring_stays_selected_and_the_board_does_not_jump(user: BrowserUser) -> None:
    match = user.start_match("laocoon-weave")
    expect(user.map.locator("path.choosable")).to_have_count(0)  # every space can be chosen
    place = user.map.bounding_box()
    state = user.get_match()["state"]
    for move in ("b3", "a7", "g1", "a3", "g1-h1"):
        state = user.play_move(match, move, state)
    user.wait_for(5)
    user.click("a7")
    user.click("e5")
    expect(user.message).to_contain_text("e5 is not next to a7")
    expect(user.map.locator("path.picked")).to_have_count(1)
    user.click("a8")
    user.wait_for(6)
    expect(user.prompt).to_have_text(re.compile("Black to move: place the (blue|purple|orange|yellow) disc"))
    expect(user.page.locator(".bar > svg")).to_have_count(1)
    assert user.map.bounding_box() == place


def test_the_letters_of_discs_are_those_of_their_colours_in_the_chosen_language(browser: Browser, server: Server) -> None:
    for language, letters in (("en", {"b", "p", "o", "y"}), ("de", {"b", "v", "o", "g"})):
        context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
        user = BrowserUser(context, server.url, language=language)
        user.start_match("laocoon-weave")
        expect(user.map.locator("text.letter")).to_have_count(64)
        assert set(user.map.locator("text.letter").all_text_contents()) == letters
        assert user.errors == []
        context.close()


def test_the_second_player_of_liger_sits_on_the_other_side_and_can_turn_the_board(user: BrowserUser) -> None:
    user.start_match("liger-6", {"kind": "bot", "level": 1}, seat=1)
    middle = (
        "cell => { const box = document.querySelector(`.touch [data-cell=${cell}]`).getBoundingClientRect(); return box.y }"
    )
    assert user.page.evaluate(middle, "b6") > user.page.evaluate(middle, "a1"), "blue's checkers are at the bottom"
    user.page.get_by_role("button", name="Turn the board").click()
    assert user.page.evaluate(middle, "b6") < user.page.evaluate(middle, "a1")


def test_a_move_on_a_hidden_face_turns_the_solid(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    user = BrowserUser(context, server.url, views="solid")
    match = user.start_match("cube-lariat-2")
    user.solid.wait_for()
    moves = user.get_match()["state"]["position"]["moves"]
    cell = user.solid.evaluate("(pane, moves) => moves.find(cell => pane.pointOn(cell) === null)", moves)
    assert cell is not None
    user.play_move(match, cell, user.get_match()["state"])
    user.wait_for(1)
    user.page.wait_for_function(
        "cell => document.querySelector('[data-view=solid] .solid').pointOn(cell) !== null", arg=cell
    )
    assert user.errors == []
    context.close()


def test_an_unknown_address_is_not_found_and_enter_in_the_account_form_logs_in(user: BrowserUser) -> None:
    response = user.page.goto(f"{user.url}/nowhere")
    assert response is not None
    assert response.status == 404
    expect(user.page.locator("h1")).to_have_text("There is no page at this address.")
    user.open_path("/settings")
    user.page.get_by_label("Name", exact=True).fill("Nobody Yet")
    user.page.get_by_label("Password", exact=True).fill("a long password")
    user.page.keyboard.press("Enter")
    expect(user.page.get_by_role("alert")).to_contain_text("Wrong name or password")
    assert user.request("GET", "/me")["user"] is None
    user.errors.clear()  # the browser itself notes both answers


def test_a_picture_contains_no_hints(user: BrowserUser) -> None:
    match = user.start_match("liger-6")
    user.open_path(f"/review/{match}")
    expect(user.map.locator("[data-piece]").first).to_be_attached()
    user.click("c1")
    expect(user.map.locator("path.choosable").first).to_be_attached()
    with user.page.expect_download() as downloaded:
        user.page.get_by_role("button", name="SVG").click()
    drawn = downloaded.value.path().read_text("utf-8")
    assert [name in drawn for name in ("data-piece", "choosable", "picked", "cursor")] == [True, False, False, False]


def test_on_a_phone_the_map_can_be_enlarged_and_the_home_page_scrolls_over_its_cube(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", is_mobile=True
    )
    user = BrowserUser(context, server.url, views="both")
    user.start_match("cube-lariat-4", moves=("Ua1",))
    whole = user.map.locator("svg.flat").get_attribute("viewBox")
    user.page.get_by_role("button", name="Zoom in").click()
    expect(user.map.locator("svg.flat")).not_to_have_attribute("viewBox", whole or "")
    user.page.get_by_test_id("zoom-reset").click()
    expect(user.map.locator("svg.flat")).to_have_attribute("viewBox", whole or "")
    pinch(user)
    expect(user.map.locator("svg.flat")).not_to_have_attribute("viewBox", whole or "")
    user.page.get_by_test_id("zoom-reset").click()
    back = user.page.locator('button[aria-label="One move back"]:visible')
    expect(back).to_have_count(1)
    bar, board = back.bounding_box(), user.map.bounding_box()
    assert bar is not None
    assert board is not None
    assert 0 <= bar["y"] - (board["y"] + board["height"]) < 200, "the buttons are directly below the board"
    user.open_path("/")
    cube = user.page.locator(".solid.spinning")
    assert cube.evaluate("pane => getComputedStyle(pane).touchAction") == "pan-y"
    assert user.errors == []
    context.close()
