"""Several servers behind nginx on one PostgreSQL, while servers are killed and PostgreSQL is restarted.

    python benchmarks/cluster.py [--sockets 3000] [--rate 600] [--kills 4] [--random-routing] [--output FILE]

Prints moves a second, the time until a move is acknowledged, the time until clients are connected again, the processor
time of every process in a phase without faults, and how soon all servers agree. Clients, nginx, servers and PostgreSQL
share one machine. Nothing that was acknowledged may be lost: otherwise the exit code is 1. `make nginx postgres` installs
the programs.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ropewalk
from tests.support.cluster_load import LONG_SPEC
from tests.support.cluster_run import AGREEMENT_SPEC, ClusterSettings, format_figures, run_cluster_test


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=600.0, help="moves a second (600)")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--steady-seconds", type=float, default=20.0, help="without faults (20)")
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--kill-interval", type=float, default=20.0, help="seconds between two kills (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random-routing", action="store_true", help="players of a match on any servers, not on one")
    parser.add_argument("--output", type=Path, help="a file for the figures as JSON")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    for spec in (LONG_SPEC, AGREEMENT_SPEC):
        ropewalk.game(spec)._stepper.compile()  # so that servers find the kernels when they start
    settings = ClusterSettings(
        arguments.sockets, arguments.rate, arguments.servers, arguments.steady_seconds, arguments.kills,
        arguments.kill_interval, arguments.seed, not arguments.random_routing,
    )  # fmt: skip
    figures = run_cluster_test(settings, lambda line: print(line, flush=True))
    print(format_figures(figures))
    if arguments.output is not None:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(json.dumps(figures.to_json(), indent=2) + "\n", encoding="utf-8")
    return 1 if figures.problems else 0


if __name__ == "__main__":
    sys.exit(main())
