"""`ropewalk ugi` and `ropewalk analysis`: engines for other programs, by UGI and by JSON."""

from __future__ import annotations

import os
import signal
from argparse import Namespace
from typing import NoReturn

from ... import game as game_of
from ..arguments import Parser, UsageError, add_spec, make_int_parser
from ..command import EXIT_OK, EXIT_TERMINATED, Command

DEFAULT_UGI_LEVEL, DEFAULT_ANALYSIS_LEVEL, MAX_LEVEL = 5, 6, 8
MAX_THREADS = 64

UGI_DESCRIPTION = (
    "Run an engine with the UGI protocol, a generalisation of UCI to arbitrary games. Commands are read from standard "
    "input, one per line; responses are written to standard output. 'position' accepts Ropewalk's moves and position "
    "texts; 'go' without a limit uses the budget of the level. The manual is docs/engine.md."
)

UGI_EXAMPLES = [
    ("echo 'go nodes 500' | ropewalk ugi tether-5", "one move for the first player"),
    ("ropewalk ugi laocoon --level 7", "type ugi, then position startpos moves d4, then go"),
    ("ropewalk arena tether-5 'ugi:ropewalk ugi {spec}@500' flat-mc --games 10", "in the arena"),
]


def add_ugi_arguments(parser: Parser) -> None:
    """Add the arguments of the command; level and threads are also options of `setoption`."""
    add_spec(parser)
    help_text = f"playing strength, 1 to {MAX_LEVEL} ({DEFAULT_UGI_LEVEL})"
    parser.add_argument(
        "--level", metavar="N", type=make_int_parser(1, MAX_LEVEL), default=DEFAULT_UGI_LEVEL, help=help_text
    )
    help_text = f"number of search threads, 1 to {MAX_THREADS} (1)"
    parser.add_argument("--threads", metavar="N", type=make_int_parser(1, MAX_THREADS), default=1, help=help_text)


def run_ugi(arguments: Namespace) -> int:
    """Run the engine until `quit` or the end of input; return the exit code."""
    game = game_of(arguments.spec)  # before numba is imported: an invalid spec fails at once

    from ...engine.stdio import LineWriter
    from ...engine.ugi import UgiEngine

    UgiEngine(game, arguments.level, arguments.threads, LineWriter()).run()
    return EXIT_OK


MAX_WORKERS, MAX_GAMES = 256, 16
DEFAULT_QUEUE_SIZE, MAX_QUEUE_SIZE = 10_000, 10_000_000

ANALYSIS_DESCRIPTION = (
    "Analyse many positions at once, with a protocol modelled on KataGo's analysis engine. Every line of standard "
    "input is a query in JSON; every line of output is a response with the id of its query, in any order. At the end "
    "of input, all open queries are completed; Ctrl-C ends them with the results so far. The manual is "
    "docs/engine.md."
)

ANALYSIS_EXAMPLES = [
    ("""echo '{"id": "a", "moves": ["c3"], "visits": 500}' | ropewalk analysis tether-5""", "one position"),
    ("ropewalk analysis tether-9 liger --workers 4 < queries.jsonl > answers.jsonl", "many positions of two games"),
]


class TerminatedError(KeyboardInterrupt):
    """SIGTERM was received; handled like Ctrl-C, with another exit code."""


def add_analysis_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    help_text = "games that queries may use, such as tether-9; see ropewalk games"
    parser.add_argument("specs", metavar="SPEC", nargs="+", help=help_text)
    help_text = f"default level, 1 to {MAX_LEVEL}; its budget applies to queries without a limit ({DEFAULT_ANALYSIS_LEVEL})"
    parser.add_argument(
        "--level", metavar="N", type=make_int_parser(1, MAX_LEVEL), default=DEFAULT_ANALYSIS_LEVEL, help=help_text
    )
    help_text = "number of queries searched at the same time (default: the number of processors)"
    parser.add_argument(
        "--workers", metavar="N", type=make_int_parser(1, MAX_WORKERS), default=os.cpu_count() or 1, help=help_text
    )
    help_text = f"maximum number of waiting queries ({DEFAULT_QUEUE_SIZE})"
    parser.add_argument(
        "--queue", metavar="N", type=make_int_parser(1, MAX_QUEUE_SIZE), default=DEFAULT_QUEUE_SIZE, help=help_text
    )


def run_analysis(arguments: Namespace) -> int:
    """Serve queries until the input ends; return the exit code."""
    games = [game_of(spec) for spec in arguments.specs]  # before numba is imported: an invalid spec fails at once
    if len(games) > MAX_GAMES:
        raise UsageError(f"at most {MAX_GAMES} games are allowed, not {len(games)}")

    from ...engine.analysis import AnalysisServer, AnalysisSettings
    from ...engine.stdio import LineWriter

    settings = AnalysisSettings(tuple(games), arguments.level, arguments.workers, arguments.queue)
    signal.signal(signal.SIGTERM, raise_terminated)
    try:
        AnalysisServer(settings, LineWriter()).run()
    except TerminatedError:
        return EXIT_TERMINATED
    return EXIT_OK


def raise_terminated(signal_number: int, frame: object) -> NoReturn:
    """Handle SIGTERM: raise Terminated."""
    raise TerminatedError


COMMANDS = {
    "ugi": Command(UGI_DESCRIPTION, UGI_EXAMPLES, add_ugi_arguments, run_ugi),
    "analysis": Command(ANALYSIS_DESCRIPTION, ANALYSIS_EXAMPLES, add_analysis_arguments, run_analysis),
}
