"""Positions that a caller describes by their moves: what was played out once is not played again."""
# MERGED DOCSTRING: """Bots whose kernels are compiled before anybody waits for them."""

from __future__ import annotations

from collections.abc import Sequence

from ..bots.bot import Bot, Limit
from ..bots.levels import bot
from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.game import Game, Position
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step

MAX_SHOWN_LENGTH = 40


class MoveSequenceError(RopewalkError):
    """One of several moves that cannot be played; `error` says why."""

    def __init__(self, number: int, move: str, error: MoveError | IllegalMove) -> None:
        shown = move if len(move) <= MAX_SHOWN_LENGTH else move[: MAX_SHOWN_LENGTH - 3] + "..."
        super().__init__(f"move {number} ({shown}): {error}")
        self.error = error


class PositionTracker:
    """The game so far; when it goes on by some moves, a bot finds the thoughts again that it had before them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.reset()

    def reset(self) -> None:
        """Another game begins."""
        self.text: str | None = None
        self.moves: tuple[str, ...] = ()
        self.positions: list[Position] = [self.game.start()]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[-1]

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        """Go to the position after some moves from a text, or from the start; a refusal leaves all as it was."""
        positions = (
            self.positions[: 1 + common_prefix_length(self.moves, moves)]
            if text == self.text
            else [parse_position(self.game, text)]
        )
        self.positions = play_moves(positions, moves)
        self.text, self.moves = text, tuple(moves)


def parse_position(game: Game, text: str | None) -> Position:
    """The position that a text describes, the start without one."""
    return game.start() if text is None else game.position(text)


def play_moves(positions: Sequence[Position], moves: Sequence[str]) -> list[Position]:
    """The positions after each of the moves, steps or whole turns, of which the line knows the first ones."""
    extended = list(positions)
    for number, move in enumerate(moves[len(positions) - 1 :], start=len(positions)):
        try:
            extended.append(extended[-1].play(move))
        except (MoveError, IllegalMove) as error:
            raise MoveSequenceError(number, move, error) from None
    return extended


def common_prefix_length(first: Sequence[str], second: Sequence[str]) -> int:
    """With how many equal items two sequences begin."""
    for length, (first_item, second_item) in enumerate(zip(first, second, strict=False)):
        if first_item != second_item:
            return length
    return min(len(first), len(second))


def make_warm_bot(game: Game, level: int, threads: int = 1) -> Bot:
    """The bot of a level that has had a first thought, with a word on the error stream while kernels compile."""
    with show_compile_progress(game, inspect_row, step):
        new_bot = bot(game, level, threads=threads)
        new_bot.choose(game.start(), Limit(visits=1))
    return new_bot
