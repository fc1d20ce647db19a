"""At the table: bots, friends by a link, clocks, swap, takeback, chat, a lost connection, rematch, review, the solid."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser

PREPEND_OTHER_MAP = """() => {
  const other = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  other.classList.add("flat");
  document.body.prepend(other);
}"""


def test_one_click_on_the_home_page_starts_a_game_and_the_bot_answers(user: BrowserUser) -> None:
    user.open_path("/")
    user.page.get_by_role("button", name="Play now: Liger").click()
    expect(user.prompt).to_contain_text("Your turn: you play red")
    user.click("c3")
    user.click("d4")
    match = user.wait_for(2)
    assert [played["seat"] for played in match["moves"]] == [0, 1]
    expect(user.prompt).to_contain_text("Your turn")


def test_one_click_on_the_home_page_starts_lariat_with_the_pie_rule(user: BrowserUser) -> None:
    user.open_path("/")
    user.page.get_by_role("button", name="Play now: Lariat").click()
    expect(user.prompt).to_contain_text("Your turn")
    assert user.get_match()["spec"] == "lariat-2x10-pie"


def test_two_browsers_meet_by_a_link_with_clocks_chat_takeback_and_rematch(
    user: BrowserUser, other_user: BrowserUser
) -> None:
    user.open_path("/new?game=tether&opponent=invitation")
    user.page.get_by_label("Board").select_option("own")
    user.page.get_by_role("spinbutton", name="Size").fill("9")
    user.page.get_by_label("Clock").select_option(label="10 min + 10 s")
    user.page.get_by_role("button", name="Start").click()
    link = user.page.get_by_test_id("invitation").input_value()
    other_user.open_path("/" + link.split("/", 3)[3])
    other_user.page.get_by_role("button", name="Accept and play").click()
    expect(other_user.prompt).to_contain_text("Red to move")
    expect(user.prompt).to_contain_text("Your turn")
    user.click("e5")
    other_user.wait_for(1)
    other_user.click("d6")
    user.wait_for(2)
    expect(user.page.locator(".clock.running")).to_have_text(re.compile(r"(9:5\d|10:\d\d)"))

    other_user.page.get_by_placeholder("Write a message").fill("<b>hello</b>")
    other_user.page.get_by_role("button", name="Send").click()
    expect(user.page.get_by_text("<b>hello</b>")).to_be_visible()

    user.page.get_by_role("button", name="Take back").click()
    other_user.page.get_by_role("button", name="Accept").click()
    assert user.wait_for(0)["state"]["seat"] == 0

    user.click("d5")
    other_user.wait_for(1)
    other_user.click("f6")
    user.wait_for(2)
    user.page.get_by_role("button", name="Resign").click()
    user.page.get_by_role("button", name="Yes").click()
    expect(other_user.prompt).to_contain_text("You win by resignation")
    user.page.get_by_role("button", name="Rematch").click()
    other_user.page.get_by_role("button", name="Join the rematch").click()
    expect(other_user.prompt).to_contain_text("Your turn: you play red")


def test_every_game_shows_its_own_options_and_a_board_that_cannot_be_is_refused_with_the_reason(user: BrowserUser) -> None:
    user.open_path("/new?game=laocoon&opponent=self")
    user.page.get_by_label("Setup").select_option("random, quick")
    user.page.get_by_label("Number of the setup").fill("7")
    user.page.locator("form select").first.select_option("Liger")
    user.page.get_by_label("Board").select_option("custom size")
    user.page.get_by_role("spinbutton", name="Size").fill("4")
    expect(user.page.get_by_role("alert")).to_contain_text("rows")
    user.page.get_by_label("Rows of checkers").fill("1")
    user.page.get_by_label("third occurrence").uncheck()
    expect(user.page.get_by_role("alert")).to_have_count(0)
    user.page.get_by_role("button", name="Start").click()
    expect(user.prompt).to_contain_text("Red to move")
    assert user.get_match()["spec"] == "liger-4-norepetition"
    user.errors.clear()  # the browser itself notes that a board was refused


def test_swap_exchanges_the_colours_and_keeps_the_seats(user: BrowserUser) -> None:
    user.start_match("cube-lariat-2", moves=("UF1",))
    user.page.get_by_role("button", name="Swap colours").click()
    match = user.wait_for(2)
    assert match["state"]["colours"] == ["white", "black"]
    assert [user.page.locator(f'[data-seat="{seat}"]').inner_text().split()[-3] for seat in (0, 1)] == ["white", "black"]


def test_a_lost_connection_comes_back_with_what_was_missed(user: BrowserUser) -> None:
    match = user.start_match("tether-5")
    user.context.set_offline(True)
    user.page.evaluate("dispatchEvent(new Event('offline'))")
    other = user.context.request
    action = {"type": "move", "move": "c3", "position_version": 1}
    answer = other.post(f"{user.url}/api/matches/{match}/actions", headers={"X-Ropewalk": "1"}, data=action)
    assert answer.ok, answer.text()
    user.context.set_offline(False)
    user.wait_for(1)
    user.click("b2")
    user.wait_for(2)


def test_the_address_names_the_position_that_is_shown(user: BrowserUser) -> None:
    match = user.start_match("tether-5", moves=("c3", "b2", "d4"))
    user.page.get_by_role("button", name="One move back").click()
    expect(user.page).to_have_url(re.compile(f"/match/{match}/2$"))
    expect(user.page.locator("[data-piece]")).to_have_count(2)
    user.page.reload()
    expect(user.page.locator("[data-piece]")).to_have_count(2)
    user.click("e1")
    expect(user.page).to_have_url(re.compile(f"/match/{match}/2[?]variation=e1$"))
    expect(user.page.locator("[data-piece]")).to_have_count(3)
    user.page.go_back()
    expect(user.page.locator("[data-piece]")).to_have_count(2)
    assert len(user.get_match()["moves"]) == 3


def test_a_finished_game_can_be_reviewed(user: BrowserUser) -> None:
    match = user.start_match("tether-3")
    while (shown := user.get_match())["state"]["status"] == "playing":
        user.click(shown["state"]["position"]["moves"][0])
        user.wait_for(len(shown["moves"]) + 1)
    user.page.get_by_role("link", name="Review the match").click()
    expect(user.page).to_have_url(re.compile(f"/review/{match}$"))
    user.page.get_by_role("button", name="First position").click()
    expect(user.page.locator("[data-piece]")).to_have_count(0)
    user.page.get_by_role("switch", name="Live analysis").click()
    expect(user.page.get_by_test_id("value")).to_have_text("Red 100%, proven")
    expect(user.page.get_by_role("list", name="Best moves").locator("li").first).to_contain_text("100%, proven")
    expect(user.page.locator(".heat").first).to_be_attached()
    with user.page.expect_download() as drawn:
        user.page.get_by_test_id("gif").click()
    assert drawn.value.path().read_bytes().startswith(b"GIF89a")


def test_the_picture_of_a_review_shows_its_own_board(user: BrowserUser) -> None:
    match = user.start_match("tether-5", moves=("c3", "b2"))
    user.open_path(f"/review/{match}")
    expect(user.map.locator("[data-piece]")).to_have_count(2)
    user.page.evaluate(PREPEND_OTHER_MAP)
    picture = user.page.get_by_role("button", name="SVG")
    with user.page.expect_download() as downloaded:
        picture.click()
    assert downloaded.value.suggested_filename == "tether-5-2.svg"
    drawn = downloaded.value.path().read_text("utf-8")
    assert [f'data-piece="{cell}"' in drawn for cell in ("b2", "c3", "a1")] == [True, True, False]
    user.page.get_by_role("button", name="3D view").click()
    expect(picture).to_be_disabled()  # there is no map now
    user.page.get_by_role("button", name="Map").click()
    expect(picture).to_be_enabled()


def test_the_solid_turns_and_takes_a_click_where_the_map_does(user: BrowserUser) -> None:
    user.start_match("cube-lariat-2")
    user.page.get_by_role("button", name="3D view").click()
    board = user.page.locator('.board[data-ready="true"]')
    expect(board).to_be_visible()
    box = user.page.locator('[data-view="solid"]').bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    user.page.mouse.move(*middle)
    expect(board).to_have_attribute("data-cursor", re.compile("."))
    before = board.get_attribute("data-cursor")
    user.page.mouse.down()
    user.page.mouse.move(middle[0] - 260, middle[1], steps=4)
    user.page.mouse.up()
    user.page.mouse.move(middle[0] + 1, middle[1] + 1)
    expect(board).not_to_have_attribute("data-cursor", before or "")
    here = board.get_attribute("data-cursor")
    user.page.mouse.click(middle[0] + 1, middle[1] + 1)
    assert user.wait_for(1)["moves"][0]["move"] == here


def test_the_home_page_compares_the_games_when_it_is_asked(user: BrowserUser) -> None:
    user.open_path("/")
    expect(user.page.get_by_test_id("comparison")).to_have_count(0)
    user.page.get_by_text("Which game is for me?").click()
    rows = user.page.get_by_test_id("comparison").locator("tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.filter(has_text="Alain Couchot and Bernard Klein")).to_contain_text("possible, by repetition")
    expect(rows.filter(has_text="Mark Steere")).to_have_count(4)
    rows.first.get_by_role("link").click()
    user.page.wait_for_url("**/learn/*")
