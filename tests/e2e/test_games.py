"""Whole games in a real browser: by mouse, by keyboard alone, through the text view alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.support.browser_user import INSIDE_OF, BrowserUser
from tests.support.server_process import Server

SMALL: ViewportSize = {"width": 420, "height": 700}  # drawing in space takes its time without a graphics card
# Specs, with a seed that makes a short game on all sides of the board.
WHOLE_GAMES = {"lariat-1x1": 0, "cube-lariat-2": 1024, "tether-3": 56, "laocoon-quick-7": 78, "liger-4": 28}


@pytest.mark.parametrize("spec", WHOLE_GAMES)
def test_a_whole_game_can_be_played_by_mouse_on_the_map(spec: str, user: BrowserUser) -> None:
    play_on(user, spec, user.click)


@pytest.mark.parametrize("spec", WHOLE_GAMES)
def test_a_whole_game_can_be_played_by_mouse_in_space(spec: str, browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport=SMALL, reduced_motion="reduce")
    user = BrowserUser(context, server.url, views="solid")
    play_on(user, spec, user.click_solid)
    assert user.map.count() == 0
    assert user.errors == []
    context.close()


def play_on(user: BrowserUser, spec: str, choose: Callable[[str], None]) -> None:
    """Sit down and play moves by chance until the game is over."""
    chance = random.Random(WHOLE_GAMES[spec])
    user.start_match(spec)
    cells = user.request("GET", f"/games/{spec}")["move_cells"]
    match = user.get_match()
    while match["state"]["status"] == "playing":
        move = chance.choice(match["state"]["position"]["moves"])
        user.make_move(move, cells[move], choose)
        match = user.wait_for(len(match["moves"]) + 1)
    expect(user.prompt).to_contain_text("wins" if match["state"]["result"]["winner"] is not None else "Draw")
    expect(user.message.locator(".words")).to_contain_text(re.compile(r"(wins|Draw): \w+"))  # and the reason


def test_a_whole_game_can_be_played_by_keyboard_alone(user: BrowserUser) -> None:
    user.start_match("tether-3")
    while not user.map.evaluate("pane => pane === document.activeElement"):
        user.page.keyboard.press("Tab")
    steps = 0
    while user.get_match()["state"]["status"] == "playing":
        wanted = user.get_match()["state"]["position"]["moves"][0]
        steer(user, wanted)
        user.page.keyboard.press("Enter")
        steps += 1
        user.wait_for(steps)
    expect(user.prompt).to_contain_text("wins")


def steer(user: BrowserUser, wanted: str) -> None:
    """Move the cursor to a cell by arrow keys: first to its row, then along it."""
    board = user.request("GET", "/games/tether-3")["board"]
    cells = zip(board["cells"], board["map"]["cells"], strict=True)
    places = {cell["name"]: drawn["placements"][0]["centre"] for cell, drawn in cells}
    shown = user.page.locator(".board[data-ready]")
    user.page.keyboard.press("ArrowUp")
    for _ in range(12):
        (x, y), (to_x, to_y) = places[shown.get_attribute("data-cursor") or ""], places[wanted]
        if abs(to_y - y) > 0.1:
            user.page.keyboard.press("ArrowDown" if to_y > y else "ArrowUp")
        elif abs(to_x - x) > 0.1:
            user.page.keyboard.press("ArrowRight" if to_x > x else "ArrowLeft")
        else:
            return
    raise AssertionError(f"the arrows do not lead to {wanted}")


def test_a_whole_game_can_be_played_through_the_text_view_alone(user: BrowserUser) -> None:
    user.start_match("tether-3")
    user.page.get_by_label("Text view").check()
    steps = 0
    while (match := user.get_match())["state"]["status"] == "playing":
        move = match["state"]["position"]["moves"][-1]
        user.page.get_by_test_id("wish").fill(move)
        user.page.get_by_role("button", name="Explain the move").click()
        expect(user.page.get_by_test_id("answer")).to_contain_text(f"places on {move}")
        user.page.get_by_test_id("play-wish").click()
        steps += 1
        user.wait_for(steps)
        user.page.get_by_test_id("look").fill(move)
        position = match["state"]["position"]
        colour = position["colours"][position["seat"]]
        expect(user.page.get_by_test_id("looked")).to_contain_text(f"{move}: {colour} stone")
    expect(user.prompt).to_contain_text("wins")


def test_the_server_explains_a_move_before_it_is_made_and_a_refusal_with_its_witness(user: BrowserUser) -> None:
    user.start_match("tether-5", moves=("c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3"))
    x, y = user.page.evaluate(INSIDE_OF, "c4")
    user.page.mouse.move(x, y)
    expect(user.message).to_contain_text("captures 1 blue stone (c3)")
    expect(user.page.locator(".going")).to_have_count(1)
    user.click("c4")
    user.wait_for(11)
    user.click("c3")
    expect(user.message).to_contain_text("surrounded by red")
    assert user.page.locator(".reason").count() >= 6
    assert len(user.get_match()["moves"]) == 11


def test_a_move_that_names_two_cells_asks_for_the_second_and_for_the_kind(user: BrowserUser) -> None:
    user.start_match("liger-6", moves=("b2-c3", "c5-b4", "c3-b4", "b6-c5"))
    user.click("b4")
    expect(user.page.locator(".choosable")).to_have_count(2)
    user.click("c5")
    expect(user.prompt).to_contain_text("Which of these moves?")
    user.page.get_by_role("button", name="b4=c5: both checkers").click()
    assert user.wait_for(5)["moves"][-1]["move"] == "b4=c5"
