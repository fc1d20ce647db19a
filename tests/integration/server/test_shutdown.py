"""A server that is stopped ends soon, whatever its threads and clients are doing."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from ropewalk.server.run import SHUTDOWN_SECONDS
from tests.support.server_process import Client, run_server

MAX_SECONDS = 8.0  # compiling the kernels of one game takes longer
MAX_REQUEST_SECONDS = SHUTDOWN_SECONDS - 1  # a server that waited for its requests would take longer


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


def test_a_server_ends_event_streams_and_reports_no_error(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "matches.db"), log_file=tmp_path / "log") as server, ExitStack() as streams:
        response = streams.enter_context(Client(server).http.stream("GET", "/api/me/events"))
        lines = response.iter_lines()
        assert next(lines) == "", "the stream has begun"
        begin = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begin < MAX_REQUEST_SECONDS
        assert list(lines) == [], "the stream has a proper end"
    assert_no_error(tmp_path / "log")


def test_a_server_ends_analyses_and_reports_no_error(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "matches.db"), log_file=tmp_path / "log") as server, ThreadPoolExecutor(1) as thread:
        client = Client(server)
        request = {"spec": "tether-9", "level": 7, "seconds": 0.1}
        assert client.http.post("/api/positions/analyse", json=request).status_code == 200  # the engine has started
        answer = thread.submit(client.http.post, "/api/positions/analyse", json=request | {"seconds": 10})
        while "ropewalk_engine_jobs_running 1.0" not in client.http.get("/metrics").text:
            assert not answer.done()
            time.sleep(0.05)
        begin = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begin < MAX_REQUEST_SECONDS
        assert (answer.result().status_code, answer.result().json()["code"]) == (503, "busy")
    assert_no_error(tmp_path / "log")


def assert_no_error(log_file: Path) -> None:
    """Check that a log has neither errors nor tracebacks."""
    log = log_file.read_text()
    assert "Traceback" not in log
    assert "ERROR" not in log
