"""State shared by the protocols: the position reached by a sequence of moves, and bots with compiled kernels.

Positions of common prefixes of moves are kept and not replayed, which also preserves the identity that tree reuse
needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..bots.bot import Bot, Limit
from ..bots.levels import bot
from ..games.game import Game
from ..games.position import Position
from ..games.sequence import MoveSequence
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step


class PositionTracker:
    """The current game as a sequence of moves. A longer sequence of moves extends it, so that bots can reuse trees."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.reset()

    def reset(self) -> None:
        """Return to the start position."""
        self.text: str | None = None
        self.sequence = MoveSequence.parse(self.game, None)

    @property
    def position(self) -> Position:
        """The position after the moves received so far."""
        return self.sequence.position

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        """Go to the position after `moves` from the position `text`, the start position if `text` is None.

        Raises PositionError or MoveSequenceError; the current position is then unchanged.
        """
        is_same_start = text == self.text
        self.sequence = self.sequence.replace_moves(moves) if is_same_start else MoveSequence.parse(self.game, text, moves)
        self.text = text


def make_warm_bot(game: Game, level: int, threads: int = 1) -> Bot:
    """Return the bot of a level with its kernels compiled; a progress bar on stderr shows compilation."""
    with show_compile_progress(game.name, game.rules, inspect_row, step):
        new_bot = bot(game, level, threads=threads)
        new_bot.choose(game.start(), Limit(visits=1))
    return new_bot
