"""Private matches and accounts on the page: the link for spectators, publication, password, sessions, bots."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser_user import BrowserUser

PASSWORD, NEW_PASSWORD = "a long password", "entirely different words"


def test_a_private_match_is_seen_by_its_link_until_it_is_public(user: BrowserUser, other_user: BrowserUser) -> None:
    user.open_path("/new?game=tether&opponent=self")
    expect(user.page.get_by_label("public: everybody may watch")).not_to_be_checked()
    user.page.get_by_label("Anybody in the lobby").check()
    expect(user.page.get_by_label("public: everybody may watch")).to_be_checked()
    match = user.start_match("tether-5", moves=("c3",))
    assert user.get_match()["public"] is False
    user.page.get_by_text("Private match").click()
    link = user.page.get_by_test_id("spectator-link").input_value()
    path = "/" + link.split("/", 3)[3]

    assert other_user.context.request.get(f"{other_user.url}/api/matches/{match}").status == 404
    other_user.open_path(path)
    expect(other_user.page.locator("[data-ply]")).to_have_count(1)
    expect(other_user.page.get_by_text("Private match")).to_have_count(0)
    other_user.page.get_by_role("button", name="First position").click()
    other_user.page.wait_for_url(f"**/match/{match}/0?key=*")
    other_user.page.reload()
    expect(other_user.page.locator("[data-ply]")).to_have_count(1)

    user.page.get_by_role("button", name="Make public").click()
    user.page.get_by_role("button", name="Yes").click()
    expect(user.page.get_by_text("Public match")).to_be_visible()
    other_user.open_path(f"/match/{match}")
    expect(other_user.page.locator("[data-ply]")).to_have_count(1)


def test_an_account_changes_its_password_and_ends_sessions_and_tokens(user: BrowserUser, other_user: BrowserUser) -> None:
    user.request("POST", "/accounts", name="Page Account", password=PASSWORD)
    other_user.request("POST", "/sessions", name="Page Account", password=PASSWORD)
    user.open_path("/settings")
    page = user.page
    expect(page.get_by_text("this session")).to_be_visible()
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_role("button", name="End", exact=True)).to_have_count(0)
    assert other_user.request("GET", "/me") == {"user": None}

    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    other_user.request("POST", "/sessions", name="Page Account", password=NEW_PASSWORD)

    page.get_by_label("Name of the bot").fill("Page Bot")
    page.get_by_role("button", name="Create a bot").click()
    token = page.get_by_test_id("token").inner_text()
    bearer = {"Authorization": f"Bearer {token}"}
    assert user.context.request.get(f"{user.url}/api/me", headers=bearer).json()["user"]["name"] == "Page Bot"
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("No tokens.")).to_be_visible()
    assert user.context.request.get(f"{user.url}/api/me", headers=bearer).json() == {"user": None}
