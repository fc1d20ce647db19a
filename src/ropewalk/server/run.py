"""Running the application: a socket to listen on, then uvicorn."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
from dataclasses import dataclass

import uvicorn

from .api.wires import Wire
from .app import create_app
from .db.database import Database, format_url
from .db.migrate import migrate
from .services import ServerSettings

MAX_MESSAGE_BYTES = 16_384  # on a socket: the moves of a long game fit, for an analysis
SHUTDOWN_SECONDS = 5
PING_SECONDS = 20.0
BACKLOG = 2048
GC_THRESHOLDS = (50_000, 20, 100)  # new objects, collections, collections of those: thousands of matches are long-lived
THREAD_SWITCH_SECONDS = 0.0005  # a thread that has written waits no longer for its turn to say so


@dataclass(frozen=True)
class ListenAddress:
    """Where to listen, and whom to believe."""

    host: str
    port: int
    trusted_proxy: str | None = None
    quiet: bool = False


def serve(settings: ServerSettings, place: ListenAddress) -> int:
    """Serve until told to stop; refuses a database or an address that cannot be used before anything is started."""
    asyncio.run(prepare_database(settings))
    listening = open_socket(place)
    logging.basicConfig(
        level=logging.WARNING if place.quiet else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    for noisy in ("alembic", "sqlalchemy", "aiosqlite"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    host, port = listening.getsockname()[:2]
    print(f"Ropewalk at http://{host}:{port}/, kept in {format_url(settings.database)}", flush=True)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        ws=Wire,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,  # saves most of a socket's memory
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        proxy_headers=place.trusted_proxy is not None,
        forwarded_allow_ips=place.trusted_proxy,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=BACKLOG,
    )
    for asked in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked, signal.SIG_IGN)  # uvicorn hears them, ends, and raises them once more: that is no news to us
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.freeze()  # what is there now stays
    gc.set_threshold(*GC_THRESHOLDS)
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    return 0 if server.started else 1


async def prepare_database(settings: ServerSettings) -> None:
    """Bring the database up to date, or refuse in one line."""
    database = Database(settings.database)
    try:
        await migrate(database)
    finally:
        await database.close()


def open_socket(place: ListenAddress) -> socket.socket:
    """The socket to listen on."""
    family, kind, protocol, _, where = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(where)
    listening.listen(BACKLOG)
    return listening
