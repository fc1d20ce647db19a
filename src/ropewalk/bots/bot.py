"""The interface of bots: choose a move, or analyse a position and report while searching.

Values are expected scores of the seat to move: 0 for a loss, 0.5 for a draw, 1 for a win.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any, Literal

from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Position

Certainty = Literal["proven", "estimate"]


class BotError(RopewalkError):
    """A bot cannot be made, or cannot do what the caller requires."""


@dataclass(frozen=True)
class Limit:
    """Limit of one search; the first bound that is reached ends it.

    Without `seconds` and `visits` the bot's default budget applies. Raises BotError unless 0 < seconds < inf and visits
    >= 1. With `moves`, the values of a search are those of the position in which only these moves may be played.
    """

    seconds: float | None = None
    visits: int | None = None  # simulations, nodes or evaluations, depending on the search
    cancelled: Event = field(default_factory=Event, compare=False)  # set by any thread to end the search
    moves: tuple[str, ...] | None = None  # the only moves to search in the position itself; None for all

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise BotError(f"the time limit must be more than 0 seconds, not {self.seconds:g}")
        if self.visits is not None and self.visits < 1:
            raise BotError(f"the limit of visits must be at least 1, not {self.visits}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bounds; the copy has an event of its own."""
        return partial(Limit, moves=self.moves), (self.seconds, self.visits)


@dataclass(frozen=True)
class Line:
    """A root move with its principal variation and statistics."""

    moves: tuple[str, ...]  # the root move first
    visits: int
    value: float  # of the seat to move in the analysed position
    certainty: Certainty


@dataclass(frozen=True)
class Report:
    """Result of a search so far."""

    seat: int  # to move in the analysed position; `value` is from its point of view
    value: float
    certainty: Certainty
    visits: int
    seconds: float
    lines: tuple[Line, ...]  # best first; at least one
    kept: int = 0  # visits reused from earlier searches, included in `visits`


class Bot:
    """A player of one game; a subclass defines `choose` or `analyse`, or both.

    A bot may be used by one thread at a time. Another thread stops a search by setting `Limit.cancelled`.

    The bots of the package can be copied and pickled, except external engines. A copy has the settings and the seed of the
    last `new_game`, and nothing of earlier searches.
    """

    game: Game
    name: str = ""  # for example "level 5"; "" for the text by which the bot was requested
    budget: str = ""  # default budget of a move, for example "6,000 playouts a move"; stored in result files
    net: str = ""  # SHA-256 of its net; "" for none

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Search a position and yield reports while searching.

        Args:
            position: The position to search; the game must not be over.
            limit: The limit of the search; None for the default budget of the bot.

        Yields:
            Reports, a few per second. The last one is the result; there is at least one. By default one report with the
            move that `choose` returns and the value 0.5.

        Raises:
            BotError: The game is over, or the bot defines neither `analyse` nor `choose`.
        """
        if type(self).choose is Bot.choose:
            raise BotError(f"{type(self).__name__} must define `choose` or `analyse`")
        require_ongoing(position)
        started_at = time.monotonic()
        move = self.choose(position, limit)
        if limit is not None and limit.moves is not None and move not in limit.moves:
            raise BotError(f"{type(self).__name__} cannot be restricted to some moves: it chose {move}")
        line = Line((move,), visits=0, value=0.5, certainty="estimate")
        yield Report(position.seat or 0, 0.5, "estimate", visits=0, seconds=time.monotonic() - started_at, lines=(line,))

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Search a position and return the move to play.

        Args:
            position: The position to search; the game must not be over.
            limit: The limit of the search; None for the default budget of the bot.

        Returns:
            The text of a legal move.

        Raises:
            BotError: The game is over.
        """
        *_, last = self.analyse(position, limit)
        return self.decide(position, last)

    def decide(self, position: Position, last: Report) -> str:
        """Return the move to play after a search whose last report is `last`: by default that of its first line."""
        return last.lines[0].moves[0]

    def new_game(self, seed: int) -> None:
        """Discard the results of earlier searches and seed the random number generator.

        Args:
            seed: With the same seed and limits in visits, the bot plays the same moves.
        """

    def close(self) -> None:
        """Release processes, threads and memory. The bot must not be used afterwards."""


def require_ongoing(position: Position) -> None:
    """Raise BotError if the game is over."""
    outcome = position.outcome
    if outcome is not None:
        raise BotError(f"the game is over: {outcome.words}")


def find_searched_moves(position: Position, limit: Limit | None) -> list[int]:
    """Return the ids of the moves that a search may play in the position, ascending: all legal ones, or those of the limit.

    Raises:
        BotError: The limit names no move, or one that is illegal in the position.
    """
    legal = [int(move) for move in position.move_ids()]
    if limit is None or limit.moves is None:
        return legal
    allowed = {position.game.move_ids.get(text, -1): text for text in limit.moves}
    illegal = [text for move, text in allowed.items() if move not in legal]
    if illegal:
        raise BotError(f"{illegal[0]} cannot be searched: it is not a legal move of the position")
    if not allowed:
        raise BotError("there is no move to search: the limit must name at least one move")
    return sorted(allowed)
