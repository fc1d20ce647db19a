"""`ropewalk backup`: a copy of a server's database, while it runs."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..arguments import Parser
from .serve import add_database

DESCRIPTION = (
    "Copy a server's database into a file, while the server runs: the copy is of one moment, whole or not there at all. "
    "'ropewalk restore' puts it back. A PostgreSQL database is copied by its own pg_dump."
)

EXAMPLES = [
    ("ropewalk backup monday.db", "of ropewalk.db"),
    ("ropewalk backup --database /var/lib/ropewalk/club.db /backups/club.db", "of another"),
]


def define(parser: Parser) -> None:
    """From where, to where."""
    parser.add_argument("file", metavar="FILE", help="write the copy here")
    add_database(parser)


def act(arguments: Namespace) -> int:
    """Make the copy."""
    from ...server.storage.backup import back_up
    from ...server.storage.database import read_url, shown

    url = read_url(arguments.database)
    back_up(url, Path(arguments.file))
    print(f"{shown(url)} is copied into {arguments.file}")
    return 0
