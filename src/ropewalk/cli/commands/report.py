"""`ropewalk report`: figures about a game from reproducible runs of bots."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from ... import game as game_of
from ..arguments import Parser, add_spec, make_int_parser
from ..command import EXIT_OK, Command

MAX_GAMES, MAX_SEED, MAX_PROCESSES = 100_000, 2**31 - 1, 256

DESCRIPTION = (
    "Write a report about a game on a board: length, choices and forced moves, the first player's advantage by level, "
    "draws, the value of every first move (from the game's net, or from playouts), which of them to swap where a game can "
    "have the pie rule, Elo by visits, changes of the lead, and a comparison of boards. DIR/report.json has the figures "
    "with 95 % intervals, DIR/report.html shows them. Bots are limited by visits, so that the same command writes the same "
    "bytes. Nothing is written before all games are played. The manual is docs/reports.md."
)

EXAMPLES = [
    ("ropewalk report tether-9 -o tether-9 --quick", "a rough report in less than a minute"),
    ("ropewalk report lariat-2x10-pie -o lariat --games 200", "with narrower intervals"),
]


def add_report_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk report`."""
    add_spec(parser)
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="folder to write to")
    help_text = "seed of all games (1)"
    parser.add_argument("--seed", metavar="N", type=make_int_parser(0, MAX_SEED), default=1, help=help_text)
    help_text = "games of each experiment; weak levels play four times as many (40)"
    parser.add_argument("--games", metavar="N", type=make_int_parser(2, MAX_GAMES), help=help_text)
    parser.add_argument("--quick", action="store_true", help="fewer levels, budgets and games (8)")
    help_text = "processes that play at the same time; the report does not depend on them (the number of processors)"
    parser.add_argument("--processes", metavar="N", type=make_int_parser(1, MAX_PROCESSES), help=help_text)


def run_report(arguments: Namespace) -> int:
    """Make a report and print the names of its files; return the exit code."""
    from ...progress import progress_bar
    from ...reports.game_report import build_report, write_report
    from ...reports.settings import ReportSettings

    settings = ReportSettings(game_of(arguments.spec).spec, arguments.seed, arguments.games, arguments.quick)
    with progress_bar(f"games of {settings.spec}") as progress:
        report = build_report(settings, arguments.processes or os.cpu_count() or 1, progress)
    print("\n".join(str(path) for path in write_report(report, arguments.output)))
    return EXIT_OK


COMMANDS = {"report": Command(DESCRIPTION, EXAMPLES, add_report_arguments, run_report)}
