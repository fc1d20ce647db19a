"""Several servers on one database, with nginx before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.support.light_client import Endpoint
from tests.support.nginx import Nginx, format_site, format_site_by_match
from tests.support.server_process import ForkedServer, Server, find_free_port, start_shared_fork_server

CLOCK_SETTING = "clock_offset_file"  # a file with the milliseconds by which the clock of a server is wrong
SERVER_ARGUMENTS = ("--engine-workers", "1", "--no-warm-up", "--trusted-proxy", "127.0.0.1")


class ServerGroup:
    """Servers that share a database; clients reach them through nginx, or directly if there is only one."""

    def __init__(self, servers: list[Server], nginx: Nginx | None) -> None:
        self.servers = servers
        self.nginx = nginx

    def endpoint(self, client: int | None = None) -> Endpoint:
        """Return where clients connect to; a numbered client has a local address of its own."""
        port = self.servers[0].port if self.nginx is None else self.nginx.port
        return Endpoint(port, None if client is None else format_address(client))

    def server_endpoint(self, index: int) -> Endpoint:
        """Return the address of one server, without nginx."""
        return Endpoint(self.servers[index].port)


def format_address(number: int) -> str:
    """Return one of the addresses of the loopback interface, a different one for each number below 65,000."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


@contextmanager
def run_forked_group(
    database: str,
    count: int,
    logs: Path | None = None,
    with_nginx: bool = True,
    by_match: bool = False,
    **settings: Any,
) -> Iterator[ServerGroup]:
    """Yield servers that are ready within a tenth of a second after a kill; `settings` are those of all servers.

    `by_match` makes nginx send a match to one server.
    """
    with ExitStack() as stack:
        fork_server = start_shared_fork_server()

        def start(number: int) -> Server:
            if logs is None:
                return ForkedServer(fork_server, database, None, trusted_proxy="127.0.0.1", **settings)
            clock = {CLOCK_SETTING: str(logs / f"clock-{number}")}
            log_file = logs / f"server-{number}.log"
            return ForkedServer(fork_server, database, log_file, trusted_proxy="127.0.0.1", **clock, **settings)

        yield start_group(stack, count, start, with_nginx, by_match)


@contextmanager
def run_group(database: str, count: int) -> Iterator[ServerGroup]:
    """Yield servers in processes of their own, as an operator starts them."""
    with ExitStack() as stack:

        def start(number: int) -> Server:
            return Server(database, *SERVER_ARGUMENTS, port=find_free_port())

        yield start_group(stack, count, start, with_nginx=True)


def start_group(
    stack: ExitStack, count: int, start: Callable[[int], Server], with_nginx: bool, by_match: bool = False
) -> ServerGroup:
    """Start servers and nginx, which the stack stops."""
    servers = []
    for number in range(count):
        servers.append(start(number))
        stack.callback(servers[-1].stop)
    if not with_nginx:
        return ServerGroup(servers, None)
    nginx = Nginx([server.port for server in servers], format_site_by_match if by_match else format_site)
    stack.callback(nginx.stop)
    return ServerGroup(servers, nginx)
