"""Whole games in a real browser: by mouse, by keyboard alone, through the text view alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.support.browser_user import INSIDE_OF, Visitor
from tests.support.server_process import Server

SMALL: ViewportSize = {"width": 420, "height": 700}  # drawing in space takes its time without a graphics card
# Specs, with a seed that makes a short game on all sides of the board.
WHOLE_GAMES = {"lariat-1x1": 0, "cube-lariat-2": 1024, "tether-3": 56, "laocoon-quick-7": 78, "liger-4": 28}


@pytest.mark.parametrize("spec", WHOLE_GAMES)
def test_a_whole_game_can_be_played_by_mouse_on_the_map(spec: str, visitor: Visitor) -> None:
    play_on(visitor, spec, visitor.click)


@pytest.mark.parametrize("spec", WHOLE_GAMES)
def test_a_whole_game_can_be_played_by_mouse_in_space(spec: str, browser: Browser, table: Server) -> None:
    context = browser.new_context(viewport=SMALL, reduced_motion="reduce")
    visitor = Visitor(context, table.url, views="solid")
    play_on(visitor, spec, visitor.click_in_space)
    assert visitor.map.count() == 0
    assert visitor.complaints == []
    context.close()


def play_on(visitor: Visitor, spec: str, choose: Callable[[str], None]) -> None:
    """Sit down and play moves by chance until the game is over."""
    chance = random.Random(WHOLE_GAMES[spec])
    visitor.sit_down(spec)
    cells = visitor.ask("GET", f"/games/{spec}")["move_cells"]
    match = visitor.match()
    while match["state"]["status"] == "playing":
        move = chance.choice(match["state"]["position"]["moves"])
        visitor.make(move, cells[move], choose)
        match = visitor.wait_for(len(match["moves"]) + 1)
    expect(visitor.prompt).to_contain_text("wins" if match["state"]["result"]["winner"] is not None else "Draw")
    expect(visitor.told.locator(".words")).to_contain_text(re.compile(r"(wins|Draw): \w+"))  # and the reason


def test_a_whole_game_can_be_played_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.sit_down("tether-3")
    while not visitor.map.evaluate("pane => pane === document.activeElement"):
        visitor.page.keyboard.press("Tab")
    steps = 0
    while visitor.match()["state"]["status"] == "playing":
        wanted = visitor.match()["state"]["position"]["moves"][0]
        steer(visitor, wanted)
        visitor.page.keyboard.press("Enter")
        steps += 1
        visitor.wait_for(steps)
    expect(visitor.prompt).to_contain_text("wins")


def steer(visitor: Visitor, wanted: str) -> None:
    """Move the cursor to a cell by arrow keys: first to its row, then along it."""
    board = visitor.ask("GET", "/games/tether-3")["board"]
    cells = zip(board["cells"], board["map"]["cells"], strict=True)
    places = {cell["name"]: drawn["placements"][0]["centre"] for cell, drawn in cells}
    shown = visitor.page.locator(".board[data-ready]")
    visitor.page.keyboard.press("ArrowUp")
    for _ in range(12):
        (x, y), (to_x, to_y) = places[shown.get_attribute("data-cursor") or ""], places[wanted]
        if abs(to_y - y) > 0.1:
            visitor.page.keyboard.press("ArrowDown" if to_y > y else "ArrowUp")
        elif abs(to_x - x) > 0.1:
            visitor.page.keyboard.press("ArrowRight" if to_x > x else "ArrowLeft")
        else:
            return
    raise AssertionError(f"the arrows do not lead to {wanted}")


def test_a_whole_game_can_be_played_through_the_text_view_alone(visitor: Visitor) -> None:
    visitor.sit_down("tether-3")
    visitor.page.get_by_label("Text view").check()
    steps = 0
    while (match := visitor.match())["state"]["status"] == "playing":
        move = match["state"]["position"]["moves"][-1]
        visitor.page.get_by_test_id("wish").fill(move)
        visitor.page.get_by_role("button", name="Explain the move").click()
        expect(visitor.page.get_by_test_id("answer")).to_contain_text(f"places on {move}")
        visitor.page.get_by_test_id("play-wish").click()
        steps += 1
        visitor.wait_for(steps)
        visitor.page.get_by_test_id("look").fill(move)
        position = match["state"]["position"]
        colour = position["colours"][position["seat"]]
        expect(visitor.page.get_by_test_id("looked")).to_contain_text(f"{move}: {colour} stone")
    expect(visitor.prompt).to_contain_text("wins")


def test_the_server_explains_a_move_before_it_is_made_and_a_refusal_with_its_witness(visitor: Visitor) -> None:
    visitor.sit_down("tether-5", moves=("c2", "a1", "d2", "a2", "b3", "a3", "d3", "a4", "b4", "c3"))
    x, y = visitor.page.evaluate(INSIDE_OF, "c4")
    visitor.page.mouse.move(x, y)
    expect(visitor.told).to_contain_text("captures 1 blue stone (c3)")
    expect(visitor.page.locator(".going")).to_have_count(1)
    visitor.click("c4")
    visitor.wait_for(11)
    visitor.click("c3")
    expect(visitor.told).to_contain_text("surrounded by red")
    assert visitor.page.locator(".reason").count() >= 6
    assert len(visitor.match()["moves"]) == 11


def test_a_move_that_names_two_cells_asks_for_the_second_and_for_the_kind(visitor: Visitor) -> None:
    visitor.sit_down("liger-6", moves=("b2-c3", "c5-b4", "c3-b4", "b6-c5"))
    visitor.click("b4")
    expect(visitor.page.locator(".choosable")).to_have_count(2)
    visitor.click("c5")
    expect(visitor.prompt).to_contain_text("Which of these moves?")
    visitor.page.get_by_role("button", name="b4=c5: both checkers").click()
    assert visitor.wait_for(5)["moves"][-1]["move"] == "b4=c5"
