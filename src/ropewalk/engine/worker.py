"""The engine process of a server: an analysis server for all games, `python -m ropewalk.engine.worker`.

It speaks the protocol of `ropewalk analysis` and searches for one query at a time. It sends heartbeats
(`heartbeat.py`). It ends when its input ends, and cancels the open queries then: the server that asked is gone.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from ..bootstrap import block_scipy_import

DEFAULT_LEVEL = 6
QUEUE_CAPACITY = 100
MAX_CACHED_BOTS = 2  # each has up to 270 MB
DEFAULT_NICENESS = 5  # the server itself goes first


def main(argv: Sequence[str] | None = None) -> None:
    """Serve queries until the input ends."""
    arguments = parse_arguments(argv)
    block_scipy_import()
    if arguments.interpreted:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # read when numba is imported, below
    if hasattr(os, "nice"):
        os.nice(arguments.niceness)

    from .heartbeat import Heartbeat
    from .stdio import LineWriter

    writer = LineWriter()
    heartbeat = Heartbeat(writer, counts_stalls=not arguments.interpreted)
    heartbeat.start()  # before the imports that take long

    from .analysis import AnalysisServer, AnalysisSettings

    heartbeat.compile_activity.register()
    settings = AnalysisSettings(
        games=(),
        level=DEFAULT_LEVEL,
        num_workers=1,
        queue_capacity=QUEUE_CAPACITY,
        max_cached_bots=MAX_CACHED_BOTS,
        cancels_at_end=True,
    )
    with suppress(BrokenPipeError):
        AnalysisServer(settings, writer, heartbeat).run()
    sys.stdout = None  # its buffer cannot be flushed if the server is gone


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the process."""
    parser = argparse.ArgumentParser(prog="python -m ropewalk.engine.worker", description=__doc__)
    help_text = "compile nothing: start at once, and search slowly"
    parser.add_argument("--interpreted", action="store_true", help=help_text)
    help_text = f"added to the niceness of the process ({DEFAULT_NICENESS})"
    parser.add_argument("--niceness", metavar="N", type=int, default=DEFAULT_NICENESS, help=help_text)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
