"""The pages on the API and the server say what is so."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import get_args

from ropewalk.server.api.middleware import MAX_BODY_BYTES
from ropewalk.server.api.rate_limit import MAX_CONNECTIONS, RATE_LIMITS
from ropewalk.server.api.websocket import MAX_MISSED_EVENTS
from ropewalk.server.domain.events import EventType
from ropewalk.server.errors import HTTP_STATUS
from tests.support.server_process import Server

DOCS = Path(__file__).resolve().parents[3] / "docs"
API, MANUAL = (DOCS / "api.md").read_text(encoding="utf-8"), (DOCS / "server.md").read_text(encoding="utf-8")


def test_the_api_page_runs_as_it_stands(server: Server) -> None:
    results = doctest.testfile(str(DOCS / "api.md"), module_relative=False, globs={"address": server.url})
    assert results.attempted > 10
    assert results.failed == 0


def test_the_api_page_names_every_code_and_every_kind_of_event() -> None:
    assert all(f"`{code}`" in API for code in HTTP_STATUS)
    assert all(f"`{kind}`" in API for kind in get_args(EventType))
    assert f"missed more than {MAX_MISSED_EVENTS}," in API


def test_the_manual_has_the_limits_as_they_are() -> None:
    numbers = (
        f"{RATE_LIMITS['requests'].per_minute} requests",
        f"{RATE_LIMITS['guests'].per_minute} new guests",
        f"{MAX_CONNECTIONS} sockets",
        f"{RATE_LIMITS['actions'].per_minute} actions",
        f"{MAX_BODY_BYTES:,} bytes",
    )
    assert all(number in MANUAL for number in numbers)
