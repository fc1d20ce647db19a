"""The files in `deploy`: nginx with TLS before two servers on PostgreSQL, and the unit for systemd."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ropewalk.server.api.rate_limit import RATE_LIMITS
from tests.support.certificate import write_certificate
from tests.support.nginx import Nginx
from tests.support.postgres import Cluster
from tests.support.server_group import run_forked_group
from tests.support.server_process import Server, find_free_port

DEPLOY = Path(__file__).parents[3] / "deploy"
MAX_ABSENCE_SECONDS = 30.0  # benchmarks/cluster.py measures it; here other tests run at the same time
CLOSE_SECONDS = 1.0  # that a client waits for the answer when it closes a socket


class TlsSocket:
    """A WebSocket over TLS.

    It reads and writes in one thread: the blocking client of `websockets` uses two, with which Python's TLS sometimes loses
    the answer.
    """

    def __init__(self, address: str, context: ssl.SSLContext, cookie: str) -> None:
        self.runner = asyncio.Runner()
        try:
            self.socket = self.runner.run(self.connect(address, context, cookie))
        except BaseException:
            self.runner.close()
            raise

    async def connect(self, address: str, context: ssl.SSLContext, cookie: str) -> Any:
        """Open the connection."""
        headers = {"Cookie": cookie}
        return await connect(
            address, ssl=context, additional_headers=headers, open_timeout=MAX_ABSENCE_SECONDS, close_timeout=CLOSE_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.runner.run(self.socket.close())
        self.runner.close()

    def receive(self) -> Any:
        """Return the next message."""
        return json.loads(self.runner.run(asyncio.wait_for(self.socket.recv(), MAX_ABSENCE_SECONDS)))


class Site:
    """The site as a browser sees it, at https://localhost."""

    def __init__(self, servers: list[Server], nginx: Nginx, http_port: int, certificate: Path) -> None:
        self.servers = servers
        self.url = f"https://localhost:{nginx.port}"
        self.http_url = f"http://localhost:{http_port}"
        self.context = ssl.create_default_context(cafile=str(certificate))

    def open_client(self, address: str = "127.0.0.1", **headers: str) -> httpx.Client:
        """Return a client with an address of its own."""
        transport = httpx.HTTPTransport(verify=self.context, local_address=address)
        return httpx.Client(base_url=self.url, headers={"X-Ropewalk": "1", **headers}, transport=transport, timeout=30)

    def follow(self, client: httpx.Client, match_id: str) -> TlsSocket:
        """Return a socket that follows a match."""
        cookie = f"ropewalk_session={client.cookies['ropewalk_session']}"
        address = f"{self.url.replace('https', 'wss')}/api/matches/{match_id}/stream"
        return TlsSocket(address, self.context, cookie)


