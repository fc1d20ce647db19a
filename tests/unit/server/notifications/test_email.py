"""E-mail by a real SMTP server: confirmed by a link, off by default, one message a turn, ended by a link."""

from __future__ import annotations

import asyncio
import email
import re
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from fastapi import FastAPI
from pydantic import SecretStr

from ropewalk.server.notifications.mailer import check_address
from tests.support.app_client import AppClient, create_account
from tests.support.match_log import expect_error
from tests.unit.server.notifications.test_push import DAYS, run_app

pytestmark = pytest.mark.anyio
URL = "https://games.example.org"
WAIT_SECONDS = 20.0


class Mailbox:
    """Takes messages, and refuses those to one address."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        """Accept or refuse a receiver."""
        if address.startswith("refused"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Store a message."""
        message = email.message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"

    async def wait_for(self, count: int) -> EmailMessage:
        """Return the last message when there is a number of them."""
        async with asyncio.timeout(WAIT_SECONDS):
            while len(self.messages) < count:
                await asyncio.sleep(0.02)
        return self.messages[count - 1]


@pytest.fixture(scope="module")
def mail_server() -> Iterator[Controller]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(Mailbox(), hostname="127.0.0.1", port=port)
    controller.start()
    yield controller
    controller.stop()


@pytest.fixture
def mailbox(mail_server: Controller) -> Mailbox:
    box = mail_server.handler
    assert isinstance(box, Mailbox)
    box.messages.clear()
    return box


@pytest.fixture(scope="module")
async def mail_app(
    migrated_file: Path, tmp_path_factory: pytest.TempPathFactory, mail_server: Controller
) -> AsyncIterator[FastAPI]:
    file = Path(shutil.copy(migrated_file, tmp_path_factory.mktemp("mail") / "matches.db"))
    settings = {"smtp_host": "127.0.0.1", "smtp_port": mail_server.port, "smtp_security": "none", "public_url": URL}
    settings |= {"mail_from": "Ropewalk <games@example.org>", "smtp_password": SecretStr("unused")}
    async with run_app(file, **settings) as created:
        yield created


def find_token(message: EmailMessage, page: str) -> str:
    """Return the secret of a link in a message."""
    found = re.search(rf"{URL}/email/{page}/([\w-]+)\s", message.get_content())
    assert found is not None
    return found[1]


async def start_correspondence(app: FastAPI, name: str) -> tuple[AppClient, AppClient, str]:
    """Return an account, a guest who plays against it, and the id of their match, in which the guest begins."""
    owner, guest = await create_account(app, name), AppClient(app)
    created = await owner.create_match("tether-5", "invitation", clock=DAYS, seat=1)
    await guest.request("POST", f"/api/invitations/{created['invitation']}/accept")
    return owner, guest, created["match"]["id"]


async def test_an_address_is_confirmed_told_of_a_turn_and_unsubscribed(mail_app: FastAPI, mailbox: Mailbox) -> None:
    owner, guest, match = await start_correspondence(mail_app, "Mailed")
    view = await owner.request("GET", "/api/notifications")
    assert (view["email_available"], view["email"]) == (True, None)
    view = await owner.request("PUT", "/api/me/email", address=" anna@example.org ", language="en")
    assert view["email"] == {"address": "anna@example.org", "confirmed": False}
    confirmation = await mailbox.wait_for(1)
    assert (confirmation["To"], confirmation["From"]) == ("anna@example.org", "Ropewalk <games@example.org>")
    assert "Mailed" in confirmation.get_content()
    await guest.play(match, "c3")
    await asyncio.sleep(1.5)
    assert len(mailbox.messages) == 1, "the address is not confirmed"

    await AppClient(mail_app).request("POST", f"/api/email/confirm/{find_token(confirmation, 'confirm')}")
    assert (await owner.request("GET", "/api/notifications"))["email"]["confirmed"] is True
    await owner.play(match, "a1")
    await guest.play(match, "b2")
    message = await mailbox.wait_for(2)
    text = message.get_content()
    assert f"{URL}/match/{match}" in text
    assert message["Subject"].startswith("Your move: Tether against ")
    token = find_token(message, "unsubscribe")
    assert message["List-Unsubscribe"] == f"<{URL}/api/email/unsubscribe/{token}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    one_click = {"content": b"List-Unsubscribe=One-Click", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}
    response = await AppClient(mail_app).http.post(f"/api/email/unsubscribe/{token}", **one_click)  # type: ignore[arg-type]
    assert response.status_code == 200
    assert (await owner.request("GET", "/api/notifications"))["email"] is None
    await owner.play(match, "a2")
    await guest.play(match, "b3")
    await asyncio.sleep(1.5)
    assert len(mailbox.messages) == 2
    await AppClient(mail_app).request_error("POST", f"/api/email/confirm/{token}", "not-found")


async def test_messages_are_in_the_language_of_the_user_and_erasure_deletes_the_address(
    mail_app: FastAPI, mailbox: Mailbox
) -> None:
    owner = await create_account(mail_app, "Gelöscht")
    await owner.request("PUT", "/api/me/email", address="gerd@example.org", language="de")
    assert (await mailbox.wait_for(1))["Subject"] == "Bestätige deine Adresse für Ropewalk"
    exported = (await owner.request("GET", "/api/me/export"))["email_addresses"]
    assert [(row["address"], "token" in row) for row in exported] == [("gerd@example.org", False)]
    repository = mail_app.state.services.notifications.repository
    await owner.http.delete("/api/me")
    assert await repository.find_email(owner.user["id"]) is None


async def test_an_address_that_the_mail_server_refuses_is_an_error(mail_app: FastAPI, mailbox: Mailbox) -> None:
    owner = await create_account(mail_app, "Refused Mail")
    await owner.request_error("PUT", "/api/me/email", "busy", address="refused@example.org")
    guest = AppClient(mail_app)
    await guest.request("POST", "/api/guests", 201)
    await guest.request_error("PUT", "/api/me/email", "not-yours", address="anna@example.org")


async def test_without_a_mail_server_there_is_no_email(app: FastAPI) -> None:
    owner = await create_account(app, "No Mail Here")
    assert (await owner.request("GET", "/api/notifications"))["email_available"] is False
    await owner.request_error("PUT", "/api/me/email", "not-found", address="anna@example.org")


@pytest.mark.parametrize(
    "text",
    ["", "anna", "@b.c", "a@b", "a b@c.d", "a@b.c\nBcc: x@y.z", "a@b.c, d@e.f", "ä@b.c", "<a@b.c>", f"a@{300 * 'b'}.c"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with expect_error("bad-request"):
        check_address(text)
