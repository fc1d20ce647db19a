"""What a solver says of a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Protocol

from ..errors import RopewalkError

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