@pytest.fixture(scope="module")
def public_folder() -> Iterator[Path]:
    """A folder that nginx can read when it runs as another user."""
    with TemporaryDirectory(prefix="ropewalk-tls-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def site(cluster: Cluster, public_folder: Path) -> Iterator[Site]:
    certificate, key = write_certificate(public_folder)
    http_port = find_free_port()

    def format_site(port: int, server_ports: Sequence[int]) -> str:
        """Return deploy/nginx.conf with the ports, names and files of this test."""
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        changes = {
            "127.0.0.1:8001": f"127.0.0.1:{server_ports[0]}",
            "127.0.0.1:8002": f"127.0.0.1:{server_ports[1]}",
            "listen [::]:80;": "",
            "listen [::]:443 ssl;": "",
            "listen 80;": f"listen 127.0.0.1:{http_port};",
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "games.example.org": "localhost",
            "/etc/ssl/ropewalk/fullchain.pem": str(certificate),
            "/etc/ssl/ropewalk/privkey.pem": str(key),
        }
        for before, after in changes.items():
            assert before in text, before
            text = text.replace(before, after)
        return text

    with ExitStack() as stack:
        group = stack.enter_context(run_forked_group(cluster.new_database(), 2, with_nginx=False, rate_limit_scale=1))
        nginx = Nginx([server.port for server in group.servers], format_site)
        stack.callback(nginx.stop)
        yield Site(group.servers, nginx, http_port, certificate)


def test_plain_http_is_redirected(site: Site) -> None:
    response = httpx.get(f"{site.http_url}/lobby?game=tether")
    assert response.status_code == 301
    assert response.headers["Location"] == "https://localhost/lobby?game=tether"


def test_cookies_are_secure_and_browsers_are_told_to_use_tls(site: Site) -> None:
    with site.open_client() as client:
        response = client.post("/api/guests")
    assert response.status_code == 201
    assert "; Secure" in response.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in response.headers


def test_metrics_are_not_public(site: Site) -> None:
    with site.open_client() as client:
        assert client.get("/metrics").status_code == 403
        assert client.get("/api/health").status_code == 200


def test_limits_count_the_addresses_that_nginx_tells_and_not_those_of_clients(site: Site) -> None:
    with site.open_client("127.0.0.5") as greedy, site.open_client("127.0.0.6") as other:
        tries = [create_guest(greedy) for _ in range(5 * RATE_LIMITS["guests"].burst)]  # each server counts by itself
        assert tries.count(201) >= RATE_LIMITS["guests"].burst
        assert tries[-10:].count(429) > 5, "the limit permits some more in the meantime"
        spoofed = [create_guest(greedy, {"X-Forwarded-For": f"203.0.113.{number}"}) for number in range(10)]
        assert spoofed.count(429) > 5
        assert create_guest(other) == 201


def create_guest(client: httpx.Client, headers: Mapping[str, str] | None = None) -> int:
    """Ask for a new guest without a session; return the status of the response."""
    client.cookies.clear()
    return client.post("/api/guests", headers=headers).status_code


def test_players_go_on_within_seconds_when_a_server_is_killed(site: Site) -> None:
    with site.open_client("127.0.0.7") as first, site.open_client("127.0.0.8") as second:
        for client in (first, second):
            assert client.post("/api/guests").status_code == 201
        new = {"spec": "tether-5", "opponent": {"kind": "open"}, "seat": 0}
        match_id = first.post("/api/matches", json=new).json()["match"]["id"]
        assert second.post(f"/api/matches/{match_id}/join", json={}).status_code == 200
        absences = []
        for server in site.servers:
            with ExitStack() as stack:
                for client in (first, second):
                    stack.enter_context(site.follow(client, match_id))
                server.kill()
                began = time.monotonic()
                play_move((first, second), match_id)
                for client in (first, second):
                    reconnect(site, client, match_id)
                absences.append(time.monotonic() - began)
            server.restart()
        assert max(absences) < MAX_ABSENCE_SECONDS, absences
        assert first.get(f"/api/matches/{match_id}").json()["state"]["move_count"] == len(site.servers)
        print("absences in seconds:", *(f"{absence:.2f}" for absence in absences))


def test_the_players_of_a_match_reach_the_same_server(site: Site) -> None:
    with site.open_client("127.0.0.9") as first, site.open_client("127.0.0.10") as second:
        for client in (first, second):
            assert client.post("/api/guests").status_code == 201
        used = set()
        for _ in range(8):
            new = {"spec": "tether-5", "opponent": {"kind": "open"}, "seat": 0}
            match_id = first.post("/api/matches", json=new).json()["match"]["id"]
            with site.follow(first, match_id) as one, site.follow(second, match_id) as other:
                assert one.receive()
                assert other.receive()
                counts = [count_sockets(server) for server in site.servers]
            assert sorted(counts) == [0, 2]
            used.add(counts.index(2))
            wait_until(lambda: not any(count_sockets(server) for server in site.servers))
        assert used == {0, 1}, "matches are spread over the servers"


def count_sockets(server: Server) -> int:
    """Return the number of WebSocket connections of a server, from its metrics."""
    lines = httpx.get(f"{server.url}/metrics").text.splitlines()
    return next(int(float(line.split()[1])) for line in lines if line.startswith("ropewalk_websocket_connections "))


def wait_until(is_true: Callable[[], bool]) -> None:
    """Wait until a condition holds, for some seconds."""
    until = time.monotonic() + MAX_ABSENCE_SECONDS
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.05)


def play_move(clients: Sequence[httpx.Client], match_id: str) -> None:
    """Play the first legal move for the seat to move; repeats the request as the page does."""
    until = time.monotonic() + MAX_ABSENCE_SECONDS
    while True:
        response = clients[0].get(f"/api/matches/{match_id}")
        if response.status_code == 200:
            state: Any = response.json()["state"]
            move = {"type": "move", "move": state["position"]["moves"][0], "position_version": state["position_version"]}
            body = move | {"request_id": f"move-{state['seq']}"}
            response = clients[state["seat"]].post(f"/api/matches/{match_id}/actions", json=body)
        if response.status_code == 200:
            return
        assert time.monotonic() < until, (response.status_code, response.text)
        time.sleep(0.1)


def reconnect(site: Site, client: httpx.Client, match_id: str) -> None:
    """Open a socket until one receives its snapshot, as the page does."""
    until = time.monotonic() + MAX_ABSENCE_SECONDS
    while True:
        try:
            with site.follow(client, match_id) as socket:
                assert socket.receive()
                return
        except (OSError, InvalidHandshake, ConnectionClosed):
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_valid(tmp_path: Path) -> None:
    unit = (DEPLOY / "ropewalk@.service").read_text(encoding="utf-8")
    file = tmp_path / "ropewalk@.service"
    file.write_text(unit.replace("/opt/ropewalk/bin/ropewalk", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
