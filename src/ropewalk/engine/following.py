"""Positions that a caller describes by their moves: what was played out once is not played again."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.game import Game, Position

LONGEST_SHOWN = 40


class MoveRefused(RopewalkError):
    """One of several moves that cannot be played; `error` says why."""

    def __init__(self, number: int, move: str, error: MoveError | IllegalMove) -> None:
        shown = move if len(move) <= LONGEST_SHOWN else move[: LONGEST_SHOWN - 3] + "..."
        super().__init__(f"move {number} ({shown}): {error}")
        self.error = error


class Followed:
    """The game so far; when it goes on by some moves, a bot finds the thoughts again that it had before them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.forget()

    def forget(self) -> None:
        """Another game begins."""
        self.text: str | None = None
        self.moves: tuple[str, ...] = ()
        self.line: list[Position] = [self.game.start()]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.line[-1]

    def follow(self, text: str | None, moves: Sequence[str]) -> None:
        """Go to the position after some moves from a text, or from the start; a refusal leaves all as it was."""
        line = self.line[: 1 + len_of_common(self.moves, moves)] if text == self.text else [opened(self.game, text)]
        self.line = play_on(line, moves)
        self.text, self.moves = text, tuple(moves)


def opened(game: Game, text: str | None) -> Position:
    """The position that a text describes, the start without one."""
    return game.start() if text is None else game.position(text)


def play_on(line: Sequence[Position], moves: Sequence[str]) -> list[Position]:
    """The positions after each of the moves, steps or whole turns, of which the line knows the first ones."""
    longer = list(line)
    for number, move in enumerate(moves[len(line) - 1 :], start=len(line)):
        try:
            longer.append(longer[-1].play(move))
        except (MoveError, IllegalMove) as error:
            raise MoveRefused(number, move, error) from None
    return longer


def len_of_common(first: Sequence[str], second: Sequence[str]) -> int:
    """With how many equal items two sequences begin."""
    for length, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return length
    return min(len(first), len(second))
