"""`ropewalk solve`: the exact value of a position and of all its moves, with a proof that others can check."""

from __future__ import annotations

import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from .. import game as game_of
from .parser import Parser, add_json, add_position, add_spec, seconds, whole

if TYPE_CHECKING:
    from ..games.game import Position
    from ..proofs.solver import Solution

MIN_HASH_MB, DEFAULT_HASH_MB, MAX_HASH_MB = 1, 1024, 1 << 20  # megabytes
MAX_SECONDS = 1e8
EXIT_OK, EXIT_UNSOLVED, EXIT_INTERRUPTED = 0, 1, 130

DESCRIPTION = (
    "Find who wins a position, or whether it is a draw, and the same after each of its moves. With -o the proof is kept: "
    "ropewalk verify-proof checks it without the solver. Ctrl-C keeps what is proven, and the same command goes on from "
    "there. The exit code is 1 if time ran out before the value was known. Earlier positions do not count: the value is "
    "that of the position alone, where the game has no past."
)

EXAMPLES = [
    ("ropewalk solve tether-3 -o tether-3.proof", "a small board, with a proof"),
    ("ropewalk solve liger-4 a1-b2", "after a move"),
    ("ropewalk solve lariat-1x1 --generic --json", "by the solver for all games, for programs"),
    ("ropewalk solve tether-5 c3 --seconds 2 --memory 64", "within limits"),
]


def define(parser: Parser) -> None:
    """A position, a file, and limits."""
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="a step or a whole turn, played in order")
    add_position(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="keep the proof here, or go on with it")
    parse_hash_mb = whole(MIN_HASH_MB, MAX_HASH_MB)
    help_text = f"megabytes for the solver's table ({DEFAULT_HASH_MB})"
    parser.add_argument("--memory", metavar="MB", type=parse_hash_mb, default=DEFAULT_HASH_MB, help=help_text)
    parser.add_argument("--seconds", metavar="S", type=seconds(0.0, MAX_SECONDS), help="stop after this time")
    parser.add_argument(
        "--generic", action="store_true", help="use the solver for all games, even where there is a better one"
    )
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Solve, then print."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from .turns import opened, play_all

    position = play_all(opened(game, arguments.position), arguments.moves)[-1]
    stop = Event()
    with stop_on_interrupt(stop):
        solution = run_solver(position, arguments, stop)
    print_report(position, solution, arguments)
    if stop.is_set():
        print(f"ropewalk: interrupted; {format_resume_hint(arguments)}", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_UNSOLVED if solution.value is None else EXIT_OK


def run_solver(position: Position, arguments: Namespace, stop: Event) -> Solution:
    """Run the solver under its limits, with a line on how far it is."""
    from ..jit.compile_progress import show_compile_progress
    from ..progress import status_line
    from ..proofs.solver import GENERIC_METHOD, SolverLimits, find_solver

    solver = find_solver(GENERIC_METHOD if arguments.generic else position.game.proof_method)
    limits = SolverLimits(memory_bytes=arguments.memory << 20, seconds=arguments.seconds, stop=stop)
    with show_compile_progress(position.game), status_line(f"solving {position.game.spec}") as update_status:
        return solver(
            position,
            arguments.output,
            limits,
            lambda nodes, memory, words: update_status(format_progress(nodes, memory, words)),
        )


def format_progress(nodes: int, memory_bytes: int, message: str) -> str:
    """How far the solver is."""
    return f"{message}; {nodes:,} positions, {memory_bytes >> 20:,} MB"


@contextmanager
def stop_on_interrupt(stop: Event) -> Iterator[None]:
    """The first Ctrl-C asks the solver to end; a second one does not wait for it."""

    def request_stop(signal_number: int, frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, previous_handler)

    previous_handler = signal.signal(signal.SIGINT, request_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def print_report(position: Position, solution: Solution, arguments: Namespace) -> None:
    """The value, the moves, the work, and the proof."""
    from .printing import wrapped
    from .values import as_json, looked_at, told

    proof_bytes = arguments.output.stat().st_size if arguments.output and arguments.output.exists() else 0
    if arguments.json:
        print(as_json(solution, {"proof": str(arguments.output) if proof_bytes else None, "proof_bytes": proof_bytes}))
        return
    proof_text = (
        f"; proof of {solution.proof_size:,} answers in {arguments.output} ({proof_bytes:,} bytes)" if proof_bytes else ""
    )
    print(told(position, solution))
    print(wrapped(looked_at(solution, "searched") + proof_text))


def format_resume_hint(arguments: Namespace) -> str:
    """What to do to lose nothing."""
    if arguments.output is None:
        return "nothing was kept: -o FILE would keep what is proven"
    if not arguments.output.exists():
        return "nothing was proven yet"
    return f"what is proven is in {arguments.output}, and the same command goes on from there"
