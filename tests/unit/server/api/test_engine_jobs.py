"""Jobs of remote engine workers through the API: leases, heartbeats, refusals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from ropewalk import __version__
from ropewalk.engine.fingerprint import compute_fingerprint
from ropewalk.server.app import create_app
from ropewalk.server.engine_pool import leases
from ropewalk.server.engine_pool.engine_tokens import EngineTokenFile
from ropewalk.server.engine_pool.leases import PROTOCOL_VERSION, RemoteEngines
from ropewalk.server.engine_pool.pool import EnginePool
from ropewalk.server.errors import HTTP_STATUS
from ropewalk.server.settings import ServerSettings
from tests.support.app_client import AppClient, create_guest

pytestmark = pytest.mark.anyio
ACQUIRE: dict[str, Any] = {
    "protocol_version": PROTOCOL_VERSION,
    "version": __version__,
    "fingerprint": compute_fingerprint(),
    "worker": "one",
    "games": ["tether"],
}
LINE = {"move": "b2", "moves": ["b2"], "value": 0.5, "certainty": "estimate", "visits": 7}
FINAL: dict[str, Any] = {
    "isDuringSearch": False, "seat": 0, "value": 0.5, "certainty": "estimate", "visits": 7, "seconds": 0.1, "lines": [LINE],
}  # fmt: skip


@pytest.fixture
async def remote_app(database_file: Path) -> AsyncIterator[FastAPI]:
    """An application without engines of its own."""
    created = create_app(
        ServerSettings(
            database_url=str(database_file),
            engine_workers=0,
            warm_up=False,
            page_folder=database_file.parent / "no-page",
            engine_tokens=database_file.parent / "engines.txt",
        )
    )
    created.state.services.games.is_warm = lambda spec: False
    async with created.router.lifespan_context(created):
        yield created


class RemoteWorker:
    """Sends the requests of an engine worker."""

    def __init__(self, app: FastAPI, token: str | None = None) -> None:
        self.remote: RemoteEngines = app.state.services.remote_engines
        tokens: EngineTokenFile = app.state.services.engine_tokens
        self.token = tokens.add(f"token{len(tokens.load())}") if token is None else token
        self.http = AppClient(app).http

    async def post(self, path: str, **body: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return await self.http.post(f"/api/engine-jobs/{path}", json=body, headers=headers)

    async def expect_error(self, code: str, path: str, **body: Any) -> str:
        response = await self.post(path, **body)
        assert (response.json()["code"], response.status_code) == (code, HTTP_STATUS[code])
        message: str = response.json()["message"]
        return message

    async def acquire(self) -> Any:
        response = await self.post("acquire", **ACQUIRE)
        assert response.status_code == 200, response.text
        return response.json()


def start_analysis(client: AppClient) -> asyncio.Task[Any]:
    return asyncio.create_task(client.request("POST", "/api/positions/analyse", spec="tether-3"))


async def test_a_worker_gets_a_job_and_its_result_is_delivered(remote_app: FastAPI) -> None:
    worker, client = RemoteWorker(remote_app), await create_guest(remote_app)
    acquiring = asyncio.create_task(worker.acquire())
    while not worker.remote.count_connected():
        await asyncio.sleep(0.01)
    analysis = start_analysis(client)
    job = await acquiring
    assert (job["request"]["spec"], job["lease_seconds"]) == ("tether-3", leases.LEASE_SECONDS)
    assert (await worker.post(f"{job['id']}/heartbeat")).json() == {"is_terminated": False}
    assert (await worker.post(f"{job['id']}/result", response=FINAL)).status_code == 204
    assert (await analysis)["visits"] == 7
    message = await worker.expect_error("lease-expired", f"{job['id']}/result", response=FINAL)
    assert message.endswith("acquire another job")


async def test_without_a_job_a_worker_waits_and_then_gets_none(remote_app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RemoteEngines.acquire, "__defaults__", (0.05,))
    worker = RemoteWorker(remote_app)
    response = await worker.post("acquire", **ACQUIRE)
    assert (response.status_code, response.content) == (204, b"")


async def test_a_job_whose_worker_is_silent_is_given_to_another(
    remote_app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.3)
    worker, other, client = RemoteWorker(remote_app), RemoteWorker(remote_app), await create_guest(remote_app)
    worker.remote.mark_seen("test")
    analysis = start_analysis(client)
    first = await worker.acquire()
    second = await other.acquire()
    assert (second["request"], worker.remote.expired_count) == (first["request"], 1)
    assert first["id"] != second["id"]
    await worker.expect_error("lease-expired", f"{first['id']}/result", response=FINAL)
    await worker.expect_error("lease-expired", f"{first['id']}/heartbeat")
    await other.post(f"{second['id']}/result", response=FINAL)
    assert (await analysis)["visits"] == 7


async def test_a_job_that_is_handed_back_is_queued_at_once(remote_app: FastAPI) -> None:
    worker, client = RemoteWorker(remote_app), await create_guest(remote_app)
    worker.remote.mark_seen("test")
    analysis = start_analysis(client)
    for _ in range(leases.MAX_REMOTE_ATTEMPTS + 1):
        job = await worker.acquire()
        assert (await worker.post(f"{job['id']}/release")).status_code == 204
    job = await worker.acquire()
    await worker.post(f"{job['id']}/result", response=FINAL)
    await analysis


async def test_a_job_that_every_worker_loses_fails(remote_app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.0)
    monkeypatch.setattr(leases, "CHECK_SECONDS", 0.01)
    worker, client = RemoteWorker(remote_app), await create_guest(remote_app)
    worker.remote.mark_seen("test")
    analysing = asyncio.create_task(client.request_error("POST", "/api/positions/analyse", "engine-failed", spec="tether-3"))
    for _ in range(leases.MAX_REMOTE_ATTEMPTS):
        await worker.acquire()
    await analysing


async def test_a_worker_is_told_that_a_client_has_gone_or_a_bot_must_move(remote_app: FastAPI) -> None:
    worker, client = RemoteWorker(remote_app), await create_guest(remote_app)
    pool: EnginePool = remote_app.state.services.engine_pool
    worker.remote.mark_seen("test")
    analysis = start_analysis(client)
    job = await worker.acquire()
    match = (await client.create_match("tether-3", "bot", level=1, seat=1))["match"]["id"]
    while not pool.preemption_count:
        await asyncio.sleep(0.01)
    assert (await worker.post(f"{job['id']}/heartbeat")).json() == {"is_terminated": True}
    await worker.post(f"{job['id']}/result", response=FINAL | {"terminated": True})
    move = await worker.acquire()
    assert move["request"]["action"] == "choose_move"
    await worker.post(f"{move['id']}/result", response={"isDuringSearch": False, "move": "b2", "engine": {"version": "1"}})
    again = await worker.acquire()
    assert again["request"] == job["request"]
    while (await client.get_match(match))["state"]["move_count"] == 0:
        await asyncio.sleep(0.01)
    await worker.post(f"{again['id']}/result", response=FINAL)
    assert (await analysis)["visits"] == 7


async def test_what_is_no_response_of_an_engine_is_refused_and_the_lease_goes_on(remote_app: FastAPI) -> None:
    worker, client = RemoteWorker(remote_app), await create_guest(remote_app)
    worker.remote.mark_seen("test")
    analysis = start_analysis(client)
    job = await worker.acquire()
    await worker.expect_error("bad-request", f"{job['id']}/heartbeat", report={"visits": 1})
    for response in ({}, {"isDuringSearch": False, "move": "b2"}, FINAL | {"isDuringSearch": True}):
        await worker.expect_error("bad-request", f"{job['id']}/result", response=response)
    await worker.post(f"{job['id']}/result", response=FINAL)
    assert (await analysis)["visits"] == 7


async def test_a_damaged_file_of_tokens_is_no_refusal(remote_app: FastAPI) -> None:
    worker = RemoteWorker(remote_app)
    remote_app.state.services.engine_tokens.path.write_text("garbage")
    assert "its log says why" in await worker.expect_error("busy", "acquire", **ACQUIRE)


async def test_a_wrong_token_is_refused_and_attempts_are_limited(remote_app: FastAPI) -> None:
    for token in ("", "wrong", "x" * 200):
        worker = RemoteWorker(remote_app, token)
        assert "ropewalk engine-token" in await worker.expect_error("bad-engine-token", "acquire", **ACQUIRE)
        await worker.expect_error("bad-engine-token", "unknown/heartbeat")
    for _ in range(4):
        await worker.expect_error("bad-engine-token", "unknown/release")
    await worker.expect_error("too-many", "unknown/release")


@pytest.mark.parametrize("field", ["protocol_version", "version", "fingerprint"])
async def test_another_version_is_refused_with_the_reason(remote_app: FastAPI, field: str) -> None:
    other = 99 if field == "protocol_version" else "other"
    message = await RemoteWorker(remote_app).expect_error("engine-version", "acquire", **ACQUIRE | {field: other})
    assert f"install Ropewalk {__version__}" in message
    assert str(other) in message


async def test_a_server_without_tokens_refuses_every_worker(app: FastAPI) -> None:
    headers = {"Authorization": "Bearer anything"}
    response = await AppClient(app).http.post("/api/engine-jobs/acquire", json=ACQUIRE, headers=headers)
    assert response.json()["code"] == "bad-engine-token"
