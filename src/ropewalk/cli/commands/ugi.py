"""`ropewalk ugi`: a UGI engine for other programs."""

from __future__ import annotations

from argparse import Namespace

from ... import game as game_of
from ..arguments import Parser, add_spec, whole

DEFAULT_LEVEL, MAX_LEVEL = 5, 8
MAX_THREADS = 64

DESCRIPTION = (
    "Be an engine that speaks UGI, the form of chess engines' UCI that serves any game: commands come in lines on standard "
    "input, answers go out in lines. docs/engine.md is the manual. 'position' takes our moves and position texts; 'go' "
    "alone thinks as long as the level does."
)

EXAMPLES = [
    ("echo 'go nodes 500' | ropewalk ugi tether-5", "a step for the first player"),
    ("ropewalk ugi laocoon --level 7", "type ugi, then position startpos moves d4, then go"),
    ("ropewalk arena tether-5 'ugi:ropewalk ugi {spec}@500' flat-mc --games 10", "in the arena"),
]


def define(parser: Parser) -> None:
    """Add the arguments of the command; level and threads are also options of `setoption`."""
    add_spec(parser)
    help_text = f"how well to play, 1 to {MAX_LEVEL} ({DEFAULT_LEVEL})"
    parser.add_argument("--level", metavar="N", type=whole(1, MAX_LEVEL), default=DEFAULT_LEVEL, help=help_text)
    help_text = f"threads to think with, 1 to {MAX_THREADS} (1)"
    parser.add_argument("--threads", metavar="N", type=whole(1, MAX_THREADS), default=1, help=help_text)


def act(arguments: Namespace) -> int:
    """Run the engine until `quit` or the end of input; return the exit code."""
    game = game_of(arguments.spec)  # before numba is imported: an invalid spec fails at once

    from ...engine.stdio import LineWriter
    from ...engine.ugi import UgiEngine

    UgiEngine(game, arguments.level, arguments.threads, LineWriter()).run()
    return 0
