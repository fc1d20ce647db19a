"""Notifications in a browser: turned on and off in the settings, shown by the service worker, and the links of e-mails."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browser_user import BrowserUser
from tests.support.push_service import PushService, run_push_service
from tests.support.server_process import Server, run_server
from tests.unit.server.notifications.test_email import URL, Mailbox, find_token

WAIT_SECONDS = 20.0
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
def mailbox() -> Iterator[Controller]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(Mailbox(), hostname="127.0.0.1", port=port)
    controller.start()
    yield controller
    controller.stop()


@pytest.fixture(scope="module")
def push_server(tmp_path_factory: pytest.TempPathFactory, mailbox: Controller) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROPEWALK_SMTP_HOST", "127.0.0.1")
        patch.setenv("ROPEWALK_SMTP_PORT", str(mailbox.port))
        patch.setenv("ROPEWALK_SMTP_SECURITY", "none")
        patch.setenv("ROPEWALK_MAIL_FROM", "games@example.org")
        patch.setenv("ROPEWALK_PUBLIC_URL", URL)
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


def wait_for_notices(user: BrowserUser, expected: list[list[str]]) -> None:
    """Wait until the service worker shows notifications with these titles and texts."""
    until = time.monotonic() + WAIT_SECONDS
    while (found := user.page.evaluate(NOTICES)) != expected:
        assert time.monotonic() < until, found
        user.page.wait_for_timeout(50)


def test_the_service_worker_shows_whose_turn_it_is_unless_the_match_is_open(
    full_browser: Browser, push_server: Server
) -> None:
    context = open_context(full_browser, push_server)
    user = BrowserUser(context, push_server.url)
    user.open_path("/learn")
    user.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    message = {"type": "your-move", "match_id": "abc", "game": "Tether", "opponent": "<b>Anna</b>", "language": "de"}
    deliver(user, push_server, message)
    wait_for_notices(user, [["Du bist am Zug", "Tether gegen <b>Anna</b>"]])
    deliver(user, push_server, message | {"opponent": "Bert", "language": "en"})
    wait_for_notices(user, [["Your move", "Tether against Bert"]])  # the newer one replaces it
    match = user.start_match("tether-5")
    deliver(user, push_server, message | {"match_id": match})
    user.page.wait_for_timeout(1000)
    assert len(user.page.evaluate(NOTICES)) == 1, "the match is in front of the visitor"
    context.close()


def test_an_address_is_entered_in_the_settings_and_confirmed_by_the_link_of_the_message(
    browser: Browser, push_server: Server, mailbox: Controller
) -> None:
    context = open_context(browser, push_server)
    user = BrowserUser(context, push_server.url, language="de")
    user.open_path("/settings")
    card = user.page.get_by_test_id("notifications")
    expect(card.get_by_text("Für E-Mail brauchst du ein Konto.")).to_be_visible()
    user.request("POST", "/accounts", name="Mail Reader", password="a long password")
    user.page.reload()
    card.get_by_label("E-Mail-Adresse").fill("anna@example.org")
    card.get_by_role("button", name="Link zur Bestätigung senden").click()
    expect(card.get_by_test_id("email-state")).to_contain_text("Öffne den Link")
    message = mailbox.handler.messages[-1]
    assert message["Subject"] == "Bestätige deine Adresse für Ropewalk"
    user.open_path(f"/email/confirm/{find_token(message, 'confirm')}")
    user.page.get_by_role("button", name="Bestätigen").click()
    user.page.get_by_role("link", name="Zu den Einstellungen").click()
    expect(card.get_by_test_id("email-state")).to_have_text("Nachrichten gehen an anna@example.org.")
    card.get_by_role("button", name="Adresse löschen").click()
    expect(card.get_by_label("E-Mail-Adresse")).to_be_visible()
    assert user.errors == []
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
