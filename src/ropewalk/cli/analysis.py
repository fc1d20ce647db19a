"""`ropewalk analysis`: many positions at once, for other programs."""

from __future__ import annotations

import os
import signal
from argparse import Namespace
from typing import NoReturn

from .. import game as game_of
from .parser import Parser, UsageError, whole

USUAL_LEVEL, HIGHEST_LEVEL = 6, 8
MOST_WORKERS, MOST_GAMES = 256, 16
USUAL_ROOM, MOST_ROOM = 10_000, 10_000_000
FINE, TERMINATED = 0, 143

DESCRIPTION = (
    "Answer questions about many positions at once, in the manner of KataGo's analysis engine: every line of standard input "
    "is a query in JSON, every line of output an answer with the query's id, in any order. docs/engine.md is the manual. At "
    "the end of input what was asked is answered yet; Ctrl-C answers with what is known so far."
)

EXAMPLES = [
    ("""echo '{"id": "a", "moves": ["c3"], "visits": 500}' | ropewalk analysis tether-5""", "one position"),
    ("ropewalk analysis tether-9 liger --workers 4 < queries.jsonl > answers.jsonl", "many, of two games"),
]


class Terminated(KeyboardInterrupt):
    """Somebody sent SIGTERM, which is no less polite than Ctrl-C."""


def define(parser: Parser) -> None:
    """Games, and how to think about them."""
    words = "the games that queries may be about, such as tether-9; see ropewalk games"
    parser.add_argument("specs", metavar="SPEC", nargs="+", help=words)
    words = f"the level that thinks, 1 to {HIGHEST_LEVEL}, and its budget where a query has no limit ({USUAL_LEVEL})"
    parser.add_argument("--level", metavar="N", type=whole(1, HIGHEST_LEVEL), default=USUAL_LEVEL, help=words)
    words = "queries to think about at a time (as many as there are processors)"
    parser.add_argument("--workers", metavar="N", type=whole(1, MOST_WORKERS), default=os.cpu_count() or 1, help=words)
    words = f"queries that may wait ({USUAL_ROOM})"
    parser.add_argument("--queue", metavar="N", type=whole(1, MOST_ROOM), default=USUAL_ROOM, help=words)


def act(arguments: Namespace) -> int:
    """Answer until the input ends."""
    games = [game_of(spec) for spec in arguments.specs]  # first of all: to refuse a wrong spec takes no numba
    if len(games) > MOST_GAMES:
        raise UsageError(f"analysis serves at most {MOST_GAMES} games, not {len(games)}")

    from ..engine.analysis import AnalysisServer
    from ..engine.stdio import LineWriter

    signal.signal(signal.SIGTERM, terminate)
    try:
        AnalysisServer(games, arguments.level, arguments.workers, arguments.queue, LineWriter()).run()
    except Terminated:
        return TERMINATED
    return FINE


def terminate(number: int, frame: object) -> NoReturn:
    """End as Ctrl-C does."""
    raise Terminated
