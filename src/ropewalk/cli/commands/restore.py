"""`ropewalk restore`: a copy back in its place."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..arguments import Parser
from .serve import add_database

DESCRIPTION = (
    "Put a copy that 'ropewalk backup' made in the place of a server's database. All that happened since the copy is gone. "
    "A server that runs notices within a second, and shows everybody the matches as they are now."
)

EXAMPLES = [
    ("ropewalk restore monday.db", "into ropewalk.db"),
    ("ropewalk restore --database /var/lib/ropewalk/club.db /backups/club.db", "into another"),
]


def define(parser: Parser) -> None:
    """From where, to where."""
    parser.add_argument("file", metavar="FILE", help="the copy")
    add_database(parser)


def act(arguments: Namespace) -> int:
    """Put the copy back."""
    from ...server.storage.backup import restore
    from ...server.storage.database import read_url, shown

    url = read_url(arguments.database)
    restore(url, Path(arguments.file))
    print(f"{shown(url)} is now as {arguments.file} has it")
    return 0
