"""Which solver and which checker: a game says how its values are proven, a file says how it proves them."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO

from ..errors import ellipsis
from ..games.game import Position
from .solution import Effort, ProofError, Solution, Watcher

Solver = Callable[[Position, Path | None, Effort, Watcher | None], Solution]
Checker = Callable[[Path, Watcher | None], Solution]

GENERIC = "strategy"
SOLVERS = {"strategy": "strategy_solver:solve_by_strategy", "carrier": "carrier_solver:solve_claiming"}
CHECKERS = {"strategy": "strategy_checker:check_strategy_proof", "carrier": "carrier_checker:verify_carrier_proof"}
LONGEST_HEADER = 1 << 24
GZIP = b"\x1f\x8b"


def solver_of(kind: str) -> Solver:
    """The solver that leaves proofs of a kind."""
    solver: Solver = named(SOLVERS[kind])
    return solver


def checker_of(path: Path) -> Checker:
    """The checker for the kind of proof that a file's first line names."""
    try:
        with opened(path) as file:
            kind = json.loads(file.readline(LONGEST_HEADER))["kind"]
    except (OSError, EOFError, zlib.error) as error:
        raise ProofError(f"{path} cannot be read as a proof: {getattr(error, 'strerror', None) or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProofError(f"{path}, line 1: this is not the header of a proof") from None
    if not isinstance(kind, str) or kind not in CHECKERS:
        raise ProofError(f"{path}, line 1: a proof is of kind {' or '.join(CHECKERS)}, not {ellipsis(str(kind))}")
    checker: Checker = named(CHECKERS[kind])
    return checker


def opened(path: Path) -> IO[str]:
    """A proof, unpacked if it is packed."""
    with path.open("rb") as raw:
        packed = raw.read(2) == GZIP
    return gzip.open(path, "rt", encoding="ascii") if packed else path.open(encoding="ascii")


def named(place: str) -> Callable[..., Solution]:
    """A function by its module and name."""
    module, _, name = place.partition(":")
    function: Callable[..., Solution] = getattr(import_module(f".{module}", __package__), name)
    return function
