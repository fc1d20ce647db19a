"""`ropewalk verify-proof`: checks a proof file by the rules alone."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from .. import game as game_of
from .parser import Parser, add_json

DESCRIPTION = (
    "Check a proof that ropewalk solve has written. The checker knows the rules and nothing of the solver: it walks through "
    "all that the other side could do. It prints what is proven, or says in one line why the file proves nothing (exit "
    "code 2)."
)

EXAMPLES = [
    ("ropewalk verify-proof tether-3.proof", "who wins, and by which moves"),
    ("ropewalk verify-proof tether-3.proof --json", "for programs"),
]


def define(parser: Parser) -> None:
    """A file."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a proof")
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Check, then print."""
    from ..progress import status_line
    from ..proofs.solver import find_checker
    from .printing import wrapped
    from .values import as_json, looked_at, told

    check = find_checker(arguments.file)
    with status_line(f"checking {arguments.file.name}") as tell:
        solution = check(arguments.file, lambda nodes, memory, words: tell(f"{words}; {nodes:,} positions"))
    if arguments.json:
        print(as_json(solution, {"verified": True}))
        return 0
    position = game_of(solution.spec).position(solution.position)
    print(told(position, solution))
    print(wrapped(f"verified: {solution.proof_size:,} answers, {looked_at(solution, 'walked through')}"))
    return 0
