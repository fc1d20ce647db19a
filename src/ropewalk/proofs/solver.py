"""What a solver says of a position."""
# MERGED DOCSTRING: """The limits of a solver's work: whether to go on, and word of it to whoever watches."""
# MERGED DOCSTRING: """Which solver and which checker: a game says how its values are proven, a file says how it proves them."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import IO, Protocol

from ..errors import RopewalkError
from ..games.game import Position
from ..text import ellipsis

DRAW_VALUE = 2  # the value of a position that neither seat can win by force


class ProofError(RopewalkError):
    """A proof file that cannot be read, or that does not prove what it says."""


class ProgressCallback(Protocol):
    """Called a few times a second while a solver works."""

    def __call__(self, nodes: int, memory_bytes: int, status: str) -> None:
        """Positions searched, bytes in use, and what is being worked on."""


@dataclass(frozen=True)
class SolverLimits:
    """How much a solver may use, and how it is stopped: setting `stop` keeps all that was proven."""

    memory_bytes: int = 1 << 30  # bytes of its table
    seconds: float | None = None
    stop: Event = field(default_factory=Event, compare=False)


@dataclass(frozen=True)
class Solution:
    """Values are outcomes: the seat that wins, 2 for a draw, None for not known (yet)."""

    spec: str
    position: str
    value: int | None
    moves: Mapping[str, int | None]  # the value after each legal move, in the game's order
    nodes: int  # positions searched
    proof_size: int  # positions in the proof
    seconds: float


def minimax_value(seat: int, values: Iterable[int | None]) -> int | None:
    """What a position is worth to the seat to move there, by the values after all its moves: the best it can get."""
    distinct_values = set(values)
    if seat in distinct_values:
        return seat
    if None in distinct_values:
        return None
    return DRAW_VALUE if DRAW_VALUE in distinct_values else 1 - seat


REPORT_INTERVAL_SECONDS = 0.1  # seconds


class SolverStopped(Exception):
    """Time is up, or the work is no longer wanted; what was proven stays."""


class SolverClock:
    """Counts time and passes on the news."""

    def __init__(self, limits: SolverLimits, on_progress: ProgressCallback | None = None) -> None:
        self.limits = limits
        self.on_progress = on_progress
        self.status = ""
        self.restart()

    def restart(self) -> None:
        """Count the time from now on."""
        self.started_at = self.last_report = time.monotonic()

    @property
    def elapsed_seconds(self) -> float:
        """Since the work began."""
        return time.monotonic() - self.started_at

    def should_continue(self, nodes: int, memory_bytes: int) -> bool:
        """Tell the watcher now and then; whether there is time left and nobody has called a stop."""
        now = time.monotonic()
        if self.on_progress and now - self.last_report > REPORT_INTERVAL_SECONDS:
            self.last_report = now
            self.on_progress(nodes, memory_bytes, self.status)
        is_over_time = self.limits.seconds is not None and now - self.started_at > self.limits.seconds
        return not is_over_time and not self.limits.stop.is_set()

    def check(self, nodes: int, memory_bytes: int) -> None:
        """Raise Stopped when it is time to end."""
        if not self.should_continue(nodes, memory_bytes):
            raise SolverStopped


SolveFunction = Callable[[Position, Path | None, SolverLimits, ProgressCallback | None], Solution]

CheckFunction = Callable[[Path, ProgressCallback | None], Solution]

GENERIC_METHOD = "strategy"

SOLVERS = {"strategy": "strategy.solver:solve_by_strategy", "carrier": "carrier.solver:solve_carrier"}

CHECKERS = {"strategy": "strategy.checker:check_strategy_proof", "carrier": "carrier.checker:verify_carrier_proof"}

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
