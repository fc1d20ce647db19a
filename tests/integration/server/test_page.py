"""The pages on the API and the server say what is so."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import get_args

from ropewalk.server.animations import MAX_FRAMES, MAX_JOBS, TIMEOUT_SECONDS
from ropewalk.server.api.middleware import BODY_SECONDS, MAX_BODY_BYTES
from ropewalk.server.api.quotas import STORAGE_QUOTAS
from ropewalk.server.api.rate_limit import OPEN_LIMITS, RATE_LIMITS
from ropewalk.server.api.routes.games import MAX_LINE_POSITIONS
from ropewalk.server.api.websocket import MAX_MISSED_EVENTS
from ropewalk.server.connection_limits import MAX_ADDRESS_CONNECTIONS
from ropewalk.server.domain.events import EventType
from ropewalk.server.errors import HTTP_STATUS
from ropewalk.server.executors import WorkExecutors
from ropewalk.server.protocols import HEADER_SECONDS, WRITE_SECONDS
from ropewalk.server.run import MAX_MESSAGE_BYTES
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
    table = MANUAL.partition("## Limits")[2].partition("## Monitoring")[0]
    rates = ("requests", "guests", "passwords", "matches", "actions", "actions of an address", "chat", "analyses", "records",
             "boards", "units of work", "units of work of an address", "pictures", "puzzle moves", "reviews", "reports",
             "tournaments", "notifications", "e-mails", "saved analyses")  # fmt: skip
    assert {*rates} == {*RATE_LIMITS}
    assert all(re.search(rf"\b{RATE_LIMITS[kind].per_minute}\b[^|]* a minute", table) for kind in rates)
    for limit in OPEN_LIMITS.values():
        assert re.search(rf"\b{limit.by_user}\b[^|]* at a time \| user", table)
        assert re.search(rf"\b{limit.by_address}\b[^|]* at a time \| address", table)
    for quota in STORAGE_QUOTAS.values():
        assert f"{quota.per_hour // 10**6} MB an hour" in table
    numbers = (
        f"{MAX_BODY_BYTES:,} bytes",
        f"{MAX_MESSAGE_BYTES:,} bytes",
        f"within {HEADER_SECONDS:g} s",
        f"within {BODY_SECONDS:g} s",
        f"unread for {WRITE_SECONDS:g} s",
        f"{MAX_ADDRESS_CONNECTIONS} at a time | address, except the trusted proxy",
        f"{MAX_FRAMES}; choose",
        f"{MAX_JOBS} that run or wait, {TIMEOUT_SECONDS:g} s each",
        f"| {MAX_LINE_POSITIONS} |",
    )
    assert [number for number in numbers if number not in table] == []


def test_the_manual_has_the_numbers_of_the_thread_pools() -> None:
    pools = WorkExecutors()
    assert f"{pools.passwords.max_client_jobs} at a time; {pools.passwords.max_jobs} in all" in MANUAL
    assert f"{pools.rules.max_client_jobs} requests at a time" in MANUAL
    assert f"{pools.rules.max_jobs} requests that run or wait" in MANUAL
    pools.shut_down()
