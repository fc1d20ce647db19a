"""`ropewalk play`: a game for two people at one keyboard, line by line."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import game as game_of
from ..errors import PositionError
from .parser import Parser, UsageError, add_spec, whole

if TYPE_CHECKING:
    from ..bots.bot import Bot
    from ..games.game import Game
    from .table import Table

MOST_BOTS = 2
DESCRIPTION = (
    "Play a game, two people at one keyboard, or against a bot of level 1 to 8, or watch two of them. Type moves, or help "
    "for what else can be typed."
)

EXAMPLES = [
    ("ropewalk play lariat-small", "a short game"),
    ("ropewalk play tether-9 --bot 3", "against a bot, which moves second"),
    ("ropewalk play cube-lariat --bot 5 --first", "against one that moves first"),
    ("ropewalk play liger-4 --position '2/b,1/1,r/2 red'", "from a position's text"),
    ("echo 'e5 d6' | ropewalk play tether-9", "moves from a pipe"),
]


def define(parser: Parser) -> None:
    """A game, and a start."""
    add_spec(parser)
    parser.add_argument("--position", metavar="TEXT", help="start from this position, a line of text")
    words = "a bot of this level, 1 to 8; twice for two that play each other"
    parser.add_argument("--bot", metavar="LEVEL", type=whole(1, 8), action="append", default=[], help=words)
    parser.add_argument("--first", action="store_true", help="the bot has the seat that moves first")


def act(arguments: Namespace) -> int:
    """Set up the table and play until somebody leaves."""
    if arguments.position == "-":
        raise PositionError("play reads moves from standard input, so a position cannot come from there")
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ..progress import compiling
    from ..rules.stepping import advance, look
    from .printing import wrapped
    from .table import Table
    from .telling import title
    from .turns import opened

    with compiling(game, look, advance):
        table = Table(opened(game, arguments.position), bots_of(game, arguments))
        game.start().play(game.start().moves()[0])  # now, not while somebody waits for their move
    print(f"{title(game)}\n{wrapped(game.legend())}\n'help' lists what can be typed.\n\n{table.shown()}")
    converse(table)
    return 0


def bots_of(game: Game, arguments: Namespace) -> dict[int, Bot]:
    """The bots by their seats."""
    if len(arguments.bot) > MOST_BOTS:
        raise UsageError(f"a game has {MOST_BOTS} seats, not {len(arguments.bot)}: give --bot at most that often")
    if not arguments.bot:
        return {}
    from ..bots.bot import Limit
    from ..bots.levels import bot

    first = 0 if arguments.first or len(arguments.bot) == MOST_BOTS else 1
    bots = {first + number: bot(game, level) for number, level in enumerate(arguments.bot)}
    for player in bots.values():  # compile now, not while somebody waits for a move
        player.choose(game.start(), Limit(visits=1))
        player.new_game(0)
    return bots


def converse(table: Table) -> None:
    """Answer line after line; the end of input and Ctrl-C are goodbyes too."""
    typed_by_hand = sys.stdin is not None and sys.stdin.isatty()
    if typed_by_hand:
        with suppress(ImportError):  # Windows has none, and needs none
            import readline  # noqa: F401 -- makes the line editable
    while not table.left:
        print()
        try:
            if table.is_bots_turn():
                print(table.play_bot())
                continue
            if table.is_over_for_bots():
                return
            line = input(f"{table.prompt()}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not typed_by_hand:
            print(line)  # a terminal shows what is typed; a pipe's transcript should too
        if answer := table.answer(line):
            print(answer)
