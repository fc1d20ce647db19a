"""`ropewalk analysis`: the JSON analysis server for other programs."""

from __future__ import annotations

import os
import signal
from argparse import Namespace
from typing import NoReturn

from .. import game as game_of
from .parser import Parser, UsageError, whole

DEFAULT_LEVEL, MAX_LEVEL = 6, 8
MAX_WORKERS, MAX_GAMES = 256, 16
DEFAULT_QUEUE_SIZE, MAX_QUEUE_SIZE = 10_000, 10_000_000
EXIT_OK, EXIT_TERMINATED = 0, 143

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
    """SIGTERM was received; handled like Ctrl-C, with another exit code."""


def define(parser: Parser) -> None:
    """Add the arguments of the command."""
    help_text = "the games that queries may be about, such as tether-9; see ropewalk games"
    parser.add_argument("specs", metavar="SPEC", nargs="+", help=help_text)
    help_text = f"the level that thinks, 1 to {MAX_LEVEL}, and its budget where a query has no limit ({DEFAULT_LEVEL})"
    parser.add_argument("--level", metavar="N", type=whole(1, MAX_LEVEL), default=DEFAULT_LEVEL, help=help_text)
    help_text = "queries to think about at a time (as many as there are processors)"
    parser.add_argument("--workers", metavar="N", type=whole(1, MAX_WORKERS), default=os.cpu_count() or 1, help=help_text)
    help_text = f"queries that may wait ({DEFAULT_QUEUE_SIZE})"
    parser.add_argument("--queue", metavar="N", type=whole(1, MAX_QUEUE_SIZE), default=DEFAULT_QUEUE_SIZE, help=help_text)


def act(arguments: Namespace) -> int:
    """Serve queries until the input ends; return the exit code."""
    games = [game_of(spec) for spec in arguments.specs]  # before numba is imported: an invalid spec fails at once
    if len(games) > MAX_GAMES:
        raise UsageError(f"analysis serves at most {MAX_GAMES} games, not {len(games)}")

    from ..engine.analysis import AnalysisServer, AnalysisSettings
    from ..engine.stdio import LineWriter

    settings = AnalysisSettings(tuple(games), arguments.level, arguments.workers, arguments.queue)
    signal.signal(signal.SIGTERM, terminate)
    try:
        AnalysisServer(settings, LineWriter()).run()
    except Terminated:
        return EXIT_TERMINATED
    return EXIT_OK


def terminate(signal_number: int, frame: object) -> NoReturn:
    """Handle SIGTERM: raise Terminated."""
    raise Terminated
