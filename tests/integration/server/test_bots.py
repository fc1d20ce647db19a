"""Bots: built-in ones in the pool, and external ones through the API."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ropewalk.server.engine_pool.pool import EnginePool
from ropewalk.server.engine_pool.worker_client import EngineWorkerClient, Request, Response
from ropewalk.server.errors import ApiError
from tests.support.server_process import Client, Server, create_account

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "external_bot.py"
MOVE_REQUEST: dict[str, Any] = {"action": "choose_move", "spec": "tether-3", "moves": [], "level": 1}
ANALYSIS_REQUEST: dict[str, Any] = {"spec": "tether-3", "moves": [], "level": 1, "lines": 3}


def test_the_example_bot_plays_a_match_to_its_end(server: Server) -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 85
    owner, guest = create_account(server, "Owner of a bot"), Client(server)
    created = owner.request("POST", "/api/bots", 201, name="Example Bot")
    match = guest.request("POST", "/api/matches", 201, spec="tether-3", seat=0,
                      opponent={"kind": "user", "name": "example bot"})["match"]["id"]  # fmt: skip
    bot = subprocess.Popen([sys.executable, EXAMPLE, server.url], stdin=subprocess.PIPE, text=True)
    try:
        assert bot.stdin is not None
        bot.stdin.write(created["token"] + "\n")
        bot.stdin.flush()
        with guest.follow(match) as socket:
            state = socket.receive("snapshot")["match"]["state"]
            while state["status"] == "playing":
                if state["seat"] == 0:
                    move, version = state["position"]["moves"][0], state["position_version"]
                    socket.send(type="move", move=move, position_version=version)
                state = socket.receive("ack", "events")["state"]
    finally:
        bot.kill()
        bot.communicate()
    assert state["result"]["reason"] == "majority"


def test_only_an_account_has_bots_and_a_changed_token_is_invalid(server: Server) -> None:
    assert Client(server).request("POST", "/api/bots", 403, name="My Bot")["code"] == "not-yours"
    owner = create_account(server, "Another owner")
    token = owner.request("POST", "/api/bots", 201, name="Bot of another")["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert owner.http.get("/api/me", headers=bearer).json()["user"]["kind"] == "external-bot"
    wrong = {"Authorization": f"Bearer {token[:-1]}x", "Cookie": ""}
    assert owner.http.get("/api/me", headers=wrong).json()["user"] is None


class ImpatientWorker(EngineWorkerClient):
    """An engine that is given too little time for its first request."""

    impatient = True

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        seconds, self.impatient = 0.01 if self.impatient else seconds, False
        return await super().ask(request, seconds, on_report)


def test_an_engine_that_does_not_answer_is_replaced() -> None:
    async def go() -> tuple[dict[str, Any], int]:
        pool = EnginePool(1, warming=False)
        pool.workers = [ImpatientWorker()]
        pool.start()
        try:
            return await pool.ask("a", MOVE_REQUEST), pool.restart_count
        finally:
            await pool.stop()

    response, lost = asyncio.run(go())
    assert response["move"] in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert lost == 1


def test_an_invalid_request_is_rejected_and_the_engine_goes_on() -> None:
    async def go() -> None:
        pool = EnginePool(1, warming=False)
        pool.start()
        try:
            with pytest.raises(ApiError, match="nonsense"):
                await pool.ask("a", MOVE_REQUEST | {"moves": ["nonsense"]})
            await pool.ask("a", MOVE_REQUEST)
            assert pool.restart_count == 0
        finally:
            await pool.stop()

    asyncio.run(go())


def test_owners_of_jobs_take_turns() -> None:
    async def go() -> list[str]:
        pool = EnginePool(1, warming=False)
        order: list[str] = []

        async def ask(owner: str) -> None:
            await pool.ask(owner, ANALYSIS_REQUEST | {"visits": 20})
            order.append(owner)

        asking = [asyncio.create_task(ask(owner)) for owner in ("greedy", "greedy", "greedy", "modest")]
        await asyncio.sleep(0)
        pool.start()
        await asyncio.gather(*asking)
        await pool.stop()
        return order

    assert asyncio.run(go()) == ["greedy", "modest", "greedy", "greedy"]


def test_an_interpreted_engine_answers_at_once_what_a_compiled_one_would() -> None:
    async def ask(engine: EngineWorkerClient) -> Response:
        try:
            return await engine.ask(ANALYSIS_REQUEST | {"id": "a"}, 60) | {"seconds": 0}
        finally:
            await engine.kill()

    assert asyncio.run(ask(EngineWorkerClient("--interpreted"))) == asyncio.run(ask(EngineWorkerClient()))
