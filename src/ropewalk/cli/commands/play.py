"""`ropewalk play`: a game in the terminal, on the full screen or in line mode."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ... import game as game_of
from ...errors import PositionError
from ..arguments import Parser, UsageError, make_int_parser, read_position
from ..command import EXIT_OK, Command

if TYPE_CHECKING:
    from ...bots.bot import Bot
    from ...games.game import Game
    from ...terminal.autosave import Autosave
    from ...terminal.session import Session

MAX_BOTS = 2
MIN_COLUMNS, MIN_LINES = 80, 24  # of the full screen
DESCRIPTION = (
    "Play a game, two people at one keyboard, or against a bot of level 1 to 8, or watch two of them. On a terminal of "
    "80 x 24 or more it fills the screen and is played by keys, which ? lists; else, and with --line-mode, by typing: see "
    "help."
)

EXAMPLES = [
    ("ropewalk play lariat-small", "a short game"),
    ("ropewalk play tether-9 --bot 3", "against a bot, which moves second"),
    ("ropewalk play cube-lariat --bot 5 --bot-first", "against one that moves first"),
    ("ropewalk play liger-4 --position '2/b,1/1,r/2 red'", "from a position's text"),
    ("ropewalk play tether-9 --line-mode --no-colour", "typed, without colour"),
    ("echo 'e5 d6' | ropewalk play tether-9", "moves from a pipe"),
]


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    help_text = "a game such as lariat, tether-9 or liger-8; see ropewalk games"
    parser.add_argument("spec", metavar="SPEC", nargs="?", help=help_text)
    parser.add_argument("--position", metavar="TEXT", help="start from this position, a line of text")
    help_text = "a bot of this level, 1 to 8; twice for two that play each other"
    parser.add_argument("--bot", metavar="LEVEL", type=make_int_parser(1, 8), action="append", default=[], help=help_text)
    parser.add_argument("--bot-first", action="store_true", help="the bot has the seat that moves first")
    parser.add_argument("--replay", metavar="FILE", type=Path, help="look at a game that was kept as SGF or JSON")
    parser.add_argument("--resume", action="store_true", help="go on with the game that was left last")
    parser.add_argument("--line-mode", action="store_true", help="line by line, not on the full screen")
    parser.add_argument("--no-colour", action="store_true", help="without colour, as with NO_COLOR set")


def run(arguments: Namespace) -> int:
    """Play until the user quits; return the exit code. Only interactive games are saved automatically."""
    check_arguments(arguments)
    session, autosave = open_session(arguments)
    if is_interactive():
        session.on_change = autosave.save
    leave = play_in_lines if arguments.line_mode or not has_full_screen() else play_on_full_screen
    leave(session, arguments.no_colour)
    if is_interactive() and (hint := autosave.resume_hint(session)):
        print(hint)
    return EXIT_OK


def check_arguments(arguments: Namespace) -> None:
    """Raise an error unless the arguments name a game in exactly one way."""
    ways = [arguments.spec is not None, arguments.replay is not None, arguments.resume]
    if sum(ways) != 1:
        raise UsageError("play takes a SPEC such as lariat, or --replay FILE, or --resume: one of them")
    if arguments.position == "-":
        raise PositionError("play reads moves from standard input, so a position cannot come from there")
    if arguments.spec is None and (arguments.position or arguments.bot or arguments.bot_first):
        raise UsageError("a kept game has its own start and players: --position, --bot and --bot-first need a SPEC")


def is_interactive() -> bool:
    """Return whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def has_full_screen() -> bool:
    """Return whether standard input and output are a terminal of at least MIN_COLUMNS x MIN_LINES."""
    if not is_interactive() or sys.stdout is None or not sys.stdout.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        return False
    columns, lines = shutil.get_terminal_size()
    return columns >= MIN_COLUMNS and lines >= MIN_LINES


def open_session(arguments: Namespace) -> tuple[Session, Autosave]:
    """Return the session that the arguments ask for, with its automatic saving."""
    if arguments.spec is not None:
        game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba
        return start_session(game, arguments)

    from ...jit.compile_progress import show_compile_progress
    from ...records import read
    from ...rules.generic import inspect_row, step
    from ...terminal.autosave import Autosave, load_latest_unfinished, make_bots
    from ...terminal.session import Session

    autosave = Autosave()
    if arguments.resume:
        autosave.replaces, record = load_latest_unfinished()
    else:
        record = read(arguments.replay)
    with show_compile_progress(record.game.name, record.game.rules, inspect_row, step):
        session = Session.from_record(record, warm_up_bots(make_bots(record) if arguments.resume else {}))
    session.view(len(session.positions) if arguments.resume else 0)
    return session, autosave


def start_session(game: Game, arguments: Namespace) -> tuple[Session, Autosave]:
    """Return a session that starts from a position, with the chosen bots."""
    from ...jit.compile_progress import show_compile_progress
    from ...rules.generic import inspect_row, step
    from ...terminal.autosave import Autosave
    from ...terminal.session import Session

    with show_compile_progress(game.name, game.rules, inspect_row, step):
        session = Session(read_position(game, arguments.position), warm_up_bots(make_bots(game, arguments)))
    return session, Autosave()


def make_bots(game: Game, arguments: Namespace) -> dict[int, Bot]:
    """Return the bots of --bot by seat. Raises UsageError if they are more than the seats."""
    if len(arguments.bot) > MAX_BOTS:
        raise UsageError(f"a game has {MAX_BOTS} seats, not {len(arguments.bot)}: give --bot at most that often")
    if not arguments.bot:
        return {}
    from ...bots.levels import bot

    first = 0 if arguments.bot_first or len(arguments.bot) == MAX_BOTS else 1
    return {first + number: bot(game, level) for number, level in enumerate(arguments.bot)}


def warm_up_bots(bots: dict[int, Bot]) -> dict[int, Bot]:
    """Compile the kernels of bots now, so that nobody waits at their first move; return the bots."""
    from ...bots.bot import Limit

    for player in bots.values():
        player.choose(player.game.start(), Limit(visits=1))
        player.new_game(0)
    return bots


def play_in_lines(session: Session, no_colour: bool) -> None:
    """Play in line mode, until the input ends."""
    from ...console.formatting import wrap
    from ...console.position_text import format_title
    from ...terminal.commands import CommandInterpreter
    from ...terminal.line_mode import draw_in_colour, run_line_mode
    from ...terminal.theme import is_colour_wanted

    commands = CommandInterpreter(session, draw_in_colour if is_colour_wanted(no_colour) else None)
    game = session.start.game
    print(f"{format_title(game)}\n{wrap(game.text.legend())}\n'help' lists what can be typed.\n\n{commands.show_board()}")
    run_line_mode(commands)


def play_on_full_screen(session: Session, no_colour: bool) -> None:
    """Play on the full screen, until the user quits."""
    from ...terminal.app import TerminalApp

    TerminalApp(session, no_colour=no_colour).run()


COMMANDS = {
    "play": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
