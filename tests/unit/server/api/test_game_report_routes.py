"""Game reports through the API: figures as JSON, and pages that load nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from ropewalk.reports import library
from tests.support.app_client import AppClient

pytestmark = pytest.mark.anyio


async def test_a_report_is_served_as_json_and_as_a_page_with_a_policy_of_its_own(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "LIBRARY_DIR", tmp_path)
    (tmp_path / "tether").mkdir()
    (tmp_path / "tether" / "report.json").write_text('{"spec": "tether-13"}', encoding="utf-8")
    (tmp_path / "tether" / "report.html").write_text("<!doctype html><title>Tether</title>", encoding="utf-8")
    client = AppClient(app)
    assert await client.request("GET", "/api/game-reports") == ["tether"]
    assert await client.request("GET", "/api/game-reports/tether") == {"spec": "tether-13"}
    page = await client.http.get("/reports/tether")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert page.headers["x-frame-options"] == "DENY"
    other = await client.http.get("/api/games")
    assert other.headers["content-security-policy"].startswith("default-src 'self'")


async def test_a_game_without_a_report_is_not_found(app: FastAPI) -> None:
    client = AppClient(app)
    await client.request_error("GET", "/api/game-reports/chess", "not-found")
    assert (await client.http.get("/reports/chess")).status_code == 404
