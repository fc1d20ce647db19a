"""Notifications in a browser: turned on and off in the settings, shown by the service worker, and the links of e-mails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browser_user import BrowserUser
from tests.support.push_service import PushService, run_push_service
from tests.support.server_process import Server, run_server

DAYS = {"kind": "days", "days": 3}
NOTICES = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(each => [each.title, each.body])"
# The push service of the browser's vendor cannot be reached here: another one on this machine takes its place.
SUBSCRIBE = """subscription => {
  let current = null;
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({applicationServerKey, userVisibleOnly}) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error("wrong options");
    return current = {toJSON: () => subscription, unsubscribe: async () => { current = null; return true; }};
  };
}"""


@pytest.fixture(scope="module")
def push_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROPEWALK_ALLOW_PRIVATE_PUSH_ENDPOINTS", "true")
        patch.setenv("ROPEWALK_NOTICE_DELAY_SECONDS", "0")
        with run_server(str(tmp_path_factory.mktemp("push") / "matches.db")) as running:
            yield running


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with run_push_service() as service:
        yield service


def open_context(browser: Browser, server: Server) -> BrowserContext:
    """Return a new context that may show notifications."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    context.grant_permissions(["notifications"], origin=server.url)
    return context


def start_correspondence(user: BrowserUser, other: BrowserUser) -> str:
    """Return the id of a correspondence match in which the user has the first move."""
    made = user.request("POST", "/matches", spec="tether-5", opponent={"kind": "invitation"}, seat=0, clock=DAYS)
    other.request("POST", f"/invitations/{made['invitation']}/accept")
    return str(made["match"]["id"])


def play(user: BrowserUser, match: str, move: str) -> None:
    """Play a move without the page."""
    user.play_move(match, move, user.request("GET", f"/matches/{match}")["state"])


def test_a_device_is_subscribed_told_of_its_turn_and_unsubscribed(
    browser: Browser, push_server: Server, push_service: PushService
) -> None:
    contexts = [open_context(browser, push_server) for _ in range(2)]
    user, other = (BrowserUser(context, push_server.url) for context in contexts)
    match = start_correspondence(user, other)
    subscription = push_service.subscription()
    user.page.add_init_script(f"({SUBSCRIBE})({json.dumps(subscription)})")
    user.open_path("/settings")
    card = user.page.get_by_test_id("notifications")
    card.get_by_role("button", name="Turn on for this device").click()
    expect(card.get_by_text("This device shows a notification")).to_be_visible()
    play(user, match, "c3")
    play(other, match, "a1")
    push_service.wait_for(1)
    message = push_service.decrypt(0)
    assert (message["match_id"], message["game"], message["language"]) == (match, "Tether", "en")
    card.get_by_role("button", name="Turn off").click()
    expect(card.get_by_role("button", name="Turn on for this device")).to_be_visible()
    play(user, match, "b2")
    play(other, match, "e5")
    user.page.wait_for_timeout(2500)
    assert len(push_service.requests) == 1
    assert user.errors == []
    for context in contexts:
        context.close()


def deliver(user: BrowserUser, server: Server, message: dict[str, Any]) -> None:
    """Let the browser deliver a push message to the service worker, as its push service does."""
    session = user.context.new_cdp_session(user.page)
    registrations: list[Any] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not registrations:
        user.page.wait_for_timeout(50)
    target = {"origin": server.url, "registrationId": registrations[-1]["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", target)


def test_the_service_worker_shows_whose_turn_it_is_unless_the_match_is_open(browser: Browser, push_server: Server) -> None:
    context = open_context(browser, push_server)
    user = BrowserUser(context, push_server.url)
    user.open_path("/learn")
    user.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    message = {"type": "your-move", "match_id": "abc", "game": "Tether", "opponent": "<b>Anna</b>", "language": "de"}
    deliver(user, push_server, message)
    user.page.wait_for_function(f"({NOTICES})().then(found => found.length === 1)")
    assert user.page.evaluate(NOTICES) == [["Du bist am Zug", "Tether gegen <b>Anna</b>"]]
    deliver(user, push_server, message | {"opponent": "Bert", "language": "en"})
    user.page.wait_for_function(f"({NOTICES})().then(found => found[0][0] === 'Your move')")
    assert user.page.evaluate(NOTICES) == [["Your move", "Tether against Bert"]], "the newer one replaces it"
    match = user.start_match("tether-5")
    deliver(user, push_server, message | {"match_id": match})
    user.page.wait_for_timeout(1000)
    assert len(user.page.evaluate(NOTICES)) == 1, "the match is in front of the visitor"
    context.close()


def test_links_of_emails_act_on_a_click_and_say_when_they_are_outdated(user: BrowserUser) -> None:
    for page, heading, button in (
        ("confirm", "Confirm your e-mail address", "Confirm"),
        ("unsubscribe", "No more e-mail", "Delete my address here"),
    ):
        user.open_path(f"/email/{page}/outdated-link")
        expect(user.page.get_by_role("heading", name=heading)).to_be_visible()
        user.page.get_by_role("button", name=button).click()
        expect(user.page.get_by_role("alert")).to_be_visible()
    user.errors.clear()  # the browser itself notes the answers


def test_without_a_mail_server_the_settings_offer_no_email(user: BrowserUser) -> None:
    user.open_path("/settings")
    expect(user.page.get_by_test_id("notifications").get_by_role("heading", name="Notifications")).to_be_visible()
    expect(user.page.get_by_label("E-mail address")).to_have_count(0)
