"""`ropewalk serve`, `ropewalk open`, `ropewalk backup` and `ropewalk restore`: the server and its database."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
import urllib.request
import webbrowser
from argparse import Namespace
from pathlib import Path

from ...games.registry import games
from ...paths import data_dir
from ..arguments import Parser, UsageError, make_float_parser, make_int_parser
from ..command import EXIT_OK, Command

DEFAULT_PORT = 8000
DEFAULT_DATABASE = "ropewalk.db"

SERVE_DESCRIPTION = (
    "Serve matches between people and bots, to browsers at http://HOST:PORT/ and to programs at /api. Data is stored "
    "in one SQLite file, or in a PostgreSQL database that several servers may share. An acknowledged request is on "
    "disk. The database is created or migrated when the server starts. Ctrl-C or SIGTERM shuts the server down after "
    "the requests in progress; a crash loses no acknowledged data. /api/health reports the state, /metrics provides "
    "metrics for Prometheus. Behind a proxy, terminate HTTPS in the proxy and pass its address to --trusted-proxy. "
    "'ropewalk backup' copies the database while the server runs. The manual is docs/server.md."
)

SERVE_EXAMPLES = [
    ("ropewalk serve", "for this machine only, stored in ropewalk.db"),
    ("ropewalk serve --host 0.0.0.0 --port 80 --database /var/lib/ropewalk/club.db", "for a club"),
    (
        "ropewalk serve --database postgresql://ropewalk@db/ropewalk --trusted-proxy 10.0.0.1",
        "one of several servers, behind a proxy",
    ),
]


def add_serve_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk serve`."""
    parser.usage = "ropewalk serve [options]"  # the full list does not fit a narrow terminal
    parser.add_argument("--host", metavar="NAME", help="address to listen on; 0.0.0.0 for all interfaces (127.0.0.1)")
    parser.add_argument(
        "--port",
        metavar="N",
        type=make_int_parser(0, 65535),
        help=f"port to listen on; 0 for any free port ({DEFAULT_PORT})",
    )
    add_database(parser)
    help_text = "number of engine processes, up to 900 MB each; 0 for remote ones only (default: the number of processors)"
    parser.add_argument("--engine-workers", metavar="N", type=make_int_parser(0, 256), help=help_text)
    help_text = "file with the tokens of remote engine workers, written by 'ropewalk engine-token' (default: none)"
    parser.add_argument("--engine-tokens", metavar="FILE", help=help_text)
    help_text = "compile kernels when they are first needed instead of in the background after the start"
    parser.add_argument("--no-warm-up", action="store_true", help=help_text)
    help_text = "factor on the rate limits of requests, guests, moves and sockets; 0 for no limits, in trusted networks (1)"
    parser.add_argument("--rate-limit-scale", metavar="X", type=make_float_parser(0, 1000), help=help_text)
    help_text = "trust X-Forwarded-For and X-Forwarded-Proto from this address"
    parser.add_argument("--trusted-proxy", metavar="ADDRESS", help=help_text)
    parser.add_argument("--quiet", action="store_true", default=None, help="log warnings only")
    parser.add_argument("--log-format", choices=("text", "json"), help="format of the log: lines of text or of JSON (text)")


def add_database(parser: Parser) -> None:
    """Add the option --database."""
    hint = "set a URL with a password as ROPEWALK_DATABASE_URL instead"
    help_text = f"an SQLite file or postgresql://USER@HOST/NAME ({DEFAULT_DATABASE}); {hint}"
    parser.add_argument(
        "--database", metavar="URL", default=os.environ.get("ROPEWALK_DATABASE_URL") or DEFAULT_DATABASE, help=help_text
    )


def run_serve(arguments: Namespace) -> int:
    """Serve until a signal ends the server; return the exit code."""
    from ...server.db.database import parse_url

    parse_url(arguments.database)  # first of all: to reject an invalid one needs nothing else

    from ...server.run import serve
    from ...server.settings import load_settings

    settings = load_settings(
        database_url=arguments.database,
        host=arguments.host,
        port=arguments.port,
        engine_workers=arguments.engine_workers,
        engine_tokens=arguments.engine_tokens,
        warm_up=False if arguments.no_warm_up else None,
        rate_limit_scale=arguments.rate_limit_scale,
        trusted_proxy=arguments.trusted_proxy,
        quiet=arguments.quiet,
        log_format=arguments.log_format,
    )
    try:
        return serve(settings)
    except OSError as error:
        raise UsageError(f"cannot listen on {settings.host} port {settings.port}: {error.strerror or error}") from None


HOST = "127.0.0.1"
START_TIMEOUT_SECONDS, POLL_SECONDS = 120.0, 0.5

