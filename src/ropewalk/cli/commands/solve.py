"""`ropewalk solve` and `ropewalk verify-proof`: exact values of a position, with a proof file."""

from __future__ import annotations

import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from ... import game as game_of
from ...games.sequence import MoveSequence
from ..arguments import Parser, add_json, add_position, add_spec, make_float_parser, make_int_parser, read_position
from ..command import EXIT_INTERRUPTED, EXIT_NEGATIVE, EXIT_OK, Command

if TYPE_CHECKING:
    from ...games.position import Position
    from ...proofs.solver import Solution

MIN_HASH_MB, DEFAULT_HASH_MB, MAX_HASH_MB = 1, 1024, 1 << 20
MAX_SECONDS = 1e8
AUTO_METHOD = "auto"  # the one that the game prefers
METHODS = (AUTO_METHOD, "carrier", "strategy")

SOLVE_DESCRIPTION = (
    "Compute the exact value of a position (win, draw or loss) and of each of its moves. With -o, write the proof to "
    "a file, which 'ropewalk verify-proof' checks without the solver. After Ctrl-C, the same command resumes from the "
    "results in the file. The exit code is 1 if the time limit is reached before the value is known. The value does "
    "not depend on earlier positions of the game."
)

SOLVE_EXAMPLES = [
    ("ropewalk solve tether-3 -o tether-3.proof", "a small board, with a proof"),
    ("ropewalk solve liger-4 a1-b2", "after a move"),
    ("ropewalk solve lariat-1x1 --method strategy --json", "with the general solver, as JSON"),
    ("ropewalk solve tether-5 c3 --time-limit 2 --hash-mb 64", "within limits"),
]


def add_solve_arguments(parser: Parser) -> None:
    """Add the position, the proof file, the limits and the method."""
    add_spec(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="move or whole turn; moves are played in order")
    add_position(parser)
    parser.add_argument("-o", "--proof", metavar="FILE", type=Path, help="write the proof to this file, or resume it")
    parse_hash_mb = make_int_parser(MIN_HASH_MB, MAX_HASH_MB)
    hash_help = f"size of the transposition table in megabytes ({DEFAULT_HASH_MB})"
    parser.add_argument("--hash-mb", metavar="MB", type=parse_hash_mb, default=DEFAULT_HASH_MB, help=hash_help)
    parser.add_argument(
        "--time-limit", metavar="S", type=make_float_parser(0.0, MAX_SECONDS, "seconds"), help="stop after this many seconds"
    )
    method_help = "carrier: Lariat and Cube Lariat on at most 64 cells; strategy: all games; auto (default): by game"
    parser.add_argument("--method", metavar="METHOD", choices=METHODS, default=AUTO_METHOD, help=method_help)
    add_json(parser)


def run_solve(arguments: Namespace) -> int:
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
    return EXIT_NEGATIVE if solution.value is None else EXIT_OK


def run_solver(position: Position, arguments: Namespace, stop: Event) -> Solution:
    """Run the chosen solver under its limits, with a status line."""
    from ...jit.compile_progress import show_compile_progress
    from ...progress import status_line
    from ...proofs.solver import SolverLimits, choose_method, find_solver
    from ...rules.generic import inspect_row

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
    from ...console.formatting import wrap
    from ...console.position_text import format_effort, format_solution, solution_to_json

    path: Path | None = arguments.proof
    proof_bytes = path.stat().st_size if path and path.exists() else 0
    if arguments.json:
        print(solution_to_json(solution, {"proof": str(path) if proof_bytes else None, "proof_bytes": proof_bytes}))
        return
    proof_text = f"; proof of {solution.proof_size:,} replies in {path} ({proof_bytes:,} bytes)" if proof_bytes else ""
    print(format_solution(position, solution))
    print(wrap(format_effort(solution, "searched") + proof_text))


def format_resume_hint(arguments: Namespace) -> str:
    """Return which results an interrupted solver has saved, and how to resume."""
    if arguments.proof is None:
        return "no results were saved; use -o FILE to save them"
    if not arguments.proof.exists():
        return "there are no proven results yet"
    return f"the proven results are in {arguments.proof}; run the same command to resume"


VERIFY_PROOF_DESCRIPTION = (
    "Verify a proof file written by ropewalk solve. The checker uses only the rules and no part of the solver, and "
    "tries every move of the losing side. It prints the proven values, or one line that says why the proof is invalid "
    "(exit code 2)."
)

VERIFY_PROOF_EXAMPLES = [
    ("ropewalk verify-proof tether-3.proof", "the proven values"),
    ("ropewalk verify-proof tether-3.proof --json", "as JSON"),
]


def add_verify_proof_arguments(parser: Parser) -> None:
    """Add the file and --json."""
    parser.add_argument("file", metavar="FILE", type=Path, help="proof file")
    add_json(parser)


def run_verify_proof(arguments: Namespace) -> int:
    """Check the file and print what it proves."""
    from ...console.formatting import wrap
    from ...console.position_text import format_effort, format_solution, solution_to_json
    from ...progress import status_line
    from ...proofs.solver import find_checker

    check = find_checker(arguments.file)
    with status_line(f"checking {arguments.file.name}") as update_status:
        solution = check(arguments.file, lambda nodes, memory_bytes, status: update_status(f"{status}; {nodes:,} positions"))
    if arguments.json:
        print(solution_to_json(solution, {"verified": True}))
        return EXIT_OK
    position = game_of(solution.spec).position(solution.position)
    print(format_solution(position, solution))
    print(wrap(f"verified: {solution.proof_size:,} replies, {format_effort(solution, 'checked')}"))
    return EXIT_OK


COMMANDS = {
    "solve": Command(SOLVE_DESCRIPTION, SOLVE_EXAMPLES, add_solve_arguments, run_solve),
    "verify-proof": Command(VERIFY_PROOF_DESCRIPTION, VERIFY_PROOF_EXAMPLES, add_verify_proof_arguments, run_verify_proof),
}
