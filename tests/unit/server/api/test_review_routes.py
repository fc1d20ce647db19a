"""Reviews through the API: computed once, shared, and only of matches that are over."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.server.errors import ApiError
from ropewalk.server.services import AppServices
from tests.support.app_client import AppClient, create_guest, start_match

pytestmark = pytest.mark.anyio
TIMEOUT_SECONDS = 200.0  # kernels may have to be compiled first


async def finish_match(app: FastAPI, *moves: str) -> tuple[AppClient, str]:
    """Return a player of a match that is over after moves, and its id."""
    first, second, match = await start_match(app, "tether-3")
    for number, move in enumerate(moves):
        await (first, second)[number % 2].play(match, move)
    await first.act(match, "resign")
    return first, match


async def wait_for_review(client: AppClient, match: str) -> Any:
    """Return the review of a match when it is complete."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while (review := await client.request("GET", f"/api/matches/{match}/review"))["status"] != "complete":
            assert review["status"] in ("queued", "running"), review
            await asyncio.sleep(0.1)
    return review


async def test_a_review_has_a_value_for_every_position_and_is_shared(app: FastAPI) -> None:
    client, match = await finish_match(app, "b2", "a1", "c3")
    path = f"/api/matches/{match}/review"
    assert (await client.request("GET", path))["status"] == "none"
    started = await client.request("POST", path)
    assert (started["total"], started["status"] in ("queued", "running")) == (4, True)
    review = await wait_for_review(client, match)
    assert [each["ply"] for each in review["evaluations"]] == [0, 1, 2, 3]
    assert [each["ply"] for each in review["moves"]] == [1, 2, 3]
    engine = app.state.services.engine_pool.workers[0]
    asked = len(engine.requests)
    other = await create_guest(app)
    assert await other.request("POST", path) == review
    assert len(engine.requests) == asked, "the second viewing computes nothing"


async def test_a_running_match_has_no_review(app: FastAPI) -> None:
    first, _, match = await start_match(app, "tether-3")
    for method in ("GET", "POST"):
        await first.request_error(method, f"/api/matches/{match}/review", "still-playing")


async def test_a_match_at_one_screen_is_reviewed_again_after_more_moves(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "self"))["match"]["id"]
    await client.play(match, "b2")
    await client.request("POST", f"/api/matches/{match}/review")
    assert (await wait_for_review(client, match))["total"] == 2
    await client.play(match, "a1")
    assert (await client.request("GET", f"/api/matches/{match}/review"))["status"] == "none"


async def test_a_private_match_has_no_review_for_strangers(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "self"))["match"]["id"]
    await (await create_guest(app)).request_error("GET", f"/api/matches/{match}/review", "not-found")


async def test_a_review_that_fails_says_so_and_can_be_started_again(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    services: AppServices = app.state.services
    client, match = await finish_match(app, "b2", "a1")

    async def fail(*arguments: Any) -> Any:
        raise ApiError("engine-failed", "out of order")

    monkeypatch.setattr(services.engine_pool, "ask", fail)
    await client.request("POST", f"/api/matches/{match}/review")
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while (review := await client.request("GET", f"/api/matches/{match}/review"))["status"] != "failed":
            await asyncio.sleep(0.1)
    assert review["error"] == "engine-failed"
    monkeypatch.undo()
    await client.request("POST", f"/api/matches/{match}/review")
    assert (await wait_for_review(client, match))["done"] == 3
