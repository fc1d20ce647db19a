"""Small helpers for sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Position


def append_outcome(text: str, after: Position) -> str:
    """What a move does, and how it ends the game if it does."""
    return text if after.outcome is None else f"{text}; {after.outcome.words}"


def plural(count: int, noun: str) -> str:
    """1 stone, 2 stones."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def join_list(names: Iterable[str]) -> str:
    """a1, b2 and c3."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
