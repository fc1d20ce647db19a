"""`ropewalk ugi`: a game's bot as an engine for other programs."""

from __future__ import annotations

from argparse import Namespace

from .. import game as game_of
from .parser import Parser, add_spec, whole

USUAL_LEVEL, HIGHEST_LEVEL = 5, 8
MOST_THREADS = 64

DESCRIPTION = (
    "Be an engine that speaks UGI, the form of chess engines' UCI that serves any game: commands come in lines on standard "
    "input, answers go out in lines. docs/engine.md is the manual. 'position' takes our moves and position texts; 'go' "
    "alone thinks as long as the level does."
)

EXAMPLES = [
    ("echo 'go nodes 500' | ropewalk ugi tether-5", "a step for the first player"),
    ("ropewalk ugi laocoon --level 7", "type ugi, then position startpos moves d4, then go"),
    ("ropewalk arena tether-5 'ugi:ropewalk ugi {spec}@500' greedy --games 10", "in the arena"),
]


def define(parser: Parser) -> None:
    """A game and how well to play it; both options can be set by setoption too."""
    add_spec(parser)
    words = f"how well to play, 1 to {HIGHEST_LEVEL} ({USUAL_LEVEL})"
    parser.add_argument("--level", metavar="N", type=whole(1, HIGHEST_LEVEL), default=USUAL_LEVEL, help=words)
    words = f"threads to think with, 1 to {MOST_THREADS} (1)"
    parser.add_argument("--threads", metavar="N", type=whole(1, MOST_THREADS), default=1, help=words)


def act(arguments: Namespace) -> int:
    """Converse until the other side has had enough."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ..engine.stdio import LineWriter
    from ..engine.ugi import UgiEngine

    UgiEngine(game, arguments.level, arguments.threads, LineWriter()).run()
    return 0
