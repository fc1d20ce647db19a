"""Claims: what a sheet or a ruling says is always so, as checks over many cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game, Position

MAX_POSITIONS = 100_000  # of a board that is gone through completely


@dataclass(frozen=True)
class RuleClaim:
    """A sentence and the check that could refute it."""

    statement: str
    check: Callable[[int, int], tuple[int, int, str]]  # from games and seed to cases, violations, the first violation
    note: str = ""
    violation_expected: bool = False  # known to be violated, and answered by a ruling


def list_reachable_positions(game: Game) -> list[Position]:
    """Every position of a tiny board that play can come to."""
    visited = {str(game.start()): game.start()}
    queue = [game.start()]
    for position in queue:
        for move in position.moves():
            after = position.play(move)
            if str(after) not in visited:
                visited[str(after)] = after
                queue.append(after)
        if len(queue) > MAX_POSITIONS:
            raise ValueError(f"{game.spec} has more than {MAX_POSITIONS} positions")
    return queue


def replay_rounds(game: Game, text: str, moves: str, rounds: int) -> Position:
    """The position after some rounds of the same moves."""
    position = game.position(text)
    for _ in range(rounds):
        for move in moves.split():
            position = position.play(move)
    return position
