"""Claims: what a sheet or a ruling says is always so, as checks over many cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game, Position

MOST_POSITIONS = 100_000  # of a board that is gone through completely


@dataclass(frozen=True)
class Claim:
    """A sentence and the check that could refute it."""

    words: str
    run: Callable[[int, int], tuple[int, int, str]]  # from games and seed to cases, violations, the first violation
    note: str = ""
    expected: bool = False  # known to be violated, and answered by a ruling


def reachable(game: Game) -> list[Position]:
    """Every position of a tiny board that play can come to."""
    found = {str(game.start()): game.start()}
    queue = [game.start()]
    for position in queue:
        for move in position.moves():
            after = position.play(move)
            if str(after) not in found:
                found[str(after)] = after
                queue.append(after)
        if len(queue) > MOST_POSITIONS:
            raise ValueError(f"{game.spec} has more than {MOST_POSITIONS} positions")
    return queue


def replayed(game: Game, text: str, moves: str, rounds: int) -> Position:
    """The position after some rounds of the same moves."""
    position = game.position(text)
    for _ in range(rounds):
        for move in moves.split():
            position = position.play(move)
    return position
