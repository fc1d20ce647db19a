"""Which solver and which checker: a game says how its values are proven, a file says how it proves them."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO

from ..games.game import Position
from ..text import ellipsis
from .solution import ProgressCallback, ProofError, Solution, SolverLimits

SolveFunction = Callable[[Position, Path | None, SolverLimits, ProgressCallback | None], Solution]
CheckFunction = Callable[[Path, ProgressCallback | None], Solution]

GENERIC_METHOD = "strategy"
SOLVERS = {"strategy": "strategy_solver:solve_by_strategy", "carrier": "carrier_solver:solve_carrier"}
CHECKERS = {"strategy": "strategy_checker:check_strategy_proof", "carrier": "carrier_checker:verify_carrier_proof"}
MAX_HEADER_CHARS = 1 << 24
GZIP_MAGIC = b"\x1f\x8b"


def find_solver(method: str) -> SolveFunction:
    """The solver that leaves proofs of a kind."""
    solver: SolveFunction = import_function(SOLVERS[method])
    return solver


def find_checker(path: Path) -> CheckFunction:
    """The checker for the kind of proof that a file's first line names."""
    try:
        with open_proof(path) as file:
            kind = json.loads(file.readline(MAX_HEADER_CHARS))["kind"]
    except (OSError, EOFError, zlib.error) as error:
        raise ProofError(f"{path} cannot be read as a proof: {getattr(error, 'strerror', None) or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProofError(f"{path}, line 1: this is not the header of a proof") from None
    if not isinstance(kind, str) or kind not in CHECKERS:
        raise ProofError(f"{path}, line 1: a proof is of kind {' or '.join(CHECKERS)}, not {ellipsis(str(kind))}")
    checker: CheckFunction = import_function(CHECKERS[kind])
    return checker


def open_proof(path: Path) -> IO[str]:
    """A proof, unpacked if it is packed."""
    with path.open("rb") as raw:
        is_gzip = raw.read(2) == GZIP_MAGIC
    return gzip.open(path, "rt", encoding="ascii") if is_gzip else path.open(encoding="ascii")


def import_function(target: str) -> Callable[..., Solution]:
    """A function by its module and name."""
    module, _, name = target.partition(":")
    function: Callable[..., Solution] = getattr(import_module(f".{module}", __package__), name)
    return function
