"""What all solvers and checkers share: results, limits, and the choice of a solver or checker.

Values are outcomes: 0 or 1 for the seat that wins with best play, 2 (DRAW_VALUE) for a draw, None for not known. Nothing
here imports a solver: `find_solver` and `find_checker` load the module that the method or the file's header names.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import IO, Protocol

import numpy as np

from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Position
from ..jit.compile_clock import read_work_clock
from ..rules.generic import Row
from ..text import ellipsis

DRAW_VALUE = 2  # the value of a position that neither seat can win by force
REPORT_INTERVAL_SECONDS = 0.1


class ProofError(RopewalkError):
    """A proof file cannot be read, or does not prove its claims."""


class ProgressCallback(Protocol):
    """Callback for the progress of a solver or checker, called a few times a second."""

    def __call__(self, nodes: int, memory_bytes: int, status: str) -> None:
        """Receive the positions searched, the bytes in use and a short text on the current step."""


@dataclass(frozen=True)
class SolverLimits:
    """Limits of a solver. Setting the event `stop` ends it from another thread; proven results are kept."""

    memory_bytes: int = 1 << 30  # of the transposition table
    seconds: float | None = None
    stop: Event = field(default_factory=Event, compare=False)


@dataclass(frozen=True)
class Solution:
    """Values of a position and of all its moves, as far as a solver or checker has proven them."""

    spec: str
    position: str
    value: int | None
    moves: Mapping[str, int | None]  # the value after each legal move, in the game's order
    nodes: int  # positions searched, or visited by a checker
    proof_size: int  # replies or strategies in the proof
    seconds: float


class ProofView:
    """A game as solvers see it: past positions do not count, so that a value depends on the position alone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules, self.start_row = game.without_history(game.start().row)

    @property
    def can_repeat(self) -> bool:
        """Whether a position can repeat, so that play may be cyclic."""
        return self.game.can_repeat

    @property
    def compact_dtype(self) -> np.dtype[np.signedinteger]:
        """The smallest integer type that holds all words of a row."""
        return np.dtype(self.game.compact_dtype)

    def row(self, row: Row) -> Row:
        """Return a row of the game without its past positions."""
        return self.game.without_history(row)[1]


def minimax_value(seat: int, values: Iterable[int | None]) -> int | None:
    """Return a position's value from the values after its moves, for `seat` to move; None if not known."""
    distinct_values = set(values)
    if seat in distinct_values:
        return seat
    if None in distinct_values:
        return None
    return DRAW_VALUE if DRAW_VALUE in distinct_values else 1 - seat


class SolverStopped(Exception):
    """A solver has reached its time limit or was stopped; proven results are kept."""


class SolverClock:
    """Time limit and progress reports of a solver, without the time of compilation. `status` is the text of a report."""

    def __init__(self, limits: SolverLimits, on_progress: ProgressCallback | None = None) -> None:
        self.limits = limits
        self.on_progress = on_progress
        self.status = ""
        self.restart()

    def restart(self) -> None:
        """Set the elapsed time to 0."""
        self.started_at = self.last_report = read_work_clock()

    @property
    def elapsed_seconds(self) -> float:
        """Return the seconds since the start or the last restart."""
        return read_work_clock() - self.started_at

    def should_continue(self, nodes: int, memory_bytes: int) -> bool:
        """Report progress if a report is due; return False at the time limit or once stopped."""
        now = read_work_clock()
        if self.on_progress and now - self.last_report > REPORT_INTERVAL_SECONDS:
            self.last_report = now
            self.on_progress(nodes, memory_bytes, self.status)
        is_over_time = self.limits.seconds is not None and now - self.started_at > self.limits.seconds
        return not is_over_time and not self.limits.stop.is_set()

    def check(self, nodes: int, memory_bytes: int) -> None:
        """Report progress like `should_continue`; raise SolverStopped where that returns False."""
        if not self.should_continue(nodes, memory_bytes):
            raise SolverStopped


SolveFunction = Callable[[Position, Path | None, SolverLimits, ProgressCallback | None], Solution]
CheckFunction = Callable[[Path, ProgressCallback | None], Solution]


SOLVERS = {"strategy": "strategy.solver:solve_by_strategy", "carrier": "carrier.solver:solve_carrier"}

CHECKERS = {"strategy": "strategy.checker:check_strategy_proof", "carrier": "carrier.checker:verify_carrier_proof"}

MAX_HEADER_CHARS = 1 << 24
GZIP_MAGIC = b"\x1f\x8b"


def choose_method(game: Game) -> str:
    """Return the name of the first solver that the game declares and that takes its board."""
    methods, num_cells = game.definition.proof_methods, len(game.board)
    return next(method.name for method in methods if method.max_cells is None or num_cells <= method.max_cells)


def find_solver(method: str) -> SolveFunction:
    """Return the solve function of a proof method, a key of SOLVERS."""
    solver: SolveFunction = import_function(SOLVERS[method])
    return solver


def find_checker(path: Path) -> CheckFunction:
    """Return the check function for the kind of proof that a file's header names.

    Raises ProofError if the file cannot be read, or its first line is not the header of a known kind.
    """
    try:
        with open_proof(path) as file:
            kind = json.loads(file.readline(MAX_HEADER_CHARS))["kind"]
    except (OSError, EOFError, zlib.error) as error:
        raise ProofError(f"cannot read the proof {path}: {getattr(error, 'strerror', None) or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProofError(f"{path}, line 1: expected the header of a proof") from None
    if not isinstance(kind, str) or kind not in CHECKERS:
        raise ProofError(f"{path}, line 1: unknown kind of proof {ellipsis(str(kind))}; allowed are {', '.join(CHECKERS)}")
    checker: CheckFunction = import_function(CHECKERS[kind])
    return checker


def open_proof(path: Path) -> IO[str]:
    """Open a proof file as text, decompressed if it is gzipped."""
    with path.open("rb") as raw:
        is_gzip = raw.read(2) == GZIP_MAGIC
    return gzip.open(path, "rt", encoding="ascii") if is_gzip else path.open(encoding="ascii")


def import_function(target: str) -> Callable[..., Solution]:
    """Import a function given as `module:name`, relative to this package."""
    module, _, name = target.partition(":")
    function: Callable[..., Solution] = getattr(import_module(f".{module}", __package__), name)
    return function
