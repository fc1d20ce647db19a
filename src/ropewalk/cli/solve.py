"""`ropewalk solve`: exact values of a position and of all its moves, with a proof file."""

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
from ..games.sequence import MoveSequence
from .parser import Parser, add_json, add_position, add_spec, read_position, seconds, whole

if TYPE_CHECKING:
    from ..games.position import Position
    from ..proofs.solver import Solution

MIN_HASH_MB, DEFAULT_HASH_MB, MAX_HASH_MB = 1, 1024, 1 << 20
MAX_SECONDS = 1e8
AUTO_METHOD = "auto"  # the one that the game prefers
METHODS = (AUTO_METHOD, "carrier", "strategy")
EXIT_OK, EXIT_UNSOLVED, EXIT_INTERRUPTED = 0, 1, 130

DESCRIPTION = (
    "Find who wins a position, or whether it is a draw, and the same after each of its moves. With -o the proof is written "
    "to a file, which ropewalk verify-proof checks without the solver. Ctrl-C keeps what is proven, and the same command "
    "resumes from there. The exit code is 1 if the time limit was reached before the value was known. Earlier positions of "
    "the game do not count: the value is that of the position alone."
)

EXAMPLES = [
    ("ropewalk solve tether-3 -o tether-3.proof", "a small board, with a proof"),
    ("ropewalk solve liger-4 a1-b2", "after a move"),
    ("ropewalk solve lariat-1x1 --method strategy --json", "by the solver for all games, for programs"),
    ("ropewalk solve tether-5 c3 --time-limit 2 --hash-mb 64", "within limits"),
]


def define(parser: Parser) -> None:
    """Add the position, the proof file, the limits and the method."""
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="a step or a whole turn, played in order")
    add_position(parser)
    parser.add_argument("-o", "--proof", metavar="FILE", type=Path, help="write the proof to this file, or resume it")
    parse_hash_mb = whole(MIN_HASH_MB, MAX_HASH_MB)
    hash_help = f"size of the transposition table in megabytes ({DEFAULT_HASH_MB})"
    parser.add_argument("--hash-mb", metavar="MB", type=parse_hash_mb, default=DEFAULT_HASH_MB, help=hash_help)
    parser.add_argument("--time-limit", metavar="S", type=seconds(0.0, MAX_SECONDS), help="stop after this many seconds")
    method_help = (
        "carrier: Lariat and Cube Lariat on at most 64 cells; strategy: all games; auto (default): what suits the game"
    )
    parser.add_argument("--method", metavar="METHOD", choices=METHODS, default=AUTO_METHOD, help=method_help)
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Solve the position and print its values; return the exit code."""
    game = game_of(arguments.spec)  # before the imports: an invalid spec is refused without loading numba

    position = MoveSequence.play(read_position(game, arguments.position), arguments.moves).position
    stop = Event()
    with stop_on_interrupt(stop):
        solution = run_solver(position, arguments, stop)
    print_report(position, solution, arguments)
    if stop.is_set():
        print(f"ropewalk: interrupted; {format_resume_hint(arguments)}", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_UNSOLVED if solution.value is None else EXIT_OK


def run_solver(position: Position, arguments: Namespace, stop: Event) -> Solution:
    """Run the chosen solver under its limits, with a status line."""
    from ..jit.compile_progress import show_compile_progress
    from ..progress import status_line
    from ..proofs.solver import SolverLimits, choose_method, find_solver
    from ..rules.generic import inspect_row

    game = position.game
    solver = find_solver(choose_method(game) if arguments.method == AUTO_METHOD else arguments.method)
    limits = SolverLimits(memory_bytes=arguments.hash_mb << 20, seconds=arguments.time_limit, stop=stop)
    with (
        show_compile_progress(game.name, game.rules, inspect_row),
        status_line(f"solving {game.spec}") as update_status,
    ):
        return solver(
            position,
            arguments.proof,
            limits,
            lambda nodes, memory_bytes, status: update_status(format_progress(nodes, memory_bytes, status)),
        )


def format_progress(nodes: int, memory_bytes: int, status: str) -> str:
    """Return the text of the status line."""
    return f"{status}; {nodes:,} positions, {memory_bytes >> 20:,} MB"


@contextmanager
def stop_on_interrupt(stop: Event) -> Iterator[None]:
    """Set `stop` on the first Ctrl-C; the second one has its usual effect."""

    def request_stop(signal_number: int, frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, previous_handler)

    previous_handler = signal.signal(signal.SIGINT, request_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def print_report(position: Position, solution: Solution, arguments: Namespace) -> None:
    """Print the values, the effort and the proof's size, as text or JSON."""
    from .printing import wrapped
    from .values import format_effort, format_solution, solution_to_json

    path: Path | None = arguments.proof
    proof_bytes = path.stat().st_size if path and path.exists() else 0
    if arguments.json:
        print(solution_to_json(solution, {"proof": str(path) if proof_bytes else None, "proof_bytes": proof_bytes}))
        return
    proof_text = f"; proof of {solution.proof_size:,} answers in {path} ({proof_bytes:,} bytes)" if proof_bytes else ""
    print(format_solution(position, solution))
    print(wrapped(format_effort(solution, "searched") + proof_text))


def format_resume_hint(arguments: Namespace) -> str:
    """Return what was kept when the solver was interrupted, and how to resume."""
    if arguments.proof is None:
        return "nothing was kept: -o FILE would keep what is proven"
    if not arguments.proof.exists():
        return "nothing was proven yet"
    return f"what is proven is in {arguments.proof}, and the same command goes on from there"
