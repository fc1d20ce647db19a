"""`ropewalk explorer`: imports games into the opening explorer of a server."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ...text import plural
from ..arguments import Parser
from ..command import EXIT_OK, Command
from .server import add_database

if TYPE_CHECKING:
    from ...server.db.explorer_repository import ExplorerRepository, OpeningGame

ACTIONS = ("import",)
MAX_BATCH_GAMES = 200  # stored in one transaction

DESCRIPTION = (
    "Import games into the opening explorer of a server: game records in SGF or JSON, such as those of 'ropewalk arena "
    "--game-records', and results files of 'ropewalk arena -o'. Only results are counted: the games themselves are not "
    "stored, and no match appears. A game that was imported before is not counted again. Games without a result, and games "
    "from another position than the start, are left out. Use the database of the server, which may run meanwhile. Its own "
    "public matches are counted without this command. The manual is docs/explorer.md."
)

EXAMPLES = [
    ("ropewalk explorer import games.jsonl", "the games of a tournament between bots"),
    ("ropewalk explorer import *.sgf --database postgresql://ropewalk@db/ropewalk", "game records"),
]


def add_explorer_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk explorer`."""
    parser.usage = "%(prog)s import FILE ... [--database URL]"
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    parser.add_argument("files", metavar="FILE", nargs="+", help="SGF or JSON file of game records, or results file")
    add_database(parser)


def run_explorer(arguments: Namespace) -> int:
    """Import all files, print how many games were new, and return the exit code."""
    total, new = asyncio.run(import_files([Path(name) for name in arguments.files], arguments.database))
    print(f"{plural(new, 'game')} imported, {total - new} counted before")
    return EXIT_OK


async def import_files(paths: Iterable[Path], url: str) -> tuple[int, int]:
    """Import files into a database; return the number of games, and how many of them are new."""
    from ...server.db.database import Database, parse_url
    from ...server.db.explorer_repository import ExplorerRepository
    from ...server.db.migrate import migrate
    from ...server.study.explorer_import import read_games

    database = Database(parse_url(url))
    try:
        await migrate(database)
        return await import_games(ExplorerRepository(database), (game for path in paths for game in read_games(path)))
    finally:
        await database.close()


async def import_games(repository: ExplorerRepository, games: Iterator[OpeningGame]) -> tuple[int, int]:
    """Count games in batches; return their number, and how many of them are new."""
    total = new = 0
    while batch := list(islice(games, MAX_BATCH_GAMES)):
        total += len(batch)
        new += await repository.count_games(batch)
    return total, new


COMMANDS = {"explorer": Command(DESCRIPTION, EXAMPLES, add_explorer_arguments, run_explorer)}
