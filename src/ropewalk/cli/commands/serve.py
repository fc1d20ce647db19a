"""`ropewalk serve`: the table, for browsers and bots."""

from __future__ import annotations

import os
from argparse import Namespace

from ..arguments import Parser, UsageError, seconds, whole

USUAL_PORT = 8000
DATABASE = "ropewalk.db"

DESCRIPTION = (
    "Serve matches between people and bots, to browsers at http://HOST:PORT/ and to programs at /api. Everything is kept in "
    "one SQLite file, or in a PostgreSQL database that several servers may share; what is acknowledged is on the disk. The "
    "database is made, or brought up to date, when the server starts. Ctrl-C or SIGTERM ends it after what was begun; a "
    "sudden end loses nothing either. /api/health says whether it is well, /api/metrics has figures for Prometheus. Behind "
    "a proxy, let that speak https and name its address in --proxy. 'ropewalk backup' copies the database while it runs. "
    "docs/server.md is the manual."
)

EXAMPLES = [
    ("ropewalk serve", "on this machine only, kept in ropewalk.db"),
    ("ropewalk serve --host 0.0.0.0 --port 80 --database /var/lib/ropewalk/club.db", "for a club"),
    ("ropewalk serve --database postgresql://ropewalk@db/ropewalk --proxy 10.0.0.1", "one of several, behind a proxy"),
]


def define(parser: Parser) -> None:
    """Where to listen, where to keep things, and how much to think."""
    parser.add_argument("--host", metavar="NAME", default="127.0.0.1", help="listen here; 0.0.0.0 for everybody (127.0.0.1)")
    parser.add_argument(
        "--port", metavar="N", type=whole(0, 65535), default=USUAL_PORT, help=f"({USUAL_PORT}); 0 for any that is free"
    )
    add_database(parser)
    words = "processes in which bots think, up to 800 MB each (as many as there are processors)"
    parser.add_argument("--engines", metavar="N", type=whole(1, 256), default=os.cpu_count() or 1, help=words)
    words = "compile a game's bots when they are first needed, not in the background after the start"
    parser.add_argument("--cold", action="store_true", help=words)
    words = "times the usual limits of requests, guests, moves and sockets; 0 lifts them, for trusted networks (1)"
    parser.add_argument("--rate", metavar="TIMES", type=seconds(0, 1000), default=1.0, help=words)
    words = "believe what this proxy says of visitors' addresses and https"
    parser.add_argument("--proxy", metavar="ADDRESS", help=words)
    parser.add_argument("--quiet", action="store_true", help="log warnings only")


def add_database(parser: Parser) -> None:
    """Where everything is kept."""
    words = f"a file, or postgresql://USER@HOST/NAME ({DATABASE}); one with a password is better set as ROPEWALK_DATABASE"
    parser.add_argument("--database", metavar="URL", default=os.environ.get("ROPEWALK_DATABASE") or DATABASE, help=words)


def act(arguments: Namespace) -> int:
    """Serve until told to stop."""
    from ...server.storage.database import read_url

    url = read_url(arguments.database)  # first of all: to refuse a wrong one takes nothing else

    from ...server.house import HouseSettings
    from ...server.serving import Place, serve

    settings = HouseSettings(url, arguments.engines, warming=not arguments.cold, rate=arguments.rate)
    try:
        return serve(settings, Place(arguments.host, arguments.port, arguments.proxy, arguments.quiet))
    except OSError as error:
        raise UsageError(f"cannot listen on {arguments.host} port {arguments.port}: {error.strerror or error}") from None
