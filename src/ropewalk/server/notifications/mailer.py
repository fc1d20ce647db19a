"""E-mail through the operator's SMTP server: the request to confirm an address, and "your move" with a link to end it."""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Literal

from ..db.notification_repository import EmailAddress, Language
from ..errors import ApiError

SMTP_SECONDS = 15.0
MAX_ADDRESS_LENGTH = 254
ADDRESS = re.compile(r"[^\s@<>\",;:\\()\[\]]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
SmtpSecurity = Literal["starttls", "tls", "none"]
log = logging.getLogger("ropewalk.notifications")

SUBJECTS: dict[Language, dict[str, str]] = {
    "en": {"confirm": "Confirm your address for Ropewalk", "move": "Your move: {game} against {opponent}"},
    "de": {"confirm": "Bestätige deine Adresse für Ropewalk", "move": "Du bist am Zug: {game} gegen {opponent}"},
}
TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "confirm": (
            "The player {name} at {url} has entered this address for messages about correspondence games.\n\n"
            "Open this page to confirm it:\n{url}/email/confirm/{token}\n\n"
            "If you do not know about this, do nothing: without a confirmation nothing more is sent.\n"
        ),
        "move": (
            "It is your turn in a game of {game} against {opponent}:\n{url}/match/{match_id}\n\n"
            "No more messages:\n{url}/email/unsubscribe/{token}\n"
        ),
    },
    "de": {
        "confirm": (
            "{name} hat bei {url} diese Adresse für Nachrichten über Fernpartien angegeben.\n\n"
            "Öffne diese Seite, um sie zu bestätigen:\n{url}/email/confirm/{token}\n\n"
            "Wenn du davon nichts weißt, tu nichts: ohne Bestätigung wird nichts mehr gesendet.\n"
        ),
        "move": (
            "Du bist am Zug in einer Partie {game} gegen {opponent}:\n{url}/match/{match_id}\n\n"
            "Keine Nachrichten mehr:\n{url}/email/unsubscribe/{token}\n"
        ),
    },
}


@dataclass(frozen=True)
class SmtpSettings:
    """How e-mail is sent, and the address of this server in links."""

    host: str
    port: int
    security: SmtpSecurity
    user: str | None
    password: str | None
    sender: str
    public_url: str  # without a slash at its end


class Mailer:
    """Sends e-mail. Its methods block: call them in threads."""

    def __init__(self, settings: SmtpSettings) -> None:
        self.settings = settings

    def send_confirmation(self, email: EmailAddress, name: str) -> None:
        """Send the link that confirms an address.

        Raises:
            ApiError: `busy`: the mail server does not take the message.
        """
        message = self.compose(email, "confirm", name=name)
        try:
            self.send(message)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("an e-mail was not sent: %s", type(error).__name__)
            raise ApiError("busy", "the message could not be sent; check the address, or try again later") from None

    def send_turn(self, email: EmailAddress, match_id: str, game: str, opponent: str) -> bool:
        """Tell a user that it is their turn. Returns whether the mail server took the message; problems are logged."""
        message = self.compose(email, "move", match_id=match_id, game=game, opponent=opponent)
        link = f"{self.settings.public_url}/api/email/unsubscribe/{email.token}"
        message["List-Unsubscribe"] = f"<{link}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        try:
            self.send(message)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("an e-mail was not sent: %s", type(error).__name__)
            return False
        return True

    def compose(self, email: EmailAddress, kind: str, **values: str) -> EmailMessage:
        """Return a message in the language of the user."""
        fields = values | {"url": self.settings.public_url, "token": email.token}
        message = EmailMessage()
        message["From"] = self.settings.sender
        message["To"] = email.address
        message["Subject"] = SUBJECTS[email.language][kind].format(**fields)
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=parseaddr(self.settings.sender)[1].rpartition("@")[2] or "localhost")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(TEXTS[email.language][kind].format(**fields))
        return message

    def send(self, message: EmailMessage) -> None:
        """Hand a message to the mail server. Raises OSError or smtplib.SMTPException."""
        settings = self.settings
        context = ssl.create_default_context() if settings.security != "none" else None
        if settings.security == "tls":
            client: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=SMTP_SECONDS, context=context)
        else:
            client = smtplib.SMTP(settings.host, settings.port, timeout=SMTP_SECONDS)
        with client:
            if settings.security == "starttls":
                client.starttls(context=context)
            if settings.user is not None:
                client.login(settings.user, settings.password or "")
            client.send_message(message)


def check_address(text: str) -> str:
    """Return an e-mail address without spaces around it.

    Raises:
        ApiError: `bad-request`: it does not look like an address.
    """
    address = text.strip()
    if len(address) > MAX_ADDRESS_LENGTH or not address.isascii() or ADDRESS.fullmatch(address) is None:
        raise ApiError("bad-request", "this is not an e-mail address; enter one such as name@example.org")
    return address
