"""Every lesson can be taken to its end: the first by the moves that it asks for, the others also by their solutions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser

# For each step with a task: the cells to click, or a button's words.
ANSWERS: dict[str, dict[int, list[str]]] = {
    "lariat": {2: ["b1"], 3: ["a1"], 4: ["e1"], 5: ["d6"]},
    "cube-lariat": {2: ["Fa1"], 3: ["Swap colours"], 4: ["UF1"]},
    "tether": {2: ["c3"], 3: ["c4"], 4: ["c3"], 5: ["d3"]},
    "laocoon": {2: ["d4"], 3: ["h4"], 4: ["g1", "h1"], 5: ["b1"], 6: ["f6"]},
    "liger": {2: ["b2", "c3"], 3: ["b4", "c5", "b4=c5: both checkers"], 4: ["b4", "c3"], 5: ["d6"]},
}
LENGTHS = {"lariat": 5, "cube-lariat": 4, "tether": 5, "laocoon": 6, "liger": 5}


@pytest.mark.parametrize("game", ANSWERS)
def test_a_lesson_can_be_taken_to_its_end(game: str, user: BrowserUser) -> None:
    user.open_path(f"/learn/{game}/basics/1")
    for step in range(1, LENGTHS[game] + 1):
        expect(user.page.get_by_text(f"{step} of {LENGTHS[game]}")).to_be_visible()
        answer = ANSWERS[game].get(step)
        onward = user.page.get_by_test_id("next" if step < LENGTHS[game] else "finish")
        if answer:
            expect(user.prompt).to_have_text("Your turn")
            assert onward.count() == 0 or onward.is_disabled()
            for what in answer:
                if " " in what:
                    user.page.get_by_role("button", name=what).click()
                else:
                    user.click(what)
            expect(user.prompt).to_have_text("Correct.")
        if step < LENGTHS[game]:
            onward.click()
    expect(user.page.get_by_test_id("finish")).to_be_visible()


def test_a_legal_move_that_is_not_the_one_asked_for_is_told_apart(user: BrowserUser) -> None:
    user.open_path("/learn/tether/basics/3")
    expect(user.prompt).to_have_text("Your turn")
    user.click("e5")
    expect(user.prompt).to_contain_text("not the solution")
    user.page.get_by_role("button", name="Try again").click()
    user.click("c4")
    expect(user.prompt).to_have_text("Correct.")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[] if game == "tether" else pytest.mark.slow) for game in ANSWERS]
)
def test_hints_and_solutions_lead_through_all_lessons_to_the_puzzles(game: str, user: BrowserUser) -> None:
    page = user.page
    user.open_path(f"/learn/{game}/tactics/1")
    for lesson in ("Tactics", "Strategy"):
        expect(page.get_by_text(f"{lesson} · 1 of 4")).to_be_visible()
        for step in range(1, 5):
            expect(page.get_by_text(f"{step} of 4")).to_be_visible()
            if page.get_by_test_id("show").count():
                expect(page.get_by_test_id("show")).to_be_enabled()
                page.get_by_test_id("hint").click()
                expect(page.get_by_test_id("hint")).to_have_count(0)
                page.get_by_test_id("show").click()
                expect(user.prompt).to_contain_text("The solution is")
            if step < 4:
                page.get_by_test_id("next").click()
        if lesson == "Tactics":
            page.get_by_test_id("following").click()
    page.get_by_test_id("puzzles").click()
    expect(page).to_have_url(re.compile(rf"/puzzles\?game={game}&theme="))


def test_progress_is_kept_and_a_finished_lesson_is_marked(user: BrowserUser) -> None:
    page = user.page
    user.open_path("/learn/tether/strategy/4")
    page.get_by_test_id("show").click()
    expect(page.get_by_test_id("puzzles")).to_be_visible()
    user.open_path("/learn/tether/tactics/2")
    expect(user.prompt).to_have_text("Your turn")
    user.open_path("/learn")
    expect(page.get_by_role("link", name="Tether: Strategy, finished")).to_be_visible()
    page.get_by_role("link", name="Tether: Tactics").click()
    expect(page.get_by_text("2 of 4")).to_be_visible()
    user.click("b5")
    expect(user.prompt).to_have_text("Correct.")
