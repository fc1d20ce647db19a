"""The settings of a server, from arguments, then environment variables `ROPEWALK_...`, then defaults."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import URL

from ..errors import RopewalkError
from .db.database import DEFAULT_TIMEOUT_SECONDS, parse_url
from .notifications.mailer import SmtpSecurity, SmtpSettings

MAX_ENGINE_WORKERS = 256
MAX_RATE_LIMIT_SCALE = 1000.0
DEFAULT_PUSH_CONTACT = "mailto:operator@ropewalk.invalid"  # some push services refuse it: set a real one


class SettingsError(RopewalkError):
    """An environment variable has an invalid value."""


class ServerSettings(BaseSettings):
    """The settings of a server; each field is also read from the variable `ROPEWALK_` and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix="ROPEWALK_", env_ignore_empty=True, frozen=True, extra="forbid")

    database_url: str = "ropewalk.db"
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    engine_workers: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=0, le=MAX_ENGINE_WORKERS)
    engine_tokens: Path | None = None  # file with the tokens of remote engine workers; None: there are none
    warm_up: bool = True
    rate_limit_scale: float = Field(default=1.0, ge=0, le=MAX_RATE_LIMIT_SCALE)  # factor of all limits; 0 disables them
    max_connections: int = Field(default=10_000, ge=50, le=1_000_000)  # fewer if the system allows fewer open files
    trusted_proxy: str | None = None
    quiet: bool = False
    log_format: Literal["text", "json"] = "text"
    database_timeout_seconds: float = Field(default=DEFAULT_TIMEOUT_SECONDS, ge=0.1, le=600)
    bot_match_expiry_hours: float = Field(default=24.0, ge=0, le=8760)  # without a move of the person; 0: never
    public_url: str | None = Field(default=None, pattern=r"^https?://[^/\s]+$")  # of this server, for links in e-mails
    push_contact: str = Field(default=DEFAULT_PUSH_CONTACT, pattern=r"^(mailto:[^@\s]+@[^@\s]+|https://[^\s]+)$")
    notice_delay_seconds: float = Field(default=5.0, ge=0, le=3600)  # after which a user is told about a turn
    allow_private_push_endpoints: bool = False  # for tests: push services at private addresses, without encryption
    smtp_host: str | None = None  # None: no e-mail is sent
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: SmtpSecurity = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    mail_from: str | None = None
    clock_offset_file: Path | None = None  # for tests: the milliseconds by which the wall clock is wrong
    page_folder: Path = Path(__file__).with_name("page")

    @cached_property
    def database(self) -> URL:
        """The parsed URL of the database."""
        return parse_url(self.database_url)

    @cached_property
    def smtp(self) -> SmtpSettings | None:
        """How e-mail is sent; None unless mail server, sender and public address are set."""
        if self.smtp_host is None or self.mail_from is None or self.public_url is None:
            return None
        password = None if self.smtp_password is None else self.smtp_password.get_secret_value()
        return SmtpSettings(
            host=self.smtp_host,
            port=self.smtp_port,
            security=self.smtp_security,
            user=self.smtp_user,
            password=password,
            sender=self.mail_from,
            public_url=self.public_url,
        )


def load_settings(**arguments: object) -> ServerSettings:
    """Return the settings; arguments that are None are left to the environment.

    Raises:
        SettingsError: An environment variable has an invalid value.
    """
    try:
        return ServerSettings(**{name: value for name, value in arguments.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = "ROPEWALK_" + "_".join(map(str, first["loc"])).upper()
        raise SettingsError(f"invalid value {first['input']!r} for {name}: {first['msg']}") from None
