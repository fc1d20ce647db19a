"""`ropewalk convert`: game records from SGF into JSON and back, without loss."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..text import one_line, plural
from .parser import Parser
from .verify import add_recover

DESCRIPTION = (
    "Write the game records of one file into another, which ends in .sgf or .json. Nothing is lost either way; what "
    "Ropewalk does not understand is kept as it is. SGF is written in UTF-8."
)

EXAMPLES = [
    ("ropewalk convert game.sgf game.json", "SGF into JSON"),
    ("ropewalk convert more.json more.sgf", "and back"),
    ("ropewalk convert damaged.sgf sound.sgf --recover", "what is left of a damaged file"),
]


def define(parser: Parser) -> None:
    """Two files."""
    parser.add_argument("source", metavar="IN", help="a file of records, SGF or JSON")
    parser.add_argument("target", metavar="OUT", help="a file that ends in .sgf or .json; it is written anew")
    add_recover(parser)


def act(arguments: Namespace) -> int:
    """Read, write, and say what was written and what was wrong."""
    from pathlib import Path

    from ..records import read_all, save

    records = read_all(Path(arguments.source), recover=arguments.recover)
    save(records, arguments.target)
    for fault in records[0].parse_faults:
        print(f"ropewalk: {one_line(f'{arguments.source}: {fault}')}", file=sys.stderr)
    nodes = sum(1 for record in records for _ in record.nodes())
    print(one_line(f"{arguments.target}: {plural(len(records), 'game')}, {plural(nodes, 'node')}"))
    return 0
