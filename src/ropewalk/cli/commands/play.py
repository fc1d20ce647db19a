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
    "Play a game: two people at one keyboard, one against a bot of level 1 to 8, or two bots. A terminal of at least "
    "80 x 24 characters shows the game on the full screen; press ? for the keys. Otherwise, or with --line-mode, type "
    "moves and commands; type help for a list."
)

EXAMPLES = [
    ("ropewalk play lariat-small", "a short game"),
    ("ropewalk play tether-9 --bot 3", "against a bot, which moves second"),
    ("ropewalk play cube-lariat --bot 5 --bot-first", "against a bot that moves first"),
    ("ropewalk play liger-4 --position '2/b,1/1,r/2 red'", "from a position text"),
    ("ropewalk play tether-9 --line-mode --no-colour", "in line mode, without colour"),
    ("echo 'e5 d6' | ropewalk play tether-9", "moves from a pipe"),
]


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    help_text = "a game such as lariat, tether-9 or liger-8; see ropewalk games"
    parser.add_argument("spec", metavar="SPEC", nargs="?", help=help_text)
    parser.add_argument("--position", metavar="TEXT", help="start position, as a position text")
    help_text = "level of the bot, 1 to 8; give the option twice for a game of two bots"
    parser.add_argument("--bot", metavar="LEVEL", type=make_int_parser(1, 8), action="append", default=[], help=help_text)
    parser.add_argument("--bot-first", action="store_true", help="the bot moves first")
    parser.add_argument("--replay", metavar="FILE", type=Path, help="view a game record in SGF or JSON")
    parser.add_argument("--resume", action="store_true", help="continue the last unfinished game")
    parser.add_argument("--line-mode", action="store_true", help="type moves line by line instead of using the full screen")
    parser.add_argument("--no-colour", action="store_true", help="use no colours, as with NO_COLOR")


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
        raise UsageError("expected exactly one of: a SPEC such as lariat, --replay FILE, --resume")
    if arguments.position == "-":
        raise PositionError("--position - is not allowed here, because play reads moves from standard input")
    if arguments.spec is None and (arguments.position or arguments.bot or arguments.bot_first):
        raise UsageError("--position, --bot and --bot-first need a SPEC; a saved game has its own position and players")


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
        raise UsageError(f"--bot may be given at most {MAX_BOTS} times, not {len(arguments.bot)}")
    if not arguments.bot:
        return {}
    from ...bots.levels import bot

    first = 0 if arguments.bot_first or len(arguments.bot) == MAX_BOTS else 1
    return {first + number: bot(game, level) for number, level in enumerate(arguments.bot)}


def warm_up_bots(bots: dict[int, Bot]) -> dict[int, Bot]:
    """Compile the kernels of bots in advance, so that their first move is not delayed; return the bots."""
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
    print(
        f"{format_title(game)}\n{wrap(game.text.legend())}\nType 'help' for a list of commands.\n\n{commands.show_board()}"
    )
    run_line_mode(commands)


def play_on_full_screen(session: Session, no_colour: bool) -> None:
    """Play on the full screen, until the user quits."""
    from ...terminal.app import TerminalApp

    TerminalApp(session, no_colour=no_colour).run()


COMMANDS = {
    "play": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
