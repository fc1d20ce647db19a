"""Engines on other machines: real workers of a real server without engines of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from ropewalk.server.engine_pool.leases import LEASE_SECONDS
from tests.support.server_process import Client, Server, run_server

TIMEOUT_SECONDS = 240.0  # kernels may have to be compiled
REMOTE = ("--engine-workers", "0", "--no-warm-up", "--rate-limit-scale", "0")
ANALYSIS: dict[str, Any] = {"spec": "tether-5", "level": 3, "seconds": 0.5}
CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 0}
# A worker of another version.
OTHER_VERSION = (
    "import ropewalk.server.engine_worker.worker as worker; worker.__version__ = '9.9'; "
    "from ropewalk.cli.main import run; run()"
)


class Worker:
    """`ropewalk engine-worker` with one engine; a thread reads its lines."""

    def __init__(self, name: str, token: str, *urls: str, program: tuple[str, ...] = ("-m", "ropewalk")) -> None:
        servers = [word for url in urls for word in ("--server", url)]
        command = [sys.executable, *program, "engine-worker", *servers, "--engines", "1", "--name", name, "--no-warm-up"]
        environment = os.environ | {"ROPEWALK_ENGINE_TOKEN": token}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
        self.lines: list[str] = []
        self.reader = Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        self.lines += self.process.stdout

    def count_done(self) -> int:
        """The number of jobs that it has finished."""
        return sum(": done after" in line for line in list(self.lines))

    def kill(self) -> None:
        """Kill the worker, as a power cut would; its engine notices that and ends."""
        self.process.kill()
        self.process.wait()

    def wait(self) -> int:
        """Wait for the end of the worker, and return its exit code."""
        code = self.process.wait(TIMEOUT_SECONDS)
        self.reader.join()
        return code


@contextmanager
def run_workers(*workers: Worker) -> Iterator[None]:
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.reader.join()
            assert worker.process.stdout is not None
            worker.process.stdout.close()


@pytest.fixture(scope="module")
def token_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokens") / "engines.txt"


@pytest.fixture(scope="module")
def token(token_file: Path) -> str:
    """A token that the operator has created."""
    command = [sys.executable, "-m", "ropewalk", "engine-token", str(token_file), "add", "attic"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def remote_server(token_file: Path, token: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without engines of its own."""
    database = str(tmp_path_factory.mktemp("remote") / "matches.db")
    with run_server(database, *REMOTE, "--engine-tokens", str(token_file)) as server:
        yield server


def wait_for(condition: Any, seconds: float = TIMEOUT_SECONDS) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def read_metric(server: Server, name: str) -> float:
    text = httpx.get(f"{server.url}/metrics").text
    return next(float(line.split()[1]) for line in text.splitlines() if line.split()[0] == name)


def start_bot_match(client: Client, level: int = 8) -> str:
    """Start a match in which a bot of a high level has to move, with many seconds to search."""
    created = client.create_match("tether-19", "bot", level=level, seat=1, clock=CLOCK)
    match: str = created["match"]["id"]
    return match


def test_without_any_engine_an_analysis_is_refused_at_once(remote_server: Server) -> None:
    error = Client(remote_server).request("POST", "/api/positions/analyse", 503, **ANALYSIS)
    assert (error["code"], "no engine is connected" in error["message"]) == ("busy", True)


