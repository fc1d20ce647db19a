"""Every refusal of the package: one line that says what was wrong, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable


class RopewalkError(ValueError):
    """What all refusals share: a message for people, without a traceback on the command line."""


class SpecError(RopewalkError):
    """A game spec that names no game, no size within the limits, or no such option."""


class PositionError(RopewalkError):
    """A position's text or drawn board that cannot be read, or that no rules allow."""


class MoveError(RopewalkError):
    """A text or id that is not a move of this game in any position."""


class IllegalMove(RopewalkError):
    """A move of this game that is not legal here, with the reason in the rules' words.

    `reason` is a stable code, `witness` names the cells that show it, `clause` the heading of the
    rules page that forbids it.
    """

    def __init__(self, move: str, message: str, *, reason: str, witness: Iterable[str] = (), clause: str) -> None:
        super().__init__(message)
        self.move = move
        self.reason = reason
        self.witness = tuple(witness)
        self.clause = clause


class ArenaError(RopewalkError):
    """A contest that cannot be held, or results that cannot be read or written."""
