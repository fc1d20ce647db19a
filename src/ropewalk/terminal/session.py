"""A game at the table, without any input or output: what was played, what is looked at, who plays, how it ended."""

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
    """Something that cannot be done as the game stands."""


class Session:
    """All positions of a game, step by step, with one of them in view; bots may hold seats."""

    def __init__(self, start: Position, bots: Mapping[int, Bot] | None = None, record: Record | None = None) -> None:
        self.positions = [start]
        self.view_index = 0  # of the position in view
        self.bots = dict(bots or {})
        self.resigned_seat: int | None = None  # a seat
        self.record = record or Record.create(start.game.spec, start)  # what was read or set aside
        self.on_change: Callable[[Session], None] = lambda session: None  # called whenever something was played

    @classmethod
    def from_record(cls, record: Record, bots: Mapping[int, Bot] | None = None) -> Session:
        """The game of a record, its last position in view."""
        session = cls(record.root.position, bots, record)
        session.positions += list_positions_between(record.root.position, record.end.position)
        session.view_index = len(session.positions) - 1
        result = record.result
        if result is not None and result.reason == "resign" and result.winner is not None:
            session.resigned_seat = 1 - result.winner
        return session

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    # What is in view

    @property
    def start(self) -> Position:
        """Where the game began."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The position in view."""
        return self.positions[self.view_index]

    @property
    def latest(self) -> Position:
        """The position that the game has come to."""
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
        """A step of the game, counted from 1."""
        return self.game.move_texts[self.positions[number].move_history.move]

    def list_steps(self) -> list[tuple[int, str]]:
        """All steps, each with its seat."""
        seats = [position.seat for position in self.positions[:-1]]
        return [(seat or 0, self.get_step(number)) for number, seat in enumerate(seats, start=1)]

    def view(self, index: int) -> bool:
        """Bring another position into view; whether there was a way to go."""
        before, self.view_index = self.view_index, max(0, min(index, len(self.positions) - 1))
        return before != self.view_index

    # What can be done

    def play(self, moves: Iterable[str]) -> list[str]:
        """Play all of the moves, or none of them if one fails; what each step does, in words."""
        self.require_live()
        played = MoveSequence.play(self.latest, moves)
        words = played.explain()
        for before, after in pairwise(played.positions):
            self.positions += list_positions_between(before, after)
        self.view_index = len(self.positions) - 1
        self.on_change(self)
        return words

    def require_live(self) -> None:
        """Refuse to play when the game is over by resignation, or another position is in view."""
        if self.resigned_seat is not None:
            raise CommandError(f"the game is over: {self.get_colour(self.resigned_seat)} has resigned; undo takes that back")
        if not self.is_live:
            last = len(self.positions) - 1
            raise CommandError(
                f"this is position {self.view_index} of {last}: 'last' goes to the latest, 'here' goes on from this"
            )

    def undo(self) -> bool:
        """Take back the last step, and with it a bot's answer; or a resignation. Whether there was anything."""
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
        """Go on from the position in view; what came after it stays in the record as a variation."""
        if self.is_live:
            raise CommandError("this is the latest position already")
        self.record = self.build_record(self.positions)
        del self.positions[self.view_index + 1 :]
        self.resigned_seat = None
        self.on_change(self)

    @property
    def resigning_seat(self) -> int:
        """Who would resign: the person against a bot, else whoever is to move."""
        people = [seat for seat in (0, 1) if seat not in self.bots]
        return people[0] if len(people) == 1 else self.seat or 0

    def resign(self) -> int:
        """A person gives up. Which seat that was."""
        if self.seat is None:
            raise CommandError("the game is over already")
        self.resigned_seat = self.resigning_seat
        self.view_index = len(self.positions) - 1
        self.on_change(self)
        return self.resigned_seat

    def get_colour(self, seat: int) -> str:
        """The colour of a seat now."""
        return self.latest.colours[seat]

    # Bots

    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return self.seat in self.bots

    def is_over_for_bots(self) -> bool:
        """Whether two bots have ended their game, so that nobody is left to play."""
        return len(self.bots) == SEAT_COUNT and self.seat is None

    # Records

    @property
    def result(self) -> RecordedResult | None:
        """How the game ended, and why."""
        if self.resigned_seat is not None:
            return RecordedResult(1 - self.resigned_seat, "resign")
        return None if self.latest.outcome is None else RecordedResult.from_outcome(self.latest.outcome)

    def to_record(self) -> Record:
        """The game as a record: this line first, what was read or set aside after it, players and result."""
        record = self.build_record(self.positions)
        if record.players == (Player(), Player()):
            record.players = (self.describe_player(0), self.describe_player(1))
        if self.result is not None or self.latest != self.record.end.position:
            record.result = self.result  # else what the record says of its end stays
        return record

    def build_record(self, line: list[Position]) -> Record:
        """The record with a line of play as its first."""
        record = copy.deepcopy(self.record)
        node = record.root
        for _, turn, _ in group_turns(self.start, [self.get_step(number) for number in range(1, len(line))]):
            node = node.add(turn)
            node.promote()
        return record

    def describe_player(self, seat: int) -> Player:
        """Who has a seat."""
        bot = self.bots.get(seat)
        if bot is None:
            return Player("", PlayerIdentity(kind="user"))
        level = bot.name.removeprefix("level ")
        return Player(bot.name, PlayerIdentity("bot", __version__, level if level.isdigit() else "", bot.net, bot.budget))


def list_positions_between(before: Position, after: Position) -> list[Position]:
    """The positions after each step from one position to a later one of the same game."""
    steps = after.steps()[len(before.steps()) :]
    return list(MoveSequence.play(before, steps).positions[1:])
