"""Fault tests of the server.

python -m tests.chaos [--minutes 5] [--database sqlite|postgresql] [--seed 1]    faults of all kinds
python -m tests.chaos --kills 1000 [--seed 1]                                    kills only, on both databases
python -m tests.chaos --plan 20 [--seed 1]                                       prints the first faults of the plan
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

from benchmarks.result_file import add_output_option, describe_machine, write_results
from tests.chaos.kills import run_kills
from tests.chaos.plan import choose_weights, make_plan
from tests.chaos.run import ChaosSettings, run_chaos


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    parser.add_argument("--servers", type=int, default=3, help="with PostgreSQL; SQLite has one (3)")
    parser.add_argument("--matches", type=int, default=30, help="that are played at the same time (30)")
    parser.add_argument("--seed", type=int, default=1, help="of the plan and of the players (1)")
    parser.add_argument("--kills", type=int, metavar="COUNT", help="kill servers so many times, on both databases, and exit")
    parser.add_argument("--plan", type=int, metavar="COUNT", help="print the first faults of the plan and exit")
    parser.add_argument("--evidence", type=Path, default=Path("build/chaos"), help="folder for broken runs (build/chaos)")
    add_output_option(parser)
    return parser.parse_args()


def main() -> int:
    """Run what the command line asks for. Returns the exit code: 1 if an invariant was broken."""
    arguments = parse_arguments()
    if arguments.plan is not None:
        weights = choose_weights(arguments.database == "postgresql", has_small_disk=True)
        print(*islice(make_plan(arguments.seed, weights), arguments.plan), sep="\n")
        return 0
    measured = describe_machine()
    if arguments.kills is not None:
        counts = run_kills(arguments.kills, arguments.seed, lambda line: print(line, flush=True))
        write_results(arguments.output, measured, {"parts": [count.collect_figures() for count in counts]})
        return 0
    settings = ChaosSettings(
        database=arguments.database,
        seconds=60 * arguments.minutes,
        seed=arguments.seed,
        servers=arguments.servers,
        matches=arguments.matches,
        evidence=arguments.evidence,
    )
    result = run_chaos(settings, lambda line: print(line, flush=True))
    print(result.summary)
    write_results(arguments.output, measured, result.figures)
    for problem in result.problems[:20]:
        print("VIOLATION", problem)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
