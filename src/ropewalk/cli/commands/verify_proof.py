"""`ropewalk verify-proof`: check a proof file by the rules alone."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ... import game as game_of
from ..arguments import Parser, add_json

DESCRIPTION = (
    "Check a proof that ropewalk solve has written. The checker uses the rules and no part of the solver: it tries every "
    "move of the losing side. It prints what is proven, or one line that says why the proof is invalid (exit code 2)."
)

EXAMPLES = [
    ("ropewalk verify-proof tether-3.proof", "who wins, and by which moves"),
    ("ropewalk verify-proof tether-3.proof --json", "for programs"),
]


def define(parser: Parser) -> None:
    """Add the file and --json."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a proof")
    add_json(parser)


def act(arguments: Namespace) -> int:
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
        return 0
    position = game_of(solution.spec).position(solution.position)
    print(format_solution(position, solution))
    print(wrap(f"verified: {solution.proof_size:,} answers, {format_effort(solution, 'walked through')}"))
    return 0
