"""Web Push: a message reaches a real endpoint once a turn, encrypted and signed; private addresses are not reached."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.server.app import create_app
from ropewalk.server.db.notification_repository import TurnNotice
from ropewalk.server.notifications.push_endpoint import PushEndpointError, parse_endpoint, resolve_public
from ropewalk.server.services import AppServices
from tests.support.app_client import AppClient, create_account, start_match
from tests.support.push_service import PushService, run_push_service
from tests.unit.server.conftest import build_settings, use_fake_engine

pytestmark = pytest.mark.anyio
DAYS = {"kind": "days", "days": 3}
QUIET_SECONDS = 1.5  # the periodic job runs every second


@asynccontextmanager
async def run_app(file: Path, **settings: Any) -> AsyncIterator[FastAPI]:
    """Yield an application that tells of turns at once, and may send messages to this machine."""
    changed = {"notice_delay_seconds": 0.0, "allow_private_push_endpoints": True} | settings
    created = create_app(build_settings(file).model_copy(update=changed))
    use_fake_engine(created.state.services)
    async with created.router.lifespan_context(created):
        yield created


@pytest.fixture(scope="module")
async def push_app(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    file = Path(shutil.copy(migrated_file, tmp_path_factory.mktemp("push") / "matches.db"))
    async with run_app(file) as created:
        yield created


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with run_push_service() as service:
        yield service


async def wait_for(service: PushService, count: int) -> None:
    """Wait for messages without blocking the server."""
    await asyncio.to_thread(service.wait_for, count)


async def test_a_turn_is_told_once_encrypted_and_signed(push_app: FastAPI, push_service: PushService) -> None:
    first, second, match = await start_match(push_app, "tether-5", clock=DAYS)
    assert (await first.request("GET", "/api/notifications"))["push"] is False, "it is off by default"
    view = await first.request("PUT", "/api/me/push", **push_service.subscription(), language="de")
    assert view["push"] is True
    await first.play(match, "c3")
    await second.play(match, "a1")
    await wait_for(push_service, 1)
    assert push_service.decrypt(0) == {
        "type": "your-move",
        "match_id": match,
        "game": "Tether",
        "opponent": second.user["name"],
        "language": "de",
    }
    headers = push_service.requests[0][1]
    assert f"k={view['push_key']}" in headers["authorization"]
    assert (headers["ttl"], "cookie" in headers) == ("86400", False)
    await asyncio.sleep(QUIET_SECONDS)
    assert len(push_service.requests) == 1
    await first.play(match, "b2")
    await second.play(match, "e5")
    await wait_for(push_service, 2)


async def test_one_turn_of_two_moves_is_told_once_and_fast_matches_and_bots_never(
    push_app: FastAPI, push_service: PushService
) -> None:
    first, second, match = await start_match(push_app, "laocoon-weave", clock=DAYS)
    await first.request("PUT", "/api/me/push", **push_service.subscription())
    for count, (own, answer) in enumerate((("b3", "a7"), ("g1", "a3")), 1):
        await first.play(match, own)
        await second.play(match, answer)
        await wait_for(push_service, count)
    await first.play(match, "g1-h1")
    await second.play(match, "a7-a8")
    await second.play(match)
    await wait_for(push_service, 3)
    await first.play(match)  # the ring; the disc is still to be placed
    await asyncio.sleep(QUIET_SECONDS)
    assert len(push_service.requests) == 3
    told = len(push_service.requests)
    _, opponent, fast = await start_match(push_app, "tether-5")
    await opponent.request("PUT", "/api/me/push", **push_service.subscription("other"))
    await first.create_match("tether-5", "self", clock=DAYS)
    await opponent.request("GET", f"/api/matches/{fast}")
    await asyncio.sleep(QUIET_SECONDS)
    assert len(push_service.requests) == told


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_has_ended_is_deleted(push_app: FastAPI, push_service: PushService, status: int) -> None:
    push_service.status = status
    first, second, match = await start_match(push_app, "tether-5", clock=DAYS)
    await second.request("PUT", "/api/me/push", **push_service.subscription())
    await first.play(match)
    await wait_for(push_service, 1)
    for _ in range(100):
        if not (await second.request("GET", "/api/notifications"))["push"]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the subscription is still there")


@pytest.mark.parametrize("end", ["unsubscribe", "log out", "erase", "another user"])
async def test_nothing_is_sent_after_the_end_of_a_subscription(
    push_app: FastAPI, push_service: PushService, end: str
) -> None:
    owner = await create_account(push_app, f"Pushed {end}".replace(" ", "-"))
    await owner.request("PUT", "/api/me/push", **push_service.subscription())
    services: AppServices = push_app.state.services
    assert len(await services.notifications.repository.list_by_user(owner.user["id"])) == 1
    exported = await owner.request("GET", "/api/me/export")
    assert "p256dh" not in exported["push_subscriptions"][0]
    if end == "unsubscribe":
        assert (await owner.request("DELETE", "/api/me/push"))["push"] is False
    elif end == "log out":
        await owner.http.delete("/api/sessions/current")
    elif end == "erase":
        await owner.http.delete("/api/me")
    else:
        other = await create_account(push_app, "Pushed other")
        await other.request("PUT", "/api/me/push", **push_service.subscription())
    assert await services.notifications.repository.list_by_user(owner.user["id"]) == []


async def test_two_servers_and_a_restart_tell_a_turn_once(database_file: Path, push_service: PushService) -> None:
    async with run_app(database_file, notice_delay_seconds=3600.0) as app:
        first, second, match = await start_match(app, "tether-5", clock=DAYS)
        await second.request("PUT", "/api/me/push", **push_service.subscription())
        await first.play(match)
        repository = app.state.services.notifications.repository
        for _ in range(100):
            if await repository.has_channel(second.user["id"]):
                break
        await app.state.services.background.wait_for_all(1.0)
        notice = TurnNotice(match, second.user["id"], 2)
        await repository.schedule(notice, 0)  # the same turn again has no effect
        assert await repository.claim_due(app.state.services.clock.now_ms()) == []
        keys = await app.state.services.notifications.load_public_key()
    later = 4_000_000
    async with run_app(database_file) as one, run_app(database_file) as two:
        assert await two.state.services.notifications.load_public_key() == keys, "all servers have the same key"
        now = one.state.services.clock.now_ms() + later
        both = [app.state.services.notifications.repository.claim_due(now) for app in (one, two)]
        claimed = [notice for each in await asyncio.gather(*both) for notice in each]
        assert [(each.match_id, each.user_id) for each in claimed] == [(match, second.user["id"])]
        await one.state.services.notifications.send(claimed[0])
        await wait_for(push_service, 1)
    async with run_app(database_file) as again:
        assert await again.state.services.notifications.repository.claim_due(now) == []


async def test_a_turn_that_is_over_is_not_told(database_file: Path, push_service: PushService) -> None:
    async with run_app(database_file, notice_delay_seconds=3600.0) as app:
        first, second, match = await start_match(app, "tether-5", clock=DAYS)
        await second.request("PUT", "/api/me/push", **push_service.subscription())
        await first.play(match)
        await app.state.services.background.wait_for_all(1.0)
        await second.play(match)
        await app.state.services.background.wait_for_all(1.0)
        now = app.state.services.clock.now_ms() + 4_000_000
        assert await app.state.services.notifications.repository.claim_due(now) == []


PRIVATE = (
    "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "https://10.1.2.3/x", "https://192.168.0.1/x",
    "https://169.254.169.254/latest/meta-data", "https://[fd00::1]/x", "https://[::ffff:10.0.0.1]/x", "https://0.0.0.0/x",
    "https://[64:ff9b::7f00:1]/x", "https://[2002:7f00:1::]/x", "https://100.64.0.1/x", "https://224.0.0.1/x",
    "https://[::7f00:1]/x",
)  # fmt: skip
NOT_ENDPOINTS = (
    "http://push.example.org/x", "https://push.example.org:8443/x", "https://user:word@push.example.org/x", "ftp://a.b/c",
    "https://push.example.org/a b", "https://[", "https://push.example.org/#x", "https:///x", "javascript:alert(1)",
    "https://push.example.org/\r\nHost: evil", "https://2130706433/x",
)  # fmt: skip


@pytest.mark.parametrize("endpoint", [*PRIVATE, *NOT_ENDPOINTS])
async def test_only_public_https_endpoints_are_taken(app: FastAPI, push_service: PushService, endpoint: str) -> None:
    client = AppClient(app)
    await client.request("POST", "/api/guests", 201)
    keys = push_service.subscription()["keys"]
    await client.request_error("PUT", "/api/me/push", "bad-request", endpoint=endpoint, keys=keys)
    with pytest.raises(PushEndpointError):
        parse_endpoint(endpoint)


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f.1", "127.0.0.1"])
def test_a_name_that_leads_to_a_private_address_is_not_reached(host: str) -> None:
    with pytest.raises(PushEndpointError, match=r"not public|cannot be found"):
        resolve_public(host, 443)


async def test_invalid_keys_are_refused(push_app: FastAPI, push_service: PushService) -> None:
    client = AppClient(push_app)
    await client.request("POST", "/api/guests", 201)
    good = push_service.subscription()
    for keys in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "B" * 87}, {"p256dh": "!" * 20}):
        body = good | {"keys": good["keys"] | keys}
        await client.request_error("PUT", "/api/me/push", "bad-request", **body)
