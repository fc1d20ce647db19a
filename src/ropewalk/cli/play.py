"""`ropewalk play`: a game for two people at one keyboard, line by line."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import game as game_of
from ..errors import PositionError
from .parser import Parser, add_spec

if TYPE_CHECKING:
    from .table import Table

DESCRIPTION = "Play a game, two people at one keyboard. Type moves, or help for what else can be typed."

EXAMPLES = [
    ("ropewalk play lariat-small", "a short game"),
    ("ropewalk play liger-4 --position '2/b,1/1,r/2 red'", "from a position's text"),
    ("echo 'e5 d6' | ropewalk play tether-9", "moves from a pipe"),
]


def define(parser: Parser) -> None:
    """A game, and a start."""
    add_spec(parser)
    parser.add_argument("--position", metavar="TEXT", help="start from this position, a line of text")


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
        table = Table(opened(game, arguments.position))
        game.start().play(game.start().moves()[0])  # now, not while somebody waits for their move
    print(f"{title(game)}\n{wrapped(game.legend())}\n'help' lists what can be typed.\n\n{table.shown()}")
    converse(table)
    return 0


def converse(table: Table) -> None:
    """Answer line after line; the end of input and Ctrl-C are goodbyes too."""
    typed_by_hand = sys.stdin is not None and sys.stdin.isatty()
    if typed_by_hand:
        with suppress(ImportError):  # Windows has none, and needs none
            import readline  # noqa: F401 -- makes the line editable
    while not table.left:
        print()
        try:
            line = input(f"{table.prompt()}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not typed_by_hand:
            print(line)  # a terminal shows what is typed; a pipe's transcript should too
        if answer := table.answer(line):
            print(answer)
