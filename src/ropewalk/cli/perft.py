"""`ropewalk perft`: how many sequences of steps there are, by depth."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from .. import game as game_of
from .parser import Parser, add_position, add_spec, read_position, whole

if TYPE_CHECKING:
    from ..games.position import Position

DEEPEST = 100
FINE, INTERRUPTED = 0, 130

DESCRIPTION = (
    "Count the sequences of 1 to DEPTH steps from a position, as JSON; finished positions stop. Two programs that play by "
    "the same rules find the same numbers. Ctrl-C prints the depths that are complete."
)

EXAMPLES = [
    ("ropewalk perft tether-5 4", '{"1": 25, "2": 600, "3": 13800, "4": 303600}'),
    ("ropewalk perft tether-3 9", "a small board to its last cell"),
    ("ropewalk perft liger-4 3 --position '2/b,1/1,r/2 red'", "from a position"),
]


def define(parser: Parser) -> None:
    """A game, a depth, and a start."""
    add_spec(parser)
    parser.add_argument("depth", metavar="DEPTH", type=whole(1, DEEPEST), help=f"how many steps, 1 to {DEEPEST}")
    add_position(parser)


def act(arguments: Namespace) -> int:
    """Count depth by depth."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ..games.perft import perft
    from ..jit.compile_progress import show_compile_progress
    from ..rules.generic import count_sequences, inspect_row, step

    with show_compile_progress(game.name, game.rules, inspect_row, count_sequences):
        position = read_position(game, arguments.position)
        perft(position, 1)
    with show_compile_progress(game.name, game.rules, step):  # which a shallow count never calls
        return count(position, arguments.depth)


def count(position: Position, deepest: int) -> int:
    """Print all counts, or those that are complete when the user has had enough."""
    from ..games.perft import count_next_depth
    from ..progress import progress_bar

    counts, share = [1], 0.0

    def watch(done: int, total: int) -> None:
        nonlocal share
        share = done / total
        report(done, total)

    code = FINE
    try:
        while len(counts) <= deepest:
            share = 0.0
            with progress_bar(f"depth {len(counts)}") as report:
                counts.append(count_next_depth(position, counts, watch))
    except KeyboardInterrupt:
        code = INTERRUPTED
        print(f"ropewalk: interrupted {share:.0%} into depth {len(counts)} of {deepest}", file=sys.stderr)
    print(json.dumps(dict(enumerate(counts[1:], start=1))))
    return code