def test_two_workers_share_the_jobs_and_one_that_is_killed_loses_nothing(remote_server: Server, token: str) -> None:
    server, client = remote_server, Client(remote_server)
    first, second = workers = [Worker(name, token, server.url) for name in ("first", "second")]
    with run_workers(*workers):
        wait_for(lambda: read_metric(server, "ropewalk_engine_remote_workers") == 2)
        while not all(worker.count_done() for worker in workers):
            threads = [Thread(target=client.request, args=("POST", "/api/positions/analyse"), kwargs=ANALYSIS) for _ in "ab"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        second.kill()
        match = start_bot_match(client)
        wait_for(lambda: read_metric(server, "ropewalk_engine_jobs_running") == 1)
        time.sleep(0.4)  # in the middle of the move
        assert client.get_match(match)["state"]["move_count"] == 0
        expired = read_metric(server, "ropewalk_engine_leases_expired_total")  # on a busy machine more than 0
        first.kill()
        wait_for(lambda: read_metric(server, "ropewalk_engine_leases_expired_total") > expired, 6 * LEASE_SECONDS)
        third = Worker("third", token, server.url)
        with run_workers(third):
            wait_for(lambda: client.get_match(match)["state"]["move_count"] == 1)
            wait_for(third.count_done)


def test_a_worker_that_is_interrupted_hands_its_job_back_at_once(remote_server: Server, token: str) -> None:
    server, client = remote_server, Client(remote_server)
    worker = Worker("interrupted", token, server.url)
    with run_workers(worker):
        match = start_bot_match(client)
        wait_for(lambda: read_metric(server, "ropewalk_engine_jobs_running") == 1)
        time.sleep(0.4)
        worker.process.send_signal(signal.SIGINT)
        wait_for(lambda: read_metric(server, "ropewalk_engine_queue_length") == 1, LEASE_SECONDS)
        assert worker.wait() == 0
    assert any("handed back" in line for line in worker.lines)
    assert worker.lines[-1] == "stopped after 0 jobs\n"
    client.act(match, "abort")


def test_a_live_analysis_reports_while_a_remote_worker_searches(remote_server: Server, token: str) -> None:
    from tests.integration.server.test_analysis_stream import open_analysis_socket

    worker = Worker("live", token, remote_server.url)
    with run_workers(worker), open_analysis_socket(remote_server) as socket:
        wait_for(lambda: read_metric(remote_server, "ropewalk_engine_remote_workers") >= 1)
        socket.send_request(seconds=4)
        *reports, final = socket.read_to_end()
        assert len(reports) >= 2
        assert final["is_final"]
        socket.send_request(seconds=60, request_id="cancelled")
        while socket.read().get("request_id") != "cancelled":
            pass
        socket.send_request(seconds=0.2, request_id="next")
        started_at = time.monotonic()
        while (message := socket.read())["request_id"] != "next" or not message.get("is_final"):
            pass
        assert time.monotonic() - started_at < 20, "the search before was ended"


def test_one_worker_serves_several_servers_and_waits_for_one_that_is_away(
    remote_server: Server, token: str, token_file: Path, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        arguments = (*REMOTE, "--engine-tokens", str(token_file))
        other = stack.enter_context(run_server(str(tmp_path / "matches.db"), *arguments))
        other.kill()
        worker = Worker("both", token, remote_server.url, other.url)
        stack.enter_context(run_workers(worker))
        wait_for(lambda: any("cannot be reached" in line for line in worker.lines))
        wait_for(lambda: read_metric(remote_server, "ropewalk_engine_remote_workers") >= 1)
        Client(remote_server).request("POST", "/api/positions/analyse", **ANALYSIS)
        other.restart()
        wait_for(lambda: read_metric(other, "ropewalk_engine_remote_workers") == 1)
        for server in (other, remote_server, other):
            Client(server).request("POST", "/api/positions/analyse", **ANALYSIS)
        wait_for(lambda: worker.count_done() == 4)


@pytest.mark.parametrize(
    ("program", "is_valid", "message"),
    [
        (("-c", OTHER_VERSION), True, r"the worker has version 9\.9 .*; install Ropewalk"),
        (("-m", "ropewalk"), False, "the engine token is missing or not valid; the operator creates one"),
    ],
    ids=["version", "token"],
)
def test_a_worker_that_is_refused_says_why_and_ends(
    remote_server: Server, token: str, program: tuple[str, ...], is_valid: bool, message: str
) -> None:
    worker = Worker("refused", token if is_valid else "wrong", remote_server.url, program=program)
    with run_workers(worker):
        assert worker.wait() == 1
    assert any(re.search(f"refuses this worker: {message}", line) for line in worker.lines), worker.lines
