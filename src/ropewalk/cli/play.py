"""`ropewalk play`: a game in the terminal, on the full screen or line by line."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import game as game_of
from ..errors import PositionError
from .parser import Parser, UsageError, read_position, whole

if TYPE_CHECKING:
    from ..bots.bot import Bot
    from ..games.game import Game
    from .terminal.keeping import Keeper
    from .terminal.session import Session

MOST_BOTS = 2
LEAST_COLUMNS, LEAST_LINES = 80, 24  # of the full screen
DESCRIPTION = (
    "Play a game, two people at one keyboard, or against a bot of level 1 to 8, or watch two of them. On a terminal of "
    "80 x 24 or more it fills the screen and is played by keys, which ? lists; else, and with --lines, by typing: see help."
)

EXAMPLES = [
    ("ropewalk play lariat-small", "a short game"),
    ("ropewalk play tether-9 --bot 3", "against a bot, which moves second"),
    ("ropewalk play cube-lariat --bot 5 --first", "against one that moves first"),
    ("ropewalk play liger-4 --position '2/b,1/1,r/2 red'", "from a position's text"),
    ("ropewalk play tether-9 --lines --plain", "typed, without colour"),
    ("echo 'e5 d6' | ropewalk play tether-9", "moves from a pipe"),
]


def define(parser: Parser) -> None:
    """A game, and a start; or a game that was kept."""
    words = "a game such as lariat, tether-9 or liger-8; see ropewalk games"
    parser.add_argument("spec", metavar="SPEC", nargs="?", help=words)
    parser.add_argument("--position", metavar="TEXT", help="start from this position, a line of text")
    words = "a bot of this level, 1 to 8; twice for two that play each other"
    parser.add_argument("--bot", metavar="LEVEL", type=whole(1, 8), action="append", default=[], help=words)
    parser.add_argument("--first", action="store_true", help="the bot has the seat that moves first")
    parser.add_argument("--replay", metavar="FILE", type=Path, help="look at a game that was kept as SGF or JSON")
    parser.add_argument("--resume", action="store_true", help="go on with the game that was left last")
    parser.add_argument("--lines", action="store_true", help="line by line, not on the full screen")
    parser.add_argument("--plain", action="store_true", help="without colour, as with NO_COLOR set")


def act(arguments: Namespace) -> int:
    """Set up the table and play until somebody leaves."""
    refuse_contradictions(arguments)
    session, keeper = seated(arguments)
    if is_typed():
        session.changed = keeper.keep
    leave = by_lines if arguments.lines or not has_screen() else by_keys
    leave(session, arguments.plain)
    if is_typed() and (words := keeper.farewell(session)):
        print(words)
    return 0


def refuse_contradictions(arguments: Namespace) -> None:
    """Exactly one way to say which game it is."""
    ways = [arguments.spec is not None, arguments.replay is not None, arguments.resume]
    if sum(ways) != 1:
        raise UsageError("play takes a SPEC such as lariat, or --replay FILE, or --resume: one of them")
    if arguments.position == "-":
        raise PositionError("play reads moves from standard input, so a position cannot come from there")
    if arguments.spec is None and (arguments.position or arguments.bot or arguments.first):
        raise UsageError("a kept game has its own start and players: --position, --bot and --first need a SPEC")


def is_typed() -> bool:
    """Whether somebody sits at a terminal; only then is there something to lose."""
    return sys.stdin is not None and sys.stdin.isatty()


def has_screen() -> bool:
    """Whether there is a terminal large enough to be filled."""
    if not is_typed() or sys.stdout is None or not sys.stdout.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        return False
    columns, lines = shutil.get_terminal_size()
    return columns >= LEAST_COLUMNS and lines >= LEAST_LINES


def seated(arguments: Namespace) -> tuple[Session, Keeper]:
    """The table that the command line asks for."""
    if arguments.spec is not None:
        game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba
        return new_game(game, arguments)

    from ..jit.compile_progress import show_compile_progress
    from ..records import read
    from ..rules.generic import inspect_row, step
    from .terminal.keeping import Keeper, bots_of, latest_unfinished
    from .terminal.session import Session

    keeper = Keeper()
    if arguments.resume:
        keeper.replaces, record = latest_unfinished()
    else:
        record = read(arguments.replay)
    with show_compile_progress(record.game.name, record.game.rules, inspect_row, step):
        session = Session.of(record, warmed(bots_of(record) if arguments.resume else {}))
    session.look(len(session.line) if arguments.resume else 0)
    return session, keeper


def new_game(game: Game, arguments: Namespace) -> tuple[Session, Keeper]:
    """A game from its start or from a text, with or without bots."""
    from ..jit.compile_progress import show_compile_progress
    from ..rules.generic import inspect_row, step
    from .terminal.keeping import Keeper
    from .terminal.session import Session

    with show_compile_progress(game.name, game.rules, inspect_row, step):
        session = Session(read_position(game, arguments.position), warmed(chosen_bots(game, arguments)))
    return session, Keeper()


def chosen_bots(game: Game, arguments: Namespace) -> dict[int, Bot]:
    """The bots by their seats."""
    if len(arguments.bot) > MOST_BOTS:
        raise UsageError(f"a game has {MOST_BOTS} seats, not {len(arguments.bot)}: give --bot at most that often")
    if not arguments.bot:
        return {}
    from ..bots.levels import bot

    first = 0 if arguments.first or len(arguments.bot) == MOST_BOTS else 1
    return {first + number: bot(game, level) for number, level in enumerate(arguments.bot)}


def warmed(bots: dict[int, Bot]) -> dict[int, Bot]:
    """The bots with their kernels compiled, now and not while somebody waits for a move."""
    from ..bots.bot import Limit

    for player in bots.values():
        player.choose(player.game.start(), Limit(visits=1))
        player.new_game(0)
    return bots


def by_lines(session: Session, plain: bool) -> None:
    """A conversation in lines."""
    from .printing import wrapped
    from .telling import title
    from .terminal.commands import Commands
    from .terminal.lines import converse
    from .terminal.paint import coloured, wants_colour

    commands = Commands(session, coloured if wants_colour(plain) else None)
    game = session.start.game
    print(f"{title(game)}\n{wrapped(game.text.legend())}\n'help' lists what can be typed.\n\n{commands.shown()}")
    converse(commands)


def by_keys(session: Session, plain: bool) -> None:
    """The full screen."""
    from .terminal.screen import FullScreen

    FullScreen(session, plain=plain).run()
