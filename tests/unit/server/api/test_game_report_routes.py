"""Game reports through the API: figures as JSON, and pages that load nothing."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from ropewalk.games.registry import game as game_of
from ropewalk.reports.library import list_shipped_games
from tests.support.app_client import AppClient

pytestmark = pytest.mark.anyio


async def test_reports_are_served_as_json_and_as_pages_with_a_policy_of_their_own(app: FastAPI) -> None:
    client = AppClient(app)
    keys = await client.request("GET", "/api/game-reports")
    assert keys == list_shipped_games()
    assert "laocoon" in keys
    for key in keys:
        report = await client.request("GET", f"/api/game-reports/{key}")
        assert (report["game"], report["spec"]) == (key, game_of(key).spec)
        page = await client.http.get(f"/reports/{key}")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert page.headers["x-frame-options"] == "DENY"
        assert report["command"] in page.text
    other = await client.http.get("/api/games")
    assert other.headers["content-security-policy"].startswith("default-src 'self'")


async def test_a_game_without_a_report_is_not_found(app: FastAPI) -> None:
    client = AppClient(app)
    await client.request_error("GET", "/api/game-reports/chess", "not-found")
    assert (await client.http.get("/reports/chess")).status_code == 404
