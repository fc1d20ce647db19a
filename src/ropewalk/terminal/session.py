"""A game session without input or output: its positions, the one in view, bots, result and record."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from .. import __version__
from ..bots.bot import Bot
from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Position
from ..games.sequence import MoveSequence
from ..records import Player, PlayerIdentity, Record, RecordedResult
from ..records.replay import group_turns

SEAT_COUNT = 2


class CommandError(RopewalkError):
    """A command that cannot be executed in the current state of the session."""


class Session:
    """The positions of a game, step by step, one of them in view. Seats without a bot are played by people."""

    def __init__(self, start: Position, bots: Mapping[int, Bot] | None = None, record: Record | None = None) -> None:
        self.positions = [start]
        self.view_index = 0  # of the position in view
        self.bots = dict(bots or {})
        self.resigned_seat: int | None = None  # a seat
        self.record = record or Record.create(start.game.spec, start)  # the loaded record, with variations
        self.on_change: Callable[[Session], None] = lambda session: None  # called whenever something was played

    @classmethod
    def from_record(cls, record: Record, bots: Mapping[int, Bot] | None = None) -> Session:
        """Return a session with the main line of a record, its last position in view."""
        session = cls(record.root.position, bots, record)
        session.positions += list_positions_between(record.root.position, record.end.position)
        session.view_index = len(session.positions) - 1
        result = record.result
        if result is not None and result.reason == "resign" and result.winner is not None:
            session.resigned_seat = 1 - result.winner
        return session

    def load(self, record: Record) -> None:
        """Replace the game by that of a record, without bots."""
        loaded = Session.from_record(record)
        self.positions, self.view_index = loaded.positions, loaded.view_index
        self.resigned_seat, self.record, self.bots = loaded.resigned_seat, loaded.record, {}
        self.on_change(self)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    # View

    @property
    def start(self) -> Position:
        """The first position of the game."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The position in view."""
        return self.positions[self.view_index]

    @property
    def latest(self) -> Position:
        """The last position of the game."""
        return self.positions[-1]

    @property
    def is_live(self) -> bool:
        """Whether the latest position is in view."""
        return self.view_index == len(self.positions) - 1

    @property
    def seat(self) -> int | None:
        """The seat to move in the latest position, None when the game is over."""
        return None if self.resigned_seat is not None else self.latest.seat

    @property
    def last_step(self) -> str | None:
        """The step that led to the position in view."""
        return self.get_step(self.view_index) if self.view_index else None

    def get_step(self, number: int) -> str:
        """Return a step of the game; the first is number 1."""
        return self.game.move_texts[self.positions[number].move_history[1]]

    def list_steps(self) -> list[tuple[int, str]]:
        """Return all steps, each with its seat."""
        seats = [position.seat for position in self.positions[:-1]]
        return [(seat or 0, self.get_step(number)) for number, seat in enumerate(seats, start=1)]

    def view(self, index: int) -> bool:
        """View the position of an index, the nearest one if there is none; return whether the view has changed."""
        before, self.view_index = self.view_index, max(0, min(index, len(self.positions) - 1))
        return before != self.view_index

    # What can be done

    def play(self, moves: Iterable[str]) -> list[str]:
        """Play all of the moves, or none if one fails; return what each step does.

        Raises MoveSequenceError or CommandError.
        """
        self.require_live()
        played = MoveSequence.play(self.latest, moves)
        explanations = played.explain()
        for before, after in pairwise(played.positions):
            self.positions += list_positions_between(before, after)
        self.view_index = len(self.positions) - 1
        self.on_change(self)
        return explanations

    def require_live(self) -> None:
        """Raise CommandError if the game is over by resignation, or an earlier position is in view."""
        if self.resigned_seat is not None:
            raise CommandError(
                f"the game is over: {self.get_colour(self.resigned_seat)} has resigned; use undo to take it back"
            )
        if not self.is_live:
            last = len(self.positions) - 1
            raise CommandError(
                f"this is position {self.view_index} of {last}; use 'last' to return to the latest, "
                "or 'here' to continue from this one"
            )

    def undo(self) -> bool:
        """Take back a resignation, or the last step with the answer of a bot; return whether there was one."""
        if self.resigned_seat is not None:
            self.resigned_seat = self.record.result = None
        elif len(self.positions) > 1:
            self.positions.pop()
            while (
                self.is_bots_turn() and len(self.bots) < SEAT_COUNT and len(self.positions) > 1
            ):  # it would only move as before
                self.positions.pop()
        else:
            return False
        self.view_index = len(self.positions) - 1
        self.on_change(self)
        return True

    def continue_from_view(self) -> None:
        """Continue from the position in view; the moves after it stay in the record as a variation."""
        if self.is_live:
            raise CommandError("this is already the latest position")
        self.record = self.build_record(self.positions)
        del self.positions[self.view_index + 1 :]
        self.resigned_seat = None
        self.on_change(self)

    @property
    def resigning_seat(self) -> int:
        """The seat that `resign` resigns for: the person against a bot, else the seat to move."""
        people = [seat for seat in (0, 1) if seat not in self.bots]
        return people[0] if len(people) == 1 else self.seat or 0

    def resign(self) -> int:
        """Resign for `resigning_seat`, and return it. Raises CommandError if the game is over."""
        if self.seat is None:
            raise CommandError("the game is already over")
        self.resigned_seat = self.resigning_seat
        self.view_index = len(self.positions) - 1
        self.on_change(self)
        return self.resigned_seat

    def get_colour(self, seat: int) -> str:
        """Return the current colour of a seat."""
        return self.latest.colours[seat]

    # Bots

    def is_bots_turn(self) -> bool:
        """Return whether a bot is to move."""
        return self.seat in self.bots

    def is_over_for_bots(self) -> bool:
        """Return whether the game of two bots is over."""
        return len(self.bots) == SEAT_COUNT and self.seat is None

    # Records

    @property
    def result(self) -> RecordedResult | None:
        """The result of the game; None while it is ongoing."""
        if self.resigned_seat is not None:
            return RecordedResult(1 - self.resigned_seat, "resign")
        return None if self.latest.outcome is None else RecordedResult.from_outcome(self.latest.outcome)

    def to_record(self) -> Record:
        """Return the game as a record: this line first, then the variations, with players and result."""
        record = self.build_record(self.positions)
        if record.players == (Player(), Player()):
            record.players = (self.describe_player(0), self.describe_player(1))
        if self.result is not None or self.latest != self.record.end.position:
            record.result = self.result  # otherwise the result in the record is kept
        return record

    def build_record(self, line: list[Position]) -> Record:
        """Return a copy of the record with a line of play as its main line."""
        record = copy.deepcopy(self.record)
        node = record.root
        for _, turn, _ in group_turns(self.start, [self.get_step(number) for number in range(1, len(line))]):
            node = node.add(turn)
            node.promote()
        return record

    def describe_player(self, seat: int) -> Player:
        """Return the player of a seat as records describe it."""
        bot = self.bots.get(seat)
        if bot is None:
            return Player("", PlayerIdentity(kind="user"))
        level = bot.name.removeprefix("level ")
        return Player(bot.name, PlayerIdentity("bot", __version__, level if level.isdigit() else "", bot.net, bot.budget))


def list_positions_between(before: Position, after: Position) -> list[Position]:
    """Return the positions after each step from one position to a later one of the same game."""
    steps = after.steps()[len(before.steps()) :]
    return list(MoveSequence.play(before, steps).positions[1:])
