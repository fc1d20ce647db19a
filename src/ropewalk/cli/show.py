"""`ropewalk show`: a position drawn, with its text, its legal moves, or how it ended."""

from __future__ import annotations

from argparse import Namespace

from .. import game as game_of
from ..games.sequence import MoveSequence
from .parser import Parser, add_json, add_position, add_spec, read_position
from .printing import json_object, wrapped

DESCRIPTION = (
    "Draw a position: the start of a game, or what moves make of it. "
    "What show prints it can also read, through a pipe and --position -."
)

EXAMPLES = [
    ("ropewalk show lariat", "the standard board"),
    ("ropewalk show tether-9 e5 d6 --explain", "two moves, and what they do"),
    ("ropewalk show laocoon d4 e6 g2 b8 d4-e5 e6-f6/a1", "steps and whole turns"),
    ("ropewalk show liger-4 --position '2/b,1/1,r/2 red'", "from a position's text"),
    ("ropewalk show liger-4 --json", "for programs"),
    ("ropewalk show liger | ropewalk show liger --position -", "from a drawn board"),
]


def define(parser: Parser) -> None:
    """A game, moves, and a start."""
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="a step or a whole turn, played in order")
    add_position(parser)
    parser.add_argument("--explain", action="store_true", help="say what each move does")
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Play the moves, then print."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from .telling import as_json, status, title

    sequence = MoveSequence.play(read_position(game, arguments.position), arguments.moves)
    position = sequence.position
    words = sequence.explain() if arguments.explain else []
    if arguments.json:
        print(json_object(as_json(position) | ({"explanations": words} if arguments.explain else {})))
        return 0
    told = "\n".join(wrapped(f"{number}. {said}", rest="   ") for number, said in enumerate(words, start=1))
    parts = [title(game), told, position.draw(), wrapped(game.text.legend()), str(position), status(position)]
    print("\n\n".join(filter(None, parts)))
    return 0