OPEN_DESCRIPTION = (
    "Start a server on this machine and open its page in a browser, to play against bots or against people at the "
    "same screen. Games are stored in the user's data folder. Press Ctrl-C to stop. For more options, use 'ropewalk "
    "serve'."
)

OPEN_EXAMPLES = [
    ("ropewalk", "same as ropewalk open"),
    ("ropewalk open --no-browser", "print the address only"),
]


def add_open_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk open`."""
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")
    parser.add_argument(
        "--database", metavar="FILE", help="SQLite file for the games (default: ropewalk.db in the user's data folder)"
    )


def run_open(arguments: Namespace) -> int:
    """Serve on this machine and open the page as soon as the server answers; return the exit code."""
    print("Starting the server ...", flush=True)
    from ...server.run import serve
    from ...server.settings import load_settings

    port = find_free_port()
    database = arguments.database or str(default_database())
    settings = load_settings(database_url=database, host=HOST, port=port, quiet=True)
    address = f"http://{HOST}:{port}/"
    threading.Thread(target=announce, args=(address, not arguments.no_browser), daemon=True).start()
    return serve(settings)


def default_database() -> Path:
    """Return the database file in the user's data directory, which is created if necessary."""
    folder = data_dir()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "ropewalk.db"


def find_free_port() -> int:
    """Return DEFAULT_PORT, or any free port if that is in use."""
    for port in (DEFAULT_PORT, 0):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((HOST, port))
            except OSError:
                continue
            free: int = trial.getsockname()[1]
            return free
    return 0


def announce(address: str, open_browser: bool) -> None:
    """Open the page when the server answers, then print for how many games bots are ready, in one line."""
    until = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < until and count_compiled_games(address) is None:
        time.sleep(POLL_SECONDS)
    if open_browser:
        webbrowser.open(address)
    ready, all_games = -1, len(games())
    while ready < all_games:
        count = count_compiled_games(address)
        if count is not None and count != ready:
            ready = count
            print(f"\rBots ready: {ready} of {all_games} games ", end="" if ready < all_games else "\n", flush=True)
        time.sleep(POLL_SECONDS)


def count_compiled_games(address: str) -> int | None:
    """Return for how many games bots are ready; None if the server does not answer."""
    try:
        with urllib.request.urlopen(f"{address}api/health", timeout=5) as answer:
            return len(json.load(answer)["compiled_games"])
    except OSError:
        return None


BACKUP_DESCRIPTION = (
    "Copy the database of a server to a file while the server runs. The copy is a consistent snapshot; if the command "
    "fails, no file is written. 'ropewalk restore' restores it. A PostgreSQL database is copied with pg_dump."
)

BACKUP_EXAMPLES = [
    ("ropewalk backup monday.db", "copy ropewalk.db"),
    ("ropewalk backup --database /var/lib/ropewalk/club.db /backups/club.db", "copy another database"),
]


def add_backup_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk backup`."""
    parser.add_argument("file", metavar="FILE", help="file to write")
    add_database(parser)


def run_backup(arguments: Namespace) -> int:
    """Copy the database into a file; return the exit code."""
    from ...server.db.backup import back_up
    from ...server.db.database import format_url, parse_url

    url = parse_url(arguments.database)
    back_up(url, Path(arguments.file))
    print(f"{format_url(url)} was copied to {arguments.file}")
    return EXIT_OK


RESTORE_DESCRIPTION = (
    "Replace the database of a server by a file written by 'ropewalk backup'. All changes since the backup are lost. "
    "A running server notices the change within a second and sends the restored matches to all clients."
)

RESTORE_EXAMPLES = [
    ("ropewalk restore monday.db", "restore ropewalk.db"),
    ("ropewalk restore --database /var/lib/ropewalk/club.db /backups/club.db", "restore another database"),
]


def add_restore_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk restore`."""
    parser.add_argument("file", metavar="FILE", help="backup to restore")
    add_database(parser)


def run_restore(arguments: Namespace) -> int:
    """Replace the database by a copy; return the exit code."""
    from ...server.db.backup import restore
    from ...server.db.database import format_url, parse_url

    url = parse_url(arguments.database)
    restore(url, Path(arguments.file))
    print(f"{format_url(url)} was restored from {arguments.file}")
    return EXIT_OK


COMMANDS = {
    "serve": Command(SERVE_DESCRIPTION, SERVE_EXAMPLES, add_serve_arguments, run_serve),
    "open": Command(OPEN_DESCRIPTION, OPEN_EXAMPLES, add_open_arguments, run_open),
    "backup": Command(BACKUP_DESCRIPTION, BACKUP_EXAMPLES, add_backup_arguments, run_backup),
    "restore": Command(RESTORE_DESCRIPTION, RESTORE_EXAMPLES, add_restore_arguments, run_restore),
}
