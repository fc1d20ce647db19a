"""At the table: bots, friends by a link, clocks, swap, takeback, chat, a lost connection, rematch, review, the solid."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser_user import Visitor

PREPEND_OTHER_MAP = """() => {
  const other = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  other.classList.add("flat");
  document.body.prepend(other);
}"""


def test_one_click_on_the_home_page_starts_a_game_and_the_bot_answers(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.get_by_role("button", name="Play now: Liger").click()
    expect(visitor.prompt).to_contain_text("Your turn: you play red")
    visitor.click("c3")
    visitor.click("d4")
    match = visitor.wait_for(2)
    assert [played["seat"] for played in match["moves"]] == [0, 1]
    expect(visitor.prompt).to_contain_text("Your turn")


def test_two_browsers_meet_by_a_link_with_clocks_chat_takeback_and_rematch(visitor: Visitor, friend: Visitor) -> None:
    visitor.go("/new?game=tether&opponent=invitation")
    visitor.page.get_by_label("Board").select_option("own")
    visitor.page.get_by_role("spinbutton", name="Size").fill("9")
    visitor.page.get_by_label("Clock").select_option(label="10 min + 10 s")
    visitor.page.get_by_role("button", name="Start").click()
    link = visitor.page.get_by_test_id("invitation").inner_text()
    friend.go("/" + link.split("/", 3)[3])
    friend.page.get_by_role("button", name="Accept and play").click()
    expect(friend.prompt).to_contain_text("Red to move")
    expect(visitor.prompt).to_contain_text("Your turn")
    visitor.click("e5")
    friend.wait_for(1)
    friend.click("d6")
    visitor.wait_for(2)
    expect(visitor.page.locator(".clock.running")).to_have_text(re.compile(r"(9:5\d|10:\d\d)"))

    friend.page.get_by_placeholder("Write a message").fill("<b>hello</b>")
    friend.page.get_by_role("button", name="Send").click()
    expect(visitor.page.get_by_text("<b>hello</b>")).to_be_visible()

    visitor.page.get_by_role("button", name="Take back").click()
    friend.page.get_by_role("button", name="Accept").click()
    assert visitor.wait_for(0)["state"]["seat"] == 0

    visitor.click("d5")
    friend.wait_for(1)
    friend.click("f6")
    visitor.wait_for(2)
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Yes").click()
    expect(friend.prompt).to_contain_text("You win by resignation")
    visitor.page.get_by_role("button", name="Rematch").click()
    friend.page.get_by_role("button", name="Join the rematch").click()
    expect(friend.prompt).to_contain_text("Your turn: you play red")


def test_every_game_shows_its_own_options_and_a_board_that_cannot_be_is_refused_with_the_reason(visitor: Visitor) -> None:
    visitor.go("/new?game=laocoon&opponent=self")
    visitor.page.get_by_label("Setup").select_option("random, quick")
    visitor.page.get_by_label("Number of the setup").fill("7")
    visitor.page.locator("form select").first.select_option("Liger")
    visitor.page.get_by_label("Board").select_option("custom size")
    visitor.page.get_by_role("spinbutton", name="Size").fill("4")
    expect(visitor.page.get_by_role("alert")).to_contain_text("rows")
    visitor.page.get_by_label("Rows of checkers").fill("1")
    visitor.page.get_by_label("third occurrence").uncheck()
    expect(visitor.page.get_by_role("alert")).to_have_count(0)
    visitor.page.get_by_role("button", name="Start").click()
    expect(visitor.prompt).to_contain_text("Red to move")
    assert visitor.match()["spec"] == "liger-4-norepetition"
    visitor.complaints.clear()  # the browser itself notes that a board was refused


def test_swap_exchanges_the_colours_and_keeps_the_seats(visitor: Visitor) -> None:
    visitor.sit_down("cube-lariat-2", moves=("UF1",))
    visitor.page.get_by_role("button", name="Swap colours").click()
    match = visitor.wait_for(2)
    assert match["state"]["colours"] == ["white", "black"]
    assert [visitor.page.locator(f'[data-seat="{seat}"]').inner_text().split()[-3] for seat in (0, 1)] == ["white", "black"]


def test_a_lost_connection_comes_back_with_what_was_missed(visitor: Visitor) -> None:
    match = visitor.sit_down("tether-5")
    visitor.context.set_offline(True)
    visitor.page.evaluate("dispatchEvent(new Event('offline'))")
    other = visitor.context.request
    action = {"type": "move", "move": "c3", "position_version": 1}
    answer = other.post(f"{visitor.url}/api/matches/{match}/actions", headers={"X-Ropewalk": "1"}, data=action)
    assert answer.ok, answer.text()
    visitor.context.set_offline(False)
    visitor.wait_for(1)
    visitor.click("b2")
    visitor.wait_for(2)


def test_the_address_names_the_position_that_is_shown(visitor: Visitor) -> None:
    match = visitor.sit_down("tether-5", moves=("c3", "b2", "d4"))
    visitor.page.get_by_role("button", name="One move back").click()
    expect(visitor.page).to_have_url(re.compile(f"/match/{match}/2$"))
    expect(visitor.page.locator("[data-piece]")).to_have_count(2)
    visitor.page.reload()
    expect(visitor.page.locator("[data-piece]")).to_have_count(2)
    visitor.click("e1")
    expect(visitor.page).to_have_url(re.compile(f"/match/{match}/2[?]variation=e1$"))
    expect(visitor.page.locator("[data-piece]")).to_have_count(3)
    visitor.page.go_back()
    expect(visitor.page.locator("[data-piece]")).to_have_count(2)
    assert len(visitor.match()["moves"]) == 3


def test_a_finished_game_can_be_reviewed(visitor: Visitor) -> None:
    match = visitor.sit_down("tether-3")
    while (shown := visitor.match())["state"]["status"] == "playing":
        visitor.click(shown["state"]["position"]["moves"][0])
        visitor.wait_for(len(shown["moves"]) + 1)
    visitor.page.get_by_role("link", name="Review the match").click()
    expect(visitor.page).to_have_url(re.compile(f"/review/{match}$"))
    visitor.page.get_by_role("button", name="First position").click()
    expect(visitor.page.locator("[data-piece]")).to_have_count(0)
    visitor.page.get_by_role("switch", name="Live analysis").click()
    expect(visitor.page.get_by_test_id("value")).to_have_text("Red 100%, proven")
    expect(visitor.page.get_by_role("list", name="Best moves").locator("li").first).to_contain_text("100%, proven")
    expect(visitor.page.locator(".heat").first).to_be_attached()
    with visitor.page.expect_download() as drawn:
        visitor.page.get_by_test_id("gif").click()
    assert drawn.value.path().read_bytes().startswith(b"GIF89a")


def test_the_picture_of_a_review_shows_its_own_board(visitor: Visitor) -> None:
    match = visitor.sit_down("tether-5", moves=("c3", "b2"))
    visitor.go(f"/review/{match}")
    expect(visitor.map.locator("[data-piece]")).to_have_count(2)
    visitor.page.evaluate(PREPEND_OTHER_MAP)
    picture = visitor.page.get_by_role("button", name="SVG")
    with visitor.page.expect_download() as downloaded:
        picture.click()
    assert downloaded.value.suggested_filename == "tether-5-2.svg"
    drawn = downloaded.value.path().read_text("utf-8")
    assert [f'data-piece="{cell}"' in drawn for cell in ("b2", "c3", "a1")] == [True, True, False]
    visitor.page.get_by_role("button", name="3D view").click()
    expect(picture).to_be_disabled()  # there is no map now
    visitor.page.get_by_role("button", name="Map").click()
    expect(picture).to_be_enabled()


def test_the_solid_turns_and_takes_a_click_where_the_map_does(visitor: Visitor) -> None:
    visitor.sit_down("cube-lariat-2")
    visitor.page.get_by_role("button", name="3D view").click()
    board = visitor.page.locator('.board[data-ready="true"]')
    expect(board).to_be_visible()
    box = visitor.page.locator('[data-view="solid"]').bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.mouse.move(*middle)
    expect(board).to_have_attribute("data-cursor", re.compile("."))
    before = board.get_attribute("data-cursor")
    visitor.page.mouse.down()
    visitor.page.mouse.move(middle[0] - 260, middle[1], steps=4)
    visitor.page.mouse.up()
    visitor.page.mouse.move(middle[0] + 1, middle[1] + 1)
    expect(board).not_to_have_attribute("data-cursor", before or "")
    here = board.get_attribute("data-cursor")
    visitor.page.mouse.click(middle[0] + 1, middle[1] + 1)
    assert visitor.wait_for(1)["moves"][0]["move"] == here
