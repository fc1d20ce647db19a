"""Nodes of a record: properties and children in order, and typed access to the properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..text import did_you_mean
from .errors import RecordError
from .metadata import SEAT_LETTERS
from .properties import MARK_PROPERTIES, PROPERTY_DEFS, PROPERTY_RANKS, PropertyDef
from .replay import Replay, join_steps, play_turn, split_steps
from .sgf import ParsedNode, Property

if TYPE_CHECKING:
    from ..games.position import Position
    from .evaluation import Evaluation

POSITION_PROPERTIES = ("B", "W", "SPEC", "POS")


@dataclass(frozen=True)
class Clock:
    """The clock of a seat: seconds left, and turns left until the next time control; None if unknown."""

    seconds: float | None = None
    turns: int | None = None


def find_property_def(name: str) -> PropertyDef:
    """Return the definition of a known property. Raises RecordError for an unknown name."""
    if name not in PROPERTY_DEFS:
        raise RecordError(f"unknown property {name!r}{did_you_mean(name, PROPERTY_DEFS)}")
    return PROPERTY_DEFS[name]


class Node:
    """A node with one turn or none; the root has the properties of the whole game."""

    __slots__ = ("children", "parent", "properties", "replay")

    def __init__(self, parent: Node | None = None) -> None:
        self.properties: list[Property] = []
        self.children: list[Node] = []  # the first continues the main line
        self.parent = parent
        self.replay: Replay = Replay(self) if parent is None else parent.replay
        if parent is not None:
            parent.children.append(self)

    def __repr__(self) -> str:
        return f"<node {self.number}, {self.turn or 'no turn'}, {len(self.children)} below>"

    # Properties

    def get(self, name: str) -> Any:
        """Return the value of a known property, None if it is missing or invalid. Raises RecordError for an unknown name."""
        definition, values = find_property_def(name), self.get_raw(name)
        try:
            return None if values is None else definition.parse(values)
        except ValueError:
            return None

    def get_raw(self, name: str) -> list[str] | None:
        """Return the raw values of any property, None if it is missing."""
        return next((held.values for held in self.properties if held.name == name), None)

    def set(self, name: str, value: Any) -> None:
        """Set a known property to a value; None removes it. Raises RecordError if the value cannot be written."""
        definition = find_property_def(name)
        try:
            values = [] if value is None else definition.format(value)
        except (ValueError, TypeError, OverflowError) as error:
            raise RecordError(f"invalid value for {name}: {error}") from None
        self._write(name, values)
        if name in POSITION_PROPERTIES:
            self.replay.clear()

    def _write(self, name: str, values: list[str]) -> None:
        """Replace a property in place, or insert it where the table has it."""
        indices = [index for index, other in enumerate(self.properties) if other.name == name]
        index = indices[0] if indices else self._insertion_index(name)
        self.properties = [other for other in self.properties if other.name != name]
        if values:
            self.properties.insert(index, Property(name, values))

    def _insertion_index(self, name: str) -> int:
        """Return the index of the first property that the table has later, or does not have."""
        for index, other in enumerate(self.properties):
            if PROPERTY_RANKS.get(other.name, len(PROPERTY_RANKS)) > PROPERTY_RANKS[name]:
                return index
        return len(self.properties)

    # Values of properties

    @property
    def seat(self) -> int | None:
        """The seat whose turn this node holds, None if it holds none."""
        for held in self.properties:
            if held.name in SEAT_LETTERS:
                return SEAT_LETTERS.index(held.name)
        return None

    @property
    def turn(self) -> str | None:
        """The text of the turn; "" if it is invalid, None if there is none."""
        seat = self.seat
        return None if seat is None else self.get(SEAT_LETTERS[seat]) or ""

    @property
    def last_seat(self) -> int | None:
        """The seat of the last turn at or above this node, None before the first."""
        node: Node | None = self
        while node is not None and node.seat is None:
            node = node.parent
        return None if node is None else node.seat

    @property
    def comment(self) -> str:
        """The comment of this node, "" if there is none."""
        return self.get("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self.set("C", text or None)

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the position, None if there is none."""
        evaluation: Evaluation | None = self.get("EVAL")
        return evaluation

    @evaluation.setter
    def evaluation(self, evaluation: Evaluation | None) -> None:
        self.set("EVAL", evaluation)

    @property
    def marks(self) -> dict[str, tuple[str, ...]]:
        """The cells marked with each shape: cross, triangle, circle, square."""
        return {shape: cells for shape, name in MARK_PROPERTIES.items() if (cells := self.get(name))}

    @marks.setter
    def marks(self, marks: Mapping[str, Iterable[str]]) -> None:
        if wrong := set(marks) - set(MARK_PROPERTIES):
            raise RecordError(f"unknown mark {min(wrong)!r}; allowed are {', '.join(MARK_PROPERTIES)}")
        for shape, name in MARK_PROPERTIES.items():
            self.set(name, tuple(marks.get(shape, ())))

    @property
    def labels(self) -> dict[str, str]:
        """The label of each cell that has one."""
        return dict(self.get("LB") or ())

    @labels.setter
    def labels(self, labels: Mapping[str, str]) -> None:
        self.set("LB", tuple(labels.items()))

    def get_clock(self, seat: int) -> Clock:
        """Return the clock of a seat after this turn."""
        letter = SEAT_LETTERS[seat]
        return Clock(self.get(f"{letter}L"), self.get(f"O{letter}"))

    def set_clock(self, seat: int, clock: Clock) -> None:
        """Set the clock of a seat after this turn."""
        letter = SEAT_LETTERS[seat]
        self.set(f"{letter}L", clock.seconds)
        self.set(f"O{letter}", clock.turns)

    # The tree

    @property
    def position(self) -> Position:
        """The position after this node's turn. Raises RecordError if a turn cannot be played."""
        return self.replay.load_position(self)

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
        """The number of turns from the root to this node, its own included."""
        return sum(node.seat is not None for node in self.line)

    @property
    def path(self) -> tuple[int, ...]:
        """The index of the child to take at every node from the root."""
        line = self.line
        return tuple(above.children.index(below) for above, below in pairwise(line))

    def nodes(self) -> Iterator[Node]:
        """Yield this node and all below it, the main line first."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.children)

    def main_line(self) -> list[Node]:
        """Return this node and the first child of each, to the end."""
        nodes = [self]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def add(self, turn: str) -> Node:
        """Return the child with a turn, added as the last variation if it is new.

        Raises IllegalMove, MoveError or RecordError.
        """
        before = self.position
        if before.seat is not None and before.seat == self.last_seat:
            raise RecordError(f"{turn} continues a turn that began in an earlier node; a node must contain a complete turn")
        play_turn(before, turn)
        assert before.seat is not None, "nothing can be played after the end"
        text = join_steps(before.game, split_steps(before.game, turn))
        return self._find_child(before.seat, text) or self.add_unchecked(before.seat, text)

    def _find_child(self, seat: int, turn: str) -> Node | None:
        """Return the child with a turn, None if there is none."""
        return next((child for child in self.children if (child.seat, child.turn) == (seat, turn)), None)

    def add_unchecked(self, seat: int, turn: str) -> Node:
        """Add a turn that is known to be legal as the last variation; return its node."""
        node = Node(self)
        node.set(SEAT_LETTERS[seat], turn)
        return node

    def promote(self) -> None:
        """Make this node the first among its siblings."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.children.insert(0, self)

    def remove(self) -> None:
        """Remove this node and all below it from the tree. Raises RecordError for the root."""
        if self.parent is None:
            raise RecordError("the root node cannot be removed")
        self.parent.children.remove(self)
        self.parent = None
        replay = Replay(self)
        for node in self.nodes():
            node.replay = replay


def build_tree(nodes: Iterable[ParsedNode]) -> Node:
    """Return the root of the tree of parsed nodes, of which the first is the root."""
    built: list[Node] = []
    for parsed in nodes:
        node = Node(None if parsed.parent is None else built[parsed.parent])
        node.properties = parsed.properties
        built.append(node)
    return built[0]
