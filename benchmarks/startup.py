"""Waiting times: import, help, a position, and kernels that have never been compiled.

    python -m benchmarks.startup [--output FILE]

Medians of ten runs, compared with the start of the bare interpreter. Compilation is measured once, with an empty cache.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results

RUNS = 10
IMPORT, HELP, SHOW, COMPILE = 0.2, 0.4, 1.5, 15.0  # seconds, the most that we allow

PYTHON = [sys.executable, "-c", "pass"]
COMMAND = [sys.executable, "-m", "ropewalk"]


def seconds(command: Sequence[str], cache: str | None = None) -> float:
    """Return the time of one run of a command."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as users have it
    settings |= {"ROPEWALK_CACHE_DIR": cache} if cache else {}
    began = time.perf_counter()
    subprocess.run(command, env=settings, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def median(command: Sequence[str], cache: str | None = None) -> float:
    """Return the median time of ten runs."""
    return statistics.median(seconds(command, cache) for _ in range(RUNS))


def report(what: str, took: float, limit: float | None = None) -> dict[str, float | None]:
    """Print one line: the command, its time, and whether it is within the limit; return both."""
    verdict = "" if limit is None else f"{limit:8.1f}  {'ok' if took <= limit else 'over'}"
    print(f"{what:44}{took:8.2f}{verdict}", flush=True)
    return {"seconds": took, "limit_seconds": limit}


def report_game(spec: str, cache: str) -> dict[str, dict[str, float | None]]:
    """Measure a position after a move, which compiles nothing, then perft, which compiles."""
    move = ropewalk.game(spec).start().moves()[0]
    show, perft = f"ropewalk show {spec} {move}", f"ropewalk perft {spec} 2, first use"
    return {
        show: report(show, median([*COMMAND, "show", spec, move], cache), SHOW),
        perft: report(perft, seconds([*COMMAND, "perft", spec, "2"], cache), COMPILE),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_output_option(parser)
    arguments = parser.parse_args()
    measured = describe_machine()
    print(f"{'seconds':>52}{'limit':>8}")
    bare = median(PYTHON)
    imported = median([sys.executable, "-c", "import ropewalk"]) - bare
    figures = {
        "python": report("python -c pass", bare),
        "import": report("import ropewalk, on top of that", imported, IMPORT),
        "help": report("ropewalk --help", median([*COMMAND, "--help"]), HELP),
    }
    for entry in ropewalk.games():
        with tempfile.TemporaryDirectory() as cache:
            figures |= report_game(f"{entry.key}-{entry.standard}", cache)
    write_results(arguments.output, measured, {"waits": figures})


if __name__ == "__main__":
    main()
