"""nginx as a load balancer before several servers, with its files in a temporary folder and on a loopback port."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.support.server_process import find_free_port

START_SECONDS = 10.0
MAX_CONNECTIONS = 16_384
CONFIGURATION = """
worker_processes 1;
worker_rlimit_nofile {files};
daemon off;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections {connections}; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{site}
}}
"""
SITE = """
  map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
  map $uri $match_key {{ ~^/api/matches/(?<match>[^/]+) $match; default $request_id; }}
  upstream servers {{ {policy}; {servers} }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_connect_timeout 2s;
      proxy_read_timeout 90s;
      proxy_buffering off;
    }}
  }}
"""


def format_site(port: int, server_ports: Sequence[int], policy: str = "random") -> str:
    """Return the configuration of a site without TLS on a loopback port, before servers on other ports."""
    servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in server_ports)
    return SITE.format(port=port, servers=servers, policy=policy)


def format_site_by_match(port: int, server_ports: Sequence[int]) -> str:
    """Return the configuration of a site that sends the sockets of a match to one server, as `deploy/nginx.conf` does."""
    return format_site(port, server_ports, "hash $match_key consistent")


def find_nginx() -> str | None:
    """Return the path of nginx, None if it is not installed."""
    return shutil.which("nginx", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


class Nginx:
    """An nginx before the ports of servers, at random by default; if a server refuses, the next one is asked."""

    def __init__(self, server_ports: Sequence[int], format_site: Callable[[int, Sequence[int]], str] = format_site) -> None:
        program = find_nginx()
        assert program is not None, "nginx is not installed: `make nginx` installs it"
        self.port = find_free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="ropewalk-nginx-"))
        user = "nobody" if os.getuid() == 0 else None
        if user is not None:
            shutil.chown(self.folder, user)
        configuration = CONFIGURATION.format(folder=self.folder, site=format_site(self.port, server_ports),
                                             connections=MAX_CONNECTIONS, files=MAX_CONNECTIONS + 64)  # fmt: skip
        (self.folder / "nginx.conf").write_text(configuration, encoding="utf-8")
        command = [program, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "error.log"]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, user=user, start_new_session=True)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until nginx accepts connections."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError(f"nginx does not start: {self.read_log()}")

    def read_log(self) -> str:
        """Return the error log."""
        path = self.folder / "error.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def worker_pid(self) -> int:
        """The process id of the worker, which does all work."""
        children = [self.process.pid]
        while children:
            last = children[0]
            children = list_children(last)
        return last

    def stop(self) -> None:
        """Stop nginx and remove its folder."""
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def list_children(pid: int) -> list[int]:
    """Return the ids of the child processes of a process."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
