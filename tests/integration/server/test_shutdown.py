"""A server that is stopped ends soon, whatever its threads are doing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.server_process import Client, run_server

MAX_SECONDS = 8.0  # compiling the kernels of one game takes longer


def test_a_server_does_not_wait_for_kernels_that_are_being_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_CACHE_DIR", str(tmp_path / "cache"))
    with run_server(str(tmp_path / "matches.db"), "--engine-workers", "1", "--no-warm-up") as server:
        client = Client(server)
        match = client.create_match("cube-lariat-4", "self")["match"]["id"]
        begin = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begin < MAX_SECONDS
        server.restart()
        assert client.get_match(match)["id"] == match
