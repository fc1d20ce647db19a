"""Responses are compressed for clients that accept it: JSON when it is sent, files of the page by their copies."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from ropewalk.server.api.compression import MIN_COMPRESSED_BYTES, Compression
from ropewalk.server.api.static_files import add_static_files
from tests.support.app_client import AppClient

pytestmark = pytest.mark.anyio


async def test_large_json_is_compressed_and_small_json_is_not(app: FastAPI) -> None:
    client = AppClient(app)
    plain = await client.http.get("/api/games/tether-9", headers={"Accept-Encoding": "identity"})
    packed = await client.http.get("/api/games/tether-9", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"]
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert packed.json() == plain.json()
    small = await client.http.get("/api/me", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers
    head = await client.http.head("/api/games/tether-9", headers={"Accept-Encoding": "gzip"})
    assert head.content == b""


@pytest.mark.parametrize(
    ("accepted", "is_packed"), [("gzip", True), ("br, gzip;q=0.8", True), ("*", True), ("gzip;q=0", False), ("br", False)]
)
async def test_files_are_sent_as_their_compressed_copies(tmp_path: Path, accepted: str, is_packed: bool) -> None:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    script = folder / "assets" / "index-1.js"
    script.write_text("let a = 1;\n" * 500)
    script.with_name("index-1.js.gz").write_bytes(gzip.compress(script.read_bytes()))
    app = FastAPI()
    add_static_files(app, folder, [])
    app.add_middleware(Compression)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        response = await client.get("/assets/index-1.js", headers={"Accept-Encoding": accepted})
        page = await client.get("/", headers={"Accept-Encoding": accepted})
    assert (response.headers.get("content-encoding") == "gzip") is is_packed
    assert response.text == script.read_text()
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["vary"] == "Accept-Encoding"
    assert page.text == "<!doctype html>"
    assert len(script.read_bytes()) > MIN_COMPRESSED_BYTES
