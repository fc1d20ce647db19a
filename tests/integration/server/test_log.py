"""The log of a server: it has no addresses of clients and no secrets of links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
from websockets.sync.client import connect

from tests.support.server_process import START_SECONDS

KEY = "the-secret-of-a-link"


def test_the_log_has_no_addresses_of_clients_and_no_keys(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ropewalk", "serve", "--port", "0", "--engine-workers", "1", "--no-warm-up"]
    with (tmp_path / "log").open("w+", encoding="utf-8") as log:
        server = subprocess.Popen(
            [*command, "--database", str(tmp_path / "matches.db")], stdout=subprocess.PIPE, stderr=log, text=True
        )
        try:
            assert server.stdout is not None
            url = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
            assert url is not None
            client = httpx.Client(base_url=url[0], timeout=START_SECONDS, headers={"X-Ropewalk": "1"})
            client.get("/api/health")
            ports = [open_socket(url[0], "lobby"), open_socket(url[0], "matches/unknown")]
            client.post("/api/matches/unknown/join", params={"key": KEY})
            client.close()
        finally:
            server.terminate()
            server.communicate(timeout=60)
        text = (tmp_path / "log").read_text(encoding="utf-8")
    assert "Application startup complete" in text, "the log is not empty"
    assert KEY not in text
    assert not [port for port in ports if str(port) in text]


def open_socket(url: str, path: str) -> int:
    """Open a socket with a key in its address, and return the port of the client."""
    with connect(f"{url.replace('http', 'ws')}/api/{path}/stream?key={KEY}") as socket:
        socket.recv(timeout=START_SECONDS)
        return int(socket.local_address[1])
