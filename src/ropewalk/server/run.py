"""Entry point of a server: migrates the database, opens a socket and serves the application with uvicorn."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
from typing import NoReturn

import uvicorn

from .app import create_app
from .connection_limits import raise_file_limit
from .db.database import Database, format_url
from .db.migrate import migrate
from .db.server_lock import acquire_server_lock
from .logs import configure_logging
from .protocols import bind_protocols
from .services import AppServices
from .settings import ServerSettings

MAX_MESSAGE_BYTES = 16_384  # of a socket: an analysis request contains all moves of a game
SHUTDOWN_SECONDS = 5
PING_SECONDS = 20.0
BACKLOG = 2048
GC_THRESHOLDS = (50_000, 20, 100)  # new objects, collections, collections of those: thousands of matches are long-lived
THREAD_SWITCH_SECONDS = 0.0005  # so that a thread that has stored events can report it soon


def serve(settings: ServerSettings) -> int:
    """Serve until a signal ends the server. Returns the exit code.

    Raises:
        DatabaseError: The database cannot be used, or another server uses the SQLite file; nothing was started.
        OSError: The address cannot be used.
    """
    server_lock = acquire_server_lock(settings.database)  # released when this process ends, also by SIGKILL
    asyncio.run(prepare_database(settings))
    listening = open_socket(settings)
    configure_logging(settings.log_format, quiet=settings.quiet)
    host, port = listening.getsockname()[:2]
    app = create_app(settings)
    limits = app.state.transport_limits
    limits.max_connections = raise_file_limit(settings.max_connections)
    http_protocol, socket_protocol = bind_protocols(limits)
    config = uvicorn.Config(
        app,
        http=http_protocol,
        ws=socket_protocol,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,  # compression costs most of the memory of a socket
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        proxy_headers=settings.trusted_proxy is not None,
        forwarded_allow_ips=settings.trusted_proxy,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=BACKLOG,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # uvicorn handles them and raises them once more at the end
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.freeze()  # modules and kernels stay
    gc.set_threshold(*GC_THRESHOLDS)
    announcement = f"Ropewalk at http://{host}:{port}/, database {format_url(settings.database)}"
    server = AnnouncingServer(config, announcement, app.state.services)
    server.run(sockets=[listening])
    if server_lock is not None:
        server_lock.close()
    exit_code = 0 if server.started else 1
    if threading.active_count() > 1:
        exit_at_once(exit_code)
    return exit_code


def exit_at_once(exit_code: int) -> NoReturn:
    """End the process without waiting for its threads: all is stored, and compiling a kernel may take a minute."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)


class AnnouncingServer(uvicorn.Server):
    """A server that prints a line as soon as it accepts connections, and ends long requests when it stops."""

    def __init__(self, config: uvicorn.Config, announcement: str, services: AppServices) -> None:
        super().__init__(config)
        self.announcement = announcement
        self.services = services

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then listen, then print the line."""
        await super().startup(sockets)
        if self.started:
            print(self.announcement, flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the long requests, which uvicorn would wait for, then stop as uvicorn does."""
        self.services.begin_stop()
        await super().shutdown(sockets)


async def prepare_database(settings: ServerSettings) -> None:
    """Migrate the database of the settings without a time limit, and close it."""
    database = Database(settings.database, timeout_seconds=None)
    try:
        await migrate(database)
    finally:
        await database.close()


def open_socket(settings: ServerSettings) -> socket.socket:
    """Return a socket with the address of the settings.

    uvicorn listens on it when the application has started. Until then connections are refused, so that a load balancer
    tries another server instead of waiting for this one.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError:
        listening.close()
        raise
    return listening
