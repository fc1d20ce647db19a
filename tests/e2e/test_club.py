"""The club on the page: tournaments, challenges by name, game lists, blocks and reports, the announcement."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser
from tests.support.command_runner import run_ropewalk
from tests.support.server_process import Server

PASSWORD = "a long password"


def register(user: BrowserUser, name: str) -> None:
    user.request("POST", "/accounts", name=name, password=PASSWORD)


def test_a_tournament_is_created_joined_and_played_to_its_end(user: BrowserUser) -> None:
    user.open_path("/tournaments")
    expect(user.page.get_by_text("Tournaments are for accounts.")).to_be_visible()
    register(user, "Club Organiser")
    user.open_path("/")
    user.page.get_by_role("link", name="Tournaments").click()
    page = user.page
    page.get_by_text("Create a tournament").click()
    page.get_by_label("Name").fill("Friday cup")
    page.get_by_label("Format").select_option("round-robin")
    page.get_by_role("combobox", name="Game").first.select_option("tether")
    page.get_by_label("Board").select_option("own")
    page.get_by_role("spinbutton", name="Size").fill("3")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_role("heading", name="Friday cup")).to_be_visible()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("(you)")).to_be_visible()
    for count in (2, 3):
        page.get_by_role("button", name="Add a bot").click()
        expect(page.locator("tbody tr")).to_have_count(count)
    page.get_by_role("button", name="Start the tournament").click()
    for _ in range(2):
        page.get_by_role("link", name="Go to your game").click()
        expect(page.locator("[data-view]").first).to_be_visible()
        expect(page.get_by_role("link", name="To the tournament")).to_have_attribute("href", re.compile("^/tournaments/.+"))
        match = page.url.split("/match/")[1].split("/")[0]
        user.request("POST", f"/matches/{match}/actions", type="resign")
        page.go_back()
        expect(page.locator(f'a[href="/review/{match}"]')).to_be_visible()
    expect(page.get_by_test_id("status")).to_contain_text(re.compile("Over.*Winner: Bot, level 1"))
    expect(page.locator("tbody tr").nth(2)).to_contain_text("Club Organiser")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all games").click()
    assert download.value.suggested_filename.endswith(".sgf")


def test_a_player_is_challenged_by_name_and_declines_then_accepts(user: BrowserUser, other_user: BrowserUser) -> None:
    register(user, "Challenger")
    register(other_user, "Challenged")
    for answer in ("Decline", "Accept"):
        user.open_path("/player/Challenged")
        user.page.get_by_role("link", name="Challenge to a game").click()
        expect(user.page.get_by_label("Name of the player")).to_have_value("Challenged")
        user.page.get_by_role("combobox", name="Game").first.select_option("tether")
        user.page.get_by_label("Clock").select_option(label="3 min + 5 s")
        user.page.get_by_role("button", name="Start").click()
        user.page.wait_for_url("**/match/*")
        other_user.open_path("/learn")
        bar = other_user.page.get_by_test_id("challenges")
        expect(bar).to_contain_text("Challenger challenges you to Tether")
        expect(bar).to_contain_text("3 min + 5 s · you play blue and move second · not rated · no rating yet")
        bar.get_by_role("button", name=answer).click()
        expect(other_user.page.get_by_test_id("challenges")).to_have_count(0)
        if answer == "Decline":
            expect(user.prompt).to_have_text("The challenge was declined")
            user.page.reload()
            expect(user.prompt).to_have_text("The challenge was declined")
    other_user.page.wait_for_url("**/match/*")
    expect(other_user.page.locator("[data-view]").first).to_be_visible()


def test_games_are_listed_with_dates_and_found_by_filters(user: BrowserUser, other_user: BrowserUser) -> None:
    register(user, "Lister")
    register(other_user, "Listed")
    for spec, loser in (("tether-3", user), ("liger-4", other_user)):
        match = user.request("POST", "/matches", spec=spec, opponent={"kind": "user", "name": "Listed"})["match"]["id"]
        state = other_user.request("POST", f"/matches/{match}/join")["state"]
        if spec == "tether-3":
            mover = user if user.request("GET", f"/matches/{match}")["your_seats"] == [state["seat"]] else other_user
            mover.play_move(match, "b2", state)
        loser.request("POST", f"/matches/{match}/actions", type="resign")
    user.open_path("/my-games")
    page = user.page
    expect(page.get_by_role("link", name="Review")).to_have_count(2)
    assert page.locator("time").count() == 2
    page.get_by_label("Result").select_option("won")
    expect(page.get_by_role("link", name="Review")).to_have_count(1)
    expect(page.locator("li").filter(has_text="Liger")).to_be_visible()
    page.get_by_role("combobox", name="Game").first.select_option("tether")
    expect(page.get_by_text("No matches found.")).to_be_visible()
    page.get_by_label("Result").select_option("")
    expect(page.get_by_role("link", name="Review")).to_have_count(1)
    page.get_by_label("First moves").fill("b2")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("link", name="Review")).to_have_count(1)
    page.get_by_label("First moves").fill("c3")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No matches found.")).to_be_visible()
    page.get_by_role("link", name="My profile", exact=True).first.click()
    expect(page.get_by_role("heading", name="Lister")).to_be_visible()
    user.open_path("/player/Listed")
    expect(page.get_by_test_id("head-to-head")).to_contain_text("1 win, 0 draws, 1 loss")


def test_a_player_is_blocked_and_reported_and_the_operator_announces(
    user: BrowserUser, other_user: BrowserUser, server: Server
) -> None:
    register(user, "Annoyed")
    register(other_user, "Annoying")
    user.open_path("/player/Annoying")
    page = user.page
    page.get_by_role("button", name="Report").click()
    page.get_by_label("What is wrong?").fill("rude")
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_text("The operators have your report")).to_be_visible()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    expect(page.get_by_role("link", name="Challenge to a game")).to_have_count(0)
    assert "Annoyed reports Annoying: rude" in run_ropewalk("moderate", "reports", "--database", server.database).out
    run_ropewalk("moderate", "announce", "Club evening on Friday", "--database", server.database)
    user.open_path("/")
    expect(page.get_by_test_id("announcement")).to_have_text("Club evening on Friday")
    run_ropewalk("moderate", "clear", "--database", server.database)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("announcement")).to_have_count(0)


def test_boards_and_their_prompts_fit_the_window_below_a_challenge(user: BrowserUser, other_user: BrowserUser) -> None:
    register(user, "Below")
    other_user.request("POST", "/matches", spec="tether-5", opponent={"kind": "user", "name": "Below"})
    match = user.start_match("tether-5")
    for path in (f"/match/{match}", f"/review/{match}", "/puzzles/tether-63b5ad36", "/learn/tether/basics/3"):
        user.open_path(path)
        expect(user.page.get_by_test_id("challenges")).to_be_visible()
        expect(user.prompt).to_be_visible()
        expect(user.page.get_by_test_id("told")).to_be_in_viewport(ratio=1)
        assert user.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, path


def test_files_of_the_page_are_sent_compressed(user: BrowserUser) -> None:
    encodings: dict[str, str | None] = {}
    user.page.on("response", lambda response: encodings.update({response.url: response.header_value("content-encoding")}))
    user.open_path("/lobby")
    expect(user.page.get_by_role("heading", name="Lobby")).to_be_visible()
    initial = [encoding for url, encoding in encodings.items() if "/assets/index-" in url]
    assert initial == ["gzip", "gzip"]  # the script and its style sheet
