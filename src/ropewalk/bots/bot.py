"""What every bot can do: choose a move, and say what it thinks of a position while it thinks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Literal

from ..errors import RopewalkError
from ..games.game import Game, Position

Certainty = Literal["proven", "estimate"]


class BotError(RopewalkError):
    """A bot was asked for something that it cannot do."""


@dataclass(frozen=True)
class Limit:
    """When a bot must answer: what comes first. Without any, after the budget of its level."""

    seconds: float | None = None
    visits: int | None = None  # simulations, or positions searched
    cancelled: Event = field(default_factory=Event, compare=False)  # set it, from any thread, to have the answer now

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise BotError(f"a bot needs some time to think, more than 0 seconds, not {self.seconds:g}")
        if self.visits is not None and self.visits < 1:
            raise BotError(f"a bot needs at least 1 visit, not {self.visits}")


@dataclass(frozen=True)
class Line:
    """A move and how the game may go on from it."""

    moves: tuple[str, ...]  # steps, the move itself first
    visits: int
    value: float  # what the seat to move in the analysed position can expect: 0 loses, 1 wins, 0.5 draws
    certainty: Certainty


@dataclass(frozen=True)
class Report:
    """What a bot thinks of a position so far."""

    seat: int  # to move; `value` is this seat's
    value: float
    certainty: Certainty
    visits: int
    seconds: float
    lines: tuple[Line, ...]  # the best first; never empty
    kept: int = 0  # of the visits, those from before it was asked


class Bot(ABC):
    """A player of one game. Not for two threads at once; `cancelled` in a limit is the way to stop it."""

    game: Game
    name: str  # such as "level 5"
    budget: str  # what it spends on a move when no limit is given, in words
    net: str = ""  # the hash of the weights that it asks

    @abstractmethod
    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Reports while it thinks, a few a second; the last one stands when the limit is reached."""

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The step that it plays."""
        *_, last = self.analyse(position, limit)
        return self.decide(position, last)

    def decide(self, position: Position, last: Report) -> str:
        """The step that it plays after its last report."""
        return last.lines[0].moves[0]

    def new_game(self, seed: int) -> None:  # noqa: B027  (a bot may have nothing to forget)
        """Forget what was thought before; a limit of visits then gets the same answers for the same seed."""

    def close(self) -> None:  # noqa: B027
        """Give back processes and memory."""


def require_ongoing(position: Position) -> None:
    """A clear error for a position in which there is nothing to choose."""
    outcome = position.outcome
    if outcome is not None:
        raise BotError(f"the game is over: {outcome.words}")
