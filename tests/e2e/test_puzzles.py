"""Puzzles on the page: ten are solved by hand, a losing move is refuted, hints and the solution are shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ropewalk.games.registry import game as game_of
from ropewalk.puzzles.library import load_library
from ropewalk.puzzles.puzzle import Puzzle
from tests.support.browser_user import BrowserUser

SAMPLE = "tether-63b5ad36"
MAX_TURNS = 3


def choose_puzzles(key: str) -> list[Puzzle]:
    """Return two short puzzles of a game: one of its smallest board in the library, one of its standard board."""
    found = [puzzle for puzzle in load_library().values() if puzzle.key == key and puzzle.turns <= MAX_TURNS]
    standard = game_of(key).spec
    return [found[0], next(puzzle for puzzle in reversed(found) if puzzle.spec == standard)]


def play(user: BrowserUser, puzzle: Puzzle, move: str) -> None:
    """Play a move by its cells, and by its button where several moves have the same cells."""
    for cell in user.request("GET", f"/games/{puzzle.spec}")["move_cells"][move]:
        user.click(cell)
    if user.page.locator(f'[data-move="{move}"]').count():
        user.page.locator(f'[data-move="{move}"]').click()


@pytest.mark.parametrize("key", ["lariat", "cube-lariat", "tether", "laocoon", "liger"])
def test_two_puzzles_of_a_game_are_solved_by_hand(key: str, user: BrowserUser) -> None:
    for puzzle in choose_puzzles(key):
        user.open_path(f"/puzzles/{puzzle.id}")
        expect(user.page.get_by_test_id("task")).to_contain_text("wins in")
        position = puzzle.position
        for move in puzzle.main_line:
            if position.seat == puzzle.seat:
                expect(user.page.locator(f'[data-position="{position}"]')).to_be_visible()
                play(user, puzzle, move)
            position = position.play(move)
        expect(user.page.get_by_test_id("end")).to_contain_text("Solved.")
        expect(user.page.get_by_test_id("end")).to_contain_text("wins:")
        expect(user.page.get_by_test_id("rating")).to_be_visible()


def test_a_losing_move_is_refuted_and_can_be_tried_again(user: BrowserUser) -> None:
    user.open_path(f"/puzzles/{SAMPLE}")
    expect(user.prompt).to_have_text("Find the winning move for red")
    user.click("b1")
    expect(user.page.get_by_test_id("said")).to_have_text("b1 does not win: g5 refutes it.")
    user.page.get_by_test_id("again").click()
    user.page.get_by_test_id("hint").click()
    expect(user.page.get_by_test_id("said")).to_contain_text("region")
    user.page.get_by_test_id("hint").click()
    expect(user.page.get_by_test_id("said")).to_have_text("Play g5.")
    user.click("g5")
    expect(user.page.get_by_test_id("said")).to_have_text("g5 wins. The strongest defence is b1.")
    user.page.reload()
    expect(user.prompt).to_have_text("Find the winning move for red")
    assert len(user.request("GET", f"/puzzles/{SAMPLE}")["attempt"]["moves"]) == 2, "an attempt is kept"


def test_the_menu_leads_to_the_puzzle_of_the_day_and_to_lists(user: BrowserUser) -> None:
    user.open_path("/")
    user.page.get_by_role("link", name="Puzzles").click()
    expect(user.page.get_by_test_id("daily")).to_be_visible()
    user.page.get_by_role("button", name="All puzzles: Tether").click()
    user.page.get_by_label("Theme").select_option("capture")
    entries = user.page.get_by_test_id("puzzles").get_by_role("link")
    expect(entries).to_have_count(len([p for p in load_library().values() if p.key == "tether" and p.theme == "capture"]))
    user.page.get_by_label("Theme").select_option("")
    user.page.get_by_label("Board").select_option("tether-13")
    expect(entries).to_have_count(len([p for p in load_library().values() if p.spec == "tether-13"]))
    entries.first.click()
    expect(user.page.get_by_test_id("task")).to_be_visible()
    user.page.locator(".words").get_by_role("link", name="Puzzles").click()
    expect(user.page.get_by_label("Board")).to_have_value("tether-13")
    entries.first.click()
    user.page.get_by_role("button", name="Show the solution").click()
    expect(user.page.get_by_test_id("end")).to_contain_text("All first moves that win")
    user.page.keyboard.press("ArrowRight")
    expect(user.page.locator(".step[aria-current]")).to_have_count(1)
    user.page.get_by_test_id("next").click()
    expect(user.page.get_by_test_id("hint")).to_be_enabled()
    assert "spec=tether-13" in user.page.url
