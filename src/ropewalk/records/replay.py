"""The positions of a record's nodes: replayed when they are asked for, and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from ..games.registry import game as game_of
from ..text import ellipsis
from .errors import RecordError
from .metadata import SEAT_LETTERS

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position
    from .node import Node

KEPT = 512  # positions
SEATS = ("first", "second")


class Replay:
    """Plays a tree from its root; a node next to one that was asked for lately costs a single turn."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.kept: OrderedDict[Node, Position] = OrderedDict()

    def forget(self) -> None:
        """Positions are no longer what they were."""
        self.kept.clear()

    def game(self) -> Game:
        """The game that the root names."""
        spec = self.root.value("SPEC")
        if spec is None:
            raise RecordError("the record does not say which board it was played on: SPEC, such as SPEC[tether-13]")
        return game_of(spec)

    def start(self) -> Position:
        """The position before the first turn."""
        text = self.root.value("POS")
        return self.game().start() if text is None else self.game().position(text)

    def at(self, node: Node) -> Position:
        """The position of a node; a RecordError says which turn before it cannot be played."""
        waiting: list[Node] = []
        above: Node | None = node
        while above is not None and above not in self.kept:
            waiting.append(above)
            above = above.parent
        position = self.start() if above is None else self.kept[above]
        for below in reversed(waiting):
            position = self.after(position, below)
            self.keep(below, position)
        self.kept.move_to_end(node)
        return position

    @staticmethod
    def after(position: Position, node: Node) -> Position:
        """The position after a node's turn."""
        try:
            return played(position, node)
        except RopewalkError as error:
            raise RecordError(f"turn {node.number} ({ellipsis(node.turn or '')}) cannot be played: {error}") from error

    def keep(self, node: Node, position: Position) -> None:
        """Keep a position in place of the one that was asked for least lately."""
        self.kept[node] = position
        if len(self.kept) > KEPT:
            self.kept.popitem(last=False)


def played(position: Position, node: Node) -> Position:
    """The position after a node's turn, if it has one; refusals say why."""
    turn = node.turn
    if turn is None:
        return position
    if position.seat not in (None, node.seat):
        letter = SEAT_LETTERS[position.seat or 0]
        raise WrongSeat(f"the {SEATS[position.seat or 0]} seat is to move, so the turn should be in {letter}")
    return play_turn(position, turn)


class WrongSeat(RecordError):
    """A turn of the seat that is not to move."""


# Turns: all steps of a seat until the other is to move, in one text


def steps_of(game: Game, turn: str) -> list[str]:
    """The steps of a turn's text."""
    return [step for word in turn.split() or [turn] for step in game.split_turn(word)]


def turn_text(game: Game, steps: list[str]) -> str:
    """Steps written together, or with blanks where they could not be told apart again."""
    together = "".join(steps)
    return together if game.split_turn(together) == steps else " ".join(steps)


def play_turn(position: Position, turn: str) -> Position:
    """The position after a turn, or after the first steps of one; refusals say why."""
    seat = position.seat
    for step in steps_of(position.game, turn):
        if position.seat not in (seat, None):
            raise RecordError(f"{step} is no part of the turn before it: a node holds one turn")
        position = position.play(step)
    return position


def turns_of(start: Position, steps: Iterable[str]) -> Iterator[tuple[int, str, Position]]:
    """Steps gathered into turns, each with its seat and the position after it; the last may be half done."""
    position, gathered = start, list[str]()
    for step in steps:
        seat = position.seat
        position = position.play(step)
        gathered.append(step)
        if position.seat != seat:
            assert seat is not None, "play refuses steps after the end"
            yield seat, turn_text(start.game, gathered), position
            gathered = []
    if gathered:
        assert position.seat is not None
        yield position.seat, turn_text(start.game, gathered), position
