"""The nodes of a record: properties in order, children in order, and what both mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..text import did_you_mean
from .errors import RecordError
from .metadata import SEAT_LETTERS
from .properties import FIELDS, MARKS, RANKS, Field
from .replay import Replay, play_turn, steps_of, turn_text

if TYPE_CHECKING:
    from ..games.position import Position
    from .evaluation import Evaluation

CHANGES_POSITIONS = ("B", "W", "SPEC", "POS")


@dataclass
class Property:
    """A name with its raw values, at least one: what stands between the brackets, escapes included."""

    name: str
    values: list[str]

    def __str__(self) -> str:
        return self.name + "".join(f"[{value}]" for value in self.values)


@dataclass(frozen=True)
class Clock:
    """What a seat has left: seconds, and turns until the next time control; None for what is not known."""

    seconds: float | None = None
    turns: int | None = None


def field_of(name: str) -> Field:
    """What is known of a property."""
    if name not in FIELDS:
        raise RecordError(f"{name!r} is not a property that Ropewalk understands{did_you_mean(name, FIELDS)}")
    return FIELDS[name]


class Node:
    """A turn, or a place to say something; the root has what is said of the whole game."""

    __slots__ = ("children", "parent", "properties", "replay")

    def __init__(self, parent: Node | None = None) -> None:
        self.properties: list[Property] = []
        self.children: list[Node] = []  # the first goes on with the main line
        self.parent = parent
        self.replay: Replay = Replay(self) if parent is None else parent.replay
        if parent is not None:
            parent.children.append(self)

    def __repr__(self) -> str:
        return f"<node {self.number}, {self.turn or 'no turn'}, {len(self.children)} below>"

    # Properties

    def value(self, name: str) -> Any:
        """What a property says, None when it is not there or makes no sense."""
        field, values = field_of(name), self.raw(name)
        try:
            return None if values is None else field.read(values)
        except ValueError:
            return None

    def raw(self, name: str) -> list[str] | None:
        """The raw values of any property, None when it is not there."""
        return next((written.values for written in self.properties if written.name == name), None)

    def put(self, name: str, value: Any) -> None:
        """Say something in a property that we understand; None takes it away."""
        field = field_of(name)
        try:
            values = [] if value is None else field.written(value)
        except (ValueError, TypeError, OverflowError) as error:
            raise RecordError(f"{name} cannot be written: {error}") from None
        self._write(name, values)
        if name in CHANGES_POSITIONS:
            self.replay.forget()

    def _write(self, name: str, values: list[str]) -> None:
        """Put a property where it was, or where the table has it."""
        there = [place for place, written in enumerate(self.properties) if written.name == name]
        place = there[0] if there else self._place_for(name)
        self.properties = [written for written in self.properties if written.name != name]
        if values:
            self.properties.insert(place, Property(name, values))

    def _place_for(self, name: str) -> int:
        """Before the first property that the table has later, or that it does not have."""
        for place, written in enumerate(self.properties):
            if RANKS.get(written.name, len(RANKS)) > RANKS[name]:
                return place
        return len(self.properties)

    # What properties mean

    @property
    def seat(self) -> int | None:
        """The seat whose turn this node holds, None when it holds none."""
        for written in self.properties:
            if written.name in SEAT_LETTERS:
                return SEAT_LETTERS.index(written.name)
        return None

    @property
    def turn(self) -> str | None:
        """The turn's text; "" when it makes no sense, None when there is none."""
        seat = self.seat
        return None if seat is None else self.value(SEAT_LETTERS[seat]) or ""

    @property
    def last_seat(self) -> int | None:
        """The seat of the last turn at or above this node, None before the first."""
        node: Node | None = self
        while node is not None and node.seat is None:
            node = node.parent
        return None if node is None else node.seat

    @property
    def comment(self) -> str:
        """What is said of this node."""
        return self.value("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self.put("C", text or None)

    @property
    def evaluation(self) -> Evaluation | None:
        """What somebody thought of the position."""
        found: Evaluation | None = self.value("EVAL")
        return found

    @evaluation.setter
    def evaluation(self, evaluation: Evaluation | None) -> None:
        self.put("EVAL", evaluation)

    @property
    def marks(self) -> dict[str, tuple[str, ...]]:
        """The cells marked with each shape: cross, triangle, circle, square."""
        return {shape: cells for shape, name in MARKS.items() if (cells := self.value(name))}

    @marks.setter
    def marks(self, marks: Mapping[str, Iterable[str]]) -> None:
        if wrong := set(marks) - set(MARKS):
            raise RecordError(f"{min(wrong)!r} is not a shape: {', '.join(MARKS)}")
        for shape, name in MARKS.items():
            self.put(name, tuple(marks.get(shape, ())))

    @property
    def labels(self) -> dict[str, str]:
        """The label of each cell that has one."""
        return dict(self.value("LB") or ())

    @labels.setter
    def labels(self, labels: Mapping[str, str]) -> None:
        self.put("LB", tuple(labels.items()))

    def clock(self, seat: int) -> Clock:
        """What a seat had left after this turn."""
        letter = SEAT_LETTERS[seat]
        return Clock(self.value(f"{letter}L"), self.value(f"O{letter}"))

    def set_clock(self, seat: int, clock: Clock) -> None:
        """Say what a seat has left."""
        letter = SEAT_LETTERS[seat]
        self.put(f"{letter}L", clock.seconds)
        self.put(f"O{letter}", clock.turns)

    # The tree

    @property
    def position(self) -> Position:
        """The position after this node's turn; a RecordError says what cannot be played."""
        return self.replay.at(self)

    @property
    def line(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def number(self) -> int:
        """How many turns were played from the root to here, this one included."""
        return sum(node.seat is not None for node in self.line)

    @property
    def path(self) -> tuple[int, ...]:
        """Which child to take at every node from the root, counted from 0."""
        line = self.line
        return tuple(above.children.index(below) for above, below in pairwise(line))

    def nodes(self) -> Iterator[Node]:
        """This node and all below it, the main line first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def main_line(self) -> list[Node]:
        """This node and the first child of each, to the end."""
        nodes = [self]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def add(self, turn: str) -> Node:
        """The node after a turn: the one that is there, or a new last variation. An IllegalMove says why not."""
        before = self.position
        if before.seat is not None and before.seat == self.last_seat:
            raise RecordError(f"{turn} goes on with a turn that began above: a node holds a whole turn")
        play_turn(before, turn)
        assert before.seat is not None, "nothing can be played after the end"
        text = turn_text(before.game, steps_of(before.game, turn))
        return self._child(before.seat, text) or self.add_unchecked(before.seat, text)

    def _child(self, seat: int, turn: str) -> Node | None:
        """The child with a turn."""
        return next((child for child in self.children if (child.seat, child.turn) == (seat, turn)), None)

    def add_unchecked(self, seat: int, turn: str) -> Node:
        """A new last variation with a turn that is known to be legal."""
        node = Node(self)
        node.put(SEAT_LETTERS[seat], turn)
        return node

    def promote(self) -> None:
        """Make this node the first among its siblings."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.children.insert(0, self)

    def remove(self) -> None:
        """Take this node, and all below it, out of the tree."""
        if self.parent is None:
            raise RecordError("the root cannot be removed: a record has one")
        self.parent.children.remove(self)
        self.parent = None
        replay = Replay(self)
        for node in self.nodes():
            node.replay = replay
