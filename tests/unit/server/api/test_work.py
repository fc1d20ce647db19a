"""Work with the rules of games: it is charged by its cost, to the user and to the address, and refused with the number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.games.registry import game
from ropewalk.server.api.rate_limit import RATE_LIMITS, TokenBucketLimiter
from ropewalk.server.api.work import estimate_cost
from tests.support.app_client import AppClient, check_response, create_guest

pytestmark = pytest.mark.anyio
LINE: dict[str, Any] = {"spec": "tether-17", "moves": [f"{column}{row}" for row in range(1, 14, 2) for column in "acegikm"]}


async def count_accepted(client: AppClient, path: str, **body: Any) -> int:
    """Return how often a request is accepted before it is refused with the limit."""
    for count in range(1000):
        response = await client.http.post(path, json=body)
        if response.status_code == 429:
            check_response(response)
            kinds = [kind for kind in RATE_LIMITS if kind in response.json()["message"]]
            assert response.json()["details"]["limit"] in [RATE_LIMITS[kind].per_minute // 10 for kind in kinds]
            assert int(response.headers["retry-after"]) >= 1
            return count
        assert response.status_code == 200, response.text
    raise AssertionError("a thousand requests are allowed")


def count_without_refill(limiter: TokenBucketLimiter) -> Callable[[str, str, float], float]:
    """Return a `count_tokens` for which no time passes, however slow the machine is."""

    def count_tokens(kind: str, client: str, now: float) -> float:
        tokens, _ = limiter.buckets.get((kind, client), (RATE_LIMITS[kind].burst * limiter.scale, now))
        return tokens

    return count_tokens


def test_the_cost_grows_with_moves_positions_and_the_board() -> None:
    small, large = game("tether-5"), game("tether-19")
    assert estimate_cost(large, 300) > 10 * estimate_cost(small, 10) > 0
    assert estimate_cost(large, 300, views=301) > 2 * estimate_cost(large, 300)
    assert estimate_cost(small, 0) == 1.0


@pytest.mark.parametrize("path", ["/api/positions", "/api/positions/line"])
async def test_lines_of_moves_are_limited_by_their_cost(
    limited_app: FastAPI, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited_app.state.limiter, "count_tokens", count_without_refill(limited_app.state.limiter))
    monkeypatch.setattr(game(LINE["spec"])._stepper, "is_compiled", False)  # another test may have compiled the shared game
    long = await count_accepted(await create_guest(limited_app, "10.0.0.1"), path, **LINE)
    limited_app.state.limiter.buckets.clear()
    short = await count_accepted(await create_guest(limited_app, "10.0.0.1"), path, spec="tether-17", moves=["a1"])
    assert 0 < long < short / 2


async def test_new_guests_of_an_address_share_its_limit(limited_app: FastAPI) -> None:
    accepted, buckets = [], limited_app.state.limiter.buckets
    for _ in range(5):
        guest = await create_guest(limited_app, "10.0.0.1")
        accepted.append(await count_accepted(guest, "/api/positions/line", **LINE))
        buckets.pop(("requests", "10.0.0.1"))
        buckets.pop(("guests", "10.0.0.1"))
    elsewhere = await count_accepted(await create_guest(limited_app, "10.0.0.2"), "/api/positions/line", **LINE)
    assert elsewhere == accepted[0] > 0
    factor = RATE_LIMITS["units of work of an address"].burst / RATE_LIMITS["units of work"].burst
    assert sum(accepted) <= (factor + 1) * accepted[0]
    assert accepted[-1] < accepted[0]


async def test_boards_that_are_not_in_memory_are_limited(limited_app: FastAPI) -> None:
    client = AppClient(limited_app, "10.0.0.1")
    statuses = [(await client.http.get(f"/api/games/lariat-1x{height}")).status_code for height in range(1, 9)]
    allowed = RATE_LIMITS["boards"].burst // 10
    assert statuses == [200] * allowed + [429] * (8 - allowed)
    assert (await client.http.get("/api/games/lariat-1x1")).status_code == 200, "this one is in memory"
