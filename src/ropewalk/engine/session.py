"""State shared by the protocols: the position reached by a sequence of moves, and bots with compiled kernels.

Positions of common prefixes of moves are kept and not replayed, which also preserves the identity that tree reuse
needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..bots.bot import Bot, Limit
from ..bots.levels import bot
from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.game import Game
from ..games.position import Position
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step

MAX_SHOWN_LENGTH = 40  # characters of a move in an error message


class MoveSequenceError(RopewalkError):
    """A move of a sequence cannot be played; `error` has the reason."""

    def __init__(self, number: int, move: str, error: MoveError | IllegalMove) -> None:
        shown = move if len(move) <= MAX_SHOWN_LENGTH else move[: MAX_SHOWN_LENGTH - 3] + "..."
        super().__init__(f"move {number} ({shown}): {error}")
        self.error = error


class PositionTracker:
    """The current game as a list of positions. A longer sequence of moves extends it, so that bots can reuse trees."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.reset()

    def reset(self) -> None:
        """Return to the start position."""
        self.text: str | None = None
        self.moves: tuple[str, ...] = ()
        self.positions: list[Position] = [self.game.start()]

    @property
    def position(self) -> Position:
        """The position after the moves received so far."""
        return self.positions[-1]

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        """Go to the position after `moves` from the position `text`, the start position if `text` is None.

        Raises PositionError or MoveSequenceError; the current position is then unchanged.
        """
        positions = (
            self.positions[: 1 + common_prefix_length(self.moves, moves)]
            if text == self.text
            else [parse_position(self.game, text)]
        )
        self.positions = play_moves(positions, moves)
        self.text, self.moves = text, tuple(moves)


def parse_position(game: Game, text: str | None) -> Position:
    """Return the position described by `text`, the start position for None. Raises PositionError."""
    return game.start() if text is None else game.position(text)


def play_moves(positions: Sequence[Position], moves: Sequence[str]) -> list[Position]:
    """Return the positions before and after each move (a step or a whole turn).

    `positions` are the first of them, at least the start; they are not played again. Raises MoveSequenceError.
    """
    extended = list(positions)
    for number, move in enumerate(moves[len(positions) - 1 :], start=len(positions)):
        try:
            extended.append(extended[-1].play(move))
        except (MoveError, IllegalMove) as error:
            raise MoveSequenceError(number, move, error) from None
    return extended


def common_prefix_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common prefix of two sequences."""
    for length, (first_item, second_item) in enumerate(zip(first, second, strict=False)):
        if first_item != second_item:
            return length
    return min(len(first), len(second))


def make_warm_bot(game: Game, level: int, threads: int = 1) -> Bot:
    """Return the bot of a level with its kernels compiled; a progress bar on stderr shows compilation."""
    with show_compile_progress(game.name, game.rules, inspect_row, step):
        new_bot = bot(game, level, threads=threads)
        new_bot.choose(game.start(), Limit(visits=1))
    return new_bot
