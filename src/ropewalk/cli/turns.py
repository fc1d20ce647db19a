"""Playing moves that people typed: where a line of them starts, which of them fails, and what each one does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from ..errors import IllegalMove, MoveError, PositionError, RopewalkError
from ..games.game import Game
from ..games.notation import MAX_TEXT_LENGTH
from ..games.position import Position


class Refused(RopewalkError):
    """A move that failed among others: its number and why, and as a detail the cells that show it."""

    def __init__(self, number: int, move: str, error: MoveError | IllegalMove) -> None:
        shown = move if len(move) <= 40 else move[:37] + "..."
        super().__init__(f"move {number} ({shown}): {error}")
        self.error = error
        self.detail = f"shown by {' '.join(error.witness)}" if isinstance(error, IllegalMove) and error.witness else ""


def opened(game: Game, text: str | None) -> Position:
    """The position that a text describes, the start without one; `-` reads it from standard input."""
    if text is None:
        return game.start()
    if text != "-":
        return game.position(text)
    if sys.stdin is None or sys.stdin.isatty():
        raise PositionError("--position - reads a position from standard input: pipe one in")
    return game.position(sys.stdin.read(MAX_TEXT_LENGTH + 1))


def play_all(position: Position, moves: Iterable[str]) -> list[Position]:
    """The position and those after each of the moves, which may be steps or whole turns."""
    line = [position]
    for number, move in enumerate(moves, start=1):
        try:
            line.append(line[-1].play(move))
        except (MoveError, IllegalMove) as error:
            raise Refused(number, move, error) from None
    return line


def explained(line: Sequence[Position], moves: Iterable[str]) -> list[str]:
    """What each step of these moves does, in words."""
    words = []
    for position, move in zip(line, moves, strict=False):
        before = position
        for step in position.game.split_turn(move):
            words.append(f"{step}: {before.explain(step)}")
            before = before.play(step)
    return words
