"""Exception classes of the package.

A message is one line: what is wrong, the value, and what is allowed. The command line prints it without a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class RopewalkError(ValueError):
    """Base class of all errors that invalid input causes."""


class SpecError(RopewalkError):
    """A game spec with an unknown game, a size outside the limits, or an unknown option."""


class PositionError(RopewalkError):
    """A position text or drawn board that cannot be parsed, or that the rules do not allow."""


class MoveError(RopewalkError):
    """A text or id that is not a move of the game in any position."""


class IllegalMove(RopewalkError):
    """A move of the game that is not legal in the position.

    Attributes:
        move: text of the move.
        reason: stable code of the reason.
        witness: names of the cells that show the reason.
        clause: heading of the section of the rules page that forbids the move.

    """

    def __init__(self, move: str, message: str, *, reason: str, witness: Iterable[str] = (), clause: str) -> None:
        super().__init__(message)
        self.move = move
        self.reason = reason
        self.witness = tuple(witness)
        self.clause = clause

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_illegal_move, (self.move, str(self), self.reason, self.witness, self.clause)


def _restore_illegal_move(move: str, message: str, reason: str, witness: tuple[str, ...], clause: str) -> IllegalMove:
    """Return the exception that was pickled; worker processes report errors to their parents this way."""
    return IllegalMove(move, message, reason=reason, witness=witness, clause=clause)


class ArenaError(RopewalkError):
    """A tournament that cannot be run, or results that cannot be read or written."""
