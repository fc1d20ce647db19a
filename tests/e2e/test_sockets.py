"""Pages that follow the server: they come back after it was away, and ask for nothing while nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.support.browser_user import BrowserUser
from tests.support.server_process import Client, Server, run_server

MAX_DELAY_MS = 30_000
IDLE_MS = 9000
# Notes the address of every socket that the page opens.
NOTE_SOCKETS = """
window.opened = [];
window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(address);
    window.opened.push(address);
  }
};
"""
# Says how many sockets that opens at once.
GO_ONLINE = """() => {
  const before = opened.length;
  dispatchEvent(new Event("online"));
  return opened.length - before;
}"""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be stopped."""
    with run_server(str(tmp_path / "matches.db")) as running:
        yield running


@pytest.fixture
def lobby_user(context: BrowserContext, own_server: Server) -> BrowserUser:
    """Somebody in the lobby of that server."""
    context.add_init_script(NOTE_SOCKETS)
    user = BrowserUser(context, own_server.url)
    user.page.clock.install()
    user.open_path("/lobby")
    expect(user.page.get_by_role("heading", name="Lobby")).to_be_visible()
    user.page.wait_for_function("opened.length === 1")
    return user


def attempts(user: BrowserUser) -> int:
    """Return how many sockets the page has opened."""
    return int(user.page.evaluate("opened.length"))


def fail(user: BrowserUser, times: int) -> None:
    """Let attempts fail, each at most MAX_DELAY_MS after the one before."""
    for _ in range(times):
        before = attempts(user)
        user.page.clock.fast_forward(MAX_DELAY_MS)
        user.page.wait_for_function("before => opened.length > before", arg=before)
        user.page.wait_for_timeout(300)  # until the attempt has failed


def test_the_lobby_shows_new_challenges_after_the_server_was_restarted(lobby_user: BrowserUser, own_server: Server) -> None:
    challenges = lobby_user.page.get_by_role("button", name="Join")
    Client(own_server).create_match("tether-5", "open")
    expect(challenges).to_have_count(1)
    own_server.stop()
    own_server.restart()
    Client(own_server).create_match("lariat-1x6", "open")
    expect(challenges).to_have_count(2)
    Client(own_server).create_match("liger-4", "open")
    expect(challenges).to_have_count(3)


def test_attempts_back_off_until_the_browser_goes_online(lobby_user: BrowserUser, own_server: Server) -> None:
    own_server.stop()
    fail(lobby_user, times=8)
    before = attempts(lobby_user)
    lobby_user.page.clock.fast_forward(MAX_DELAY_MS // 5)
    lobby_user.page.wait_for_timeout(500)
    assert attempts(lobby_user) == before  # each delay is twice the one before, less up to a half by chance
    own_server.restart()
    Client(own_server).create_match("tether-5", "open")
    assert lobby_user.page.evaluate(GO_ONLINE) == 1
    expect(lobby_user.page.get_by_role("button", name="Join")).to_be_visible()


def test_a_page_that_was_left_opens_no_more_sockets(lobby_user: BrowserUser, own_server: Server) -> None:
    own_server.stop()
    fail(lobby_user, times=2)
    lobby_user.page.get_by_role("link", name="Learn").click()
    expect(lobby_user.page.get_by_role("heading", name="Lobby")).to_have_count(0)
    before = attempts(lobby_user)
    assert lobby_user.page.evaluate(GO_ONLINE) == 0
    lobby_user.page.clock.fast_forward(2 * MAX_DELAY_MS)
    lobby_user.page.wait_for_timeout(500)
    assert attempts(lobby_user) == before


def test_a_match_goes_on_after_the_server_was_restarted(context: BrowserContext, own_server: Server) -> None:
    user = BrowserUser(context, own_server.url)
    match = user.start_match("tether-5")
    own_server.stop()
    expect(user.prompt).to_contain_text("No connection")
    own_server.restart()
    user.play_move(match, "c3", user.get_match()["state"])
    user.wait_for(1)
    user.click("b2")
    assert [played["move"] for played in user.wait_for(2)["moves"]] == ["c3", "b2"]


def begin_open_match(server: Server, spec: str) -> tuple[Client, Client, str]:
    """Create a match that the lobby lists, with both seats taken."""
    first, second = Client(server), Client(server)
    match = str(first.create_match(spec, "open", seat=0)["match"]["id"])
    second.request("POST", f"/api/matches/{match}/join")
    return first, second, match


def test_watched_matches_follow_their_moves_and_ask_for_nothing_else(user: BrowserUser, server: Server) -> None:
    first, second, match = begin_open_match(server, "tether-5")
    user.open_path("/watch")
    card = user.page.locator(f'a[href="/match/{match}"]')
    expect(card.locator("svg.flat")).to_be_visible()
    first.play(match, "c3")
    expect(card.locator('[data-piece="c3"]')).to_have_count(1)

    requests: list[str] = []
    user.page.on("request", lambda request: requests.append(request.url))
    user.page.wait_for_timeout(IDLE_MS)
    assert [url for url in requests if "/api/" in url] == []

    second.play(match, "b2")
    expect(card.locator('[data-piece="b2"]')).to_have_count(1)
    _, _, newer = begin_open_match(server, "lariat-1x6")
    expect(user.page.locator(f'a[href="/match/{newer}"] svg.flat')).to_be_visible()
    first.act(match, "resign")
    expect(card).to_have_count(0)
