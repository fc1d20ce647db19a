"""What is known about each game: claims, positions on the analysis board, matches to try a theorem, recommended options."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.test_everyone import AXE, SERIOUS
from tests.support.browser_user import BrowserUser


@pytest.mark.parametrize("game", ["lariat", "cube-lariat", "tether", "laocoon", "liger"])
def test_every_game_has_its_page_without_a_barrier(user: BrowserUser, game: str) -> None:
    user.open_path(f"/known/{game}")
    expect(user.page.locator("[data-state]").nth(2)).to_be_visible()
    user.page.evaluate(AXE.read_text("utf-8"))
    assert user.page.evaluate(SERIOUS) == []


def test_the_rules_lead_to_a_position_that_refutes_a_claim(user: BrowserUser) -> None:
    user.open_path("/rules/liger")
    user.page.get_by_role("link", name="What is known").click()
    user.page.locator('[data-state="refuted"]').get_by_role("link", name="Open on the analysis board").click()
    expect(user.page).to_have_url(re.compile("/analysis"))
    expect(user.page.locator("[data-ply]")).to_have_count(6)


def test_the_theorem_can_be_tried_against_level_8(user: BrowserUser) -> None:
    user.open_path("/known/lariat")
    user.page.get_by_role("button", name="Try it on lariat-1x6 against level 8").click()
    expect(user.page).to_have_url(re.compile("/match/"))
    match = user.get_match()
    assert match["spec"] == "lariat-1x6"
    assert [seat["user"]["level"] for seat in match["seats"]][1] == 8


def test_lariat_is_offered_with_the_pie_rule_and_a_switch(user: BrowserUser) -> None:
    user.open_path("/new?game=lariat&opponent=self")
    expect(user.page.get_by_test_id("recommended")).to_contain_text("first player can always win")
    switch = user.page.get_by_role("checkbox", name="with the pie rule")
    expect(switch).to_be_checked()
    switch.uncheck()
    user.page.get_by_role("button", name="Start").click()
    expect(user.page).to_have_url(re.compile("/match/"))
    assert user.get_match()["spec"] == "lariat-2x10"
    user.open_path("/new?game=lariat&opponent=self")
    user.page.get_by_role("button", name="Start").click()
    expect(user.page).to_have_url(re.compile("/match/"))
    assert user.get_match()["spec"] == "lariat-2x10-pie"
