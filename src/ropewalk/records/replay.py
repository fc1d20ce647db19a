"""Positions of a record's nodes, replayed on demand and cached; turns as nodes hold them."""

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

MAX_CACHED_POSITIONS = 512
SEAT_NAMES = ("first", "second")


class Replay:
    """Replays a tree from its root; with its cache, the neighbour of a recent node costs a single turn."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.cache: OrderedDict[Node, Position] = OrderedDict()

    def clear(self) -> None:
        """Empty the cache, after a change of a turn or of the start."""
        self.cache.clear()

    def load_game(self) -> Game:
        """Return the game that the root names. Raises RopewalkError if the spec is missing or invalid."""
        spec = self.root.get("SPEC")
        if spec is None:
            raise RecordError("the root node has no SPEC property, such as SPEC[tether-13]")
        return game_of(spec)

    def load_start(self) -> Position:
        """Return the position before the first turn. Raises RopewalkError."""
        text = self.root.get("POS")
        return self.load_game().start() if text is None else self.load_game().position(text)

    def load_position(self, node: Node) -> Position:
        """Return the position of a node. Raises RecordError with the first turn that cannot be played."""
        pending: list[Node] = []
        above: Node | None = node
        while above is not None and above not in self.cache:
            pending.append(above)
            above = above.parent
        position = self.load_start() if above is None else self.cache[above]
        for below in reversed(pending):
            position = self.play_node(position, below)
            self.store(below, position)
        self.cache.move_to_end(node)
        return position

    @staticmethod
    def play_node(position: Position, node: Node) -> Position:
        """Return the position after a node's turn. Raises RecordError with its number."""
        try:
            return play_node_turn(position, node)
        except RopewalkError as error:
            raise RecordError(f"turn {node.number} ({ellipsis(node.turn or '')}) cannot be played: {error}") from error

    def store(self, node: Node, position: Position) -> None:
        """Cache a position; evict the least recently used one if the cache is full."""
        self.cache[node] = position
        if len(self.cache) > MAX_CACHED_POSITIONS:
            self.cache.popitem(last=False)


def play_node_turn(position: Position, node: Node) -> Position:
    """Return the position after a node's turn, if it has one. Raises RopewalkError."""
    turn = node.turn
    if turn is None:
        return position
    if position.seat not in (None, node.seat):
        letter = SEAT_LETTERS[position.seat or 0]
        raise WrongSeatError(
            f"the {SEAT_NAMES[position.seat or 0]} seat is to move, so the turn must be in property {letter}"
        )
    return play_turn(position, turn)


class WrongSeatError(RecordError):
    """A node with a turn of the seat that is not to move."""


# Turns: all steps of a seat until the other seat is to move, in one text


def split_steps(game: Game, turn: str) -> list[str]:
    """Return the steps of a turn's text."""
    return [step for word in turn.split() or [turn] for step in game.split_turn(word)]


def join_steps(game: Game, steps: list[str]) -> str:
    """Return steps as one text, with blanks between them only if it could not be split again without."""
    together = "".join(steps)
    return together if game.split_turn(together) == steps else " ".join(steps)


def play_turn(position: Position, turn: str) -> Position:
    """Return the position after a turn, or after the first steps of one. Raises RopewalkError."""
    seat = position.seat
    for step in split_steps(position.game, turn):
        if position.seat not in (seat, None):
            raise RecordError(f"{step} does not belong to the turn before it; a node must contain only one turn")
        position = position.play(step)
    return position


def group_turns(start: Position, steps: Iterable[str]) -> Iterator[tuple[int, str, Position]]:
    """Yield steps grouped into turns: seat, text, position after the turn; the last turn may be incomplete."""
    position, turn_steps = start, list[str]()
    for step in steps:
        seat = position.seat
        position = position.play(step)
        turn_steps.append(step)
        if position.seat != seat:
            assert seat is not None, "play raises for moves after the end"
            yield seat, join_steps(start.game, turn_steps), position
            turn_steps = []
    if turn_steps:
        assert position.seat is not None
        yield position.seat, join_steps(start.game, turn_steps), position
