"""Records: a game with its players, its result, and the tree of what was or might have been played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from os import PathLike
from typing import TYPE_CHECKING

from ..games.registry import game as game_of
from .errors import Dropped, RecordError
from .metadata import SEAT_LETTERS, Identity, Player, Result
from .node import Node
from .replay import turns_of

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position


class Record:
    """A game's record. Two are equal when they say the same: the same nodes with the same properties in order."""

    def __init__(self, root: Node, dropped: Sequence[Dropped] = ()) -> None:
        self.root = root
        self.dropped = tuple(dropped)  # what recovery found wrong in the file; nothing in a sound one

    @classmethod
    def new(cls, spec: str, start: Position | None = None) -> Record:
        """An empty record of a game, from its start or from another position."""
        from .. import __version__

        game = game_of(spec) if start is None else start.game
        root = Node()
        said = {"FF": 4, "CA": "UTF-8", "AP": ("Ropewalk", __version__), "GM": game.name, "SPEC": game.spec}
        for name, value in said.items():
            root.put(name, value)
        if start is not None and start != game.start():
            root.put("POS", str(start))
        return cls(root)

    @classmethod
    def of(cls, position: Position, start: Position | None = None) -> Record:
        """The record of a game that was played to a position; `start` where it began elsewhere than usual."""
        start = origin(position) if start is None else start
        record, node, last = cls.new(position.game.spec, start), None, start
        for seat, turn, last in turns_of(start, position.steps()):  # noqa: B007
            node = (node or record.root).add_unchecked(seat, turn)
        if last != position:
            raise RecordError("the steps of this position do not lead to it from the start: say where it began with start=")
        if position.outcome is not None:
            record.result = Result.of(position.outcome)
        return record

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The only record of a JSON text."""
        from .json_format import read_json

        return the_only(read_json(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        pairs = zip_longest(self.nodes(), other.nodes())
        return all(ours is not None and theirs is not None and said(ours) == said(theirs) for ours, theirs in pairs)

    __hash__ = None  # type: ignore[assignment]  # a record changes

    def __repr__(self) -> str:
        return f"<record of {self.spec or 'an unknown game'}, {self.end.number} turns>"

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles go by text, since a long game is too deep for both."""
        from .files import read

        return read, (self.sgf(),)

    # What is said of the game

    @property
    def spec(self) -> str | None:
        """The spec as it is written, None when it is not."""
        spec: str | None = self.root.value("SPEC")
        return spec

    @property
    def game(self) -> Game:
        """The game; a refusal says what is missing."""
        return self.root.replay.game()

    @property
    def players(self) -> tuple[Player, Player]:
        """The players of both seats."""
        first, second = (
            Player(self.root.value(f"P{letter}") or "", self.root.value(f"{letter}ID") or Identity())
            for letter in SEAT_LETTERS
        )
        return first, second

    @players.setter
    def players(self, players: tuple[Player, Player]) -> None:
        for letter, player in zip(SEAT_LETTERS, players, strict=True):
            self.root.put(f"P{letter}", player.name or None)
            self.root.put(f"{letter}ID", None if player.identity == Identity() else player.identity)

    @property
    def result(self) -> Result | None:
        """The result, None when it is not said."""
        result: Result | None = self.root.value("RE")
        return result

    @result.setter
    def result(self, result: Result | None) -> None:
        self.root.put("RE", result)

    @property
    def date(self) -> str:
        """When it was played, as 2026-03-01."""
        return self.root.value("DT") or ""

    @date.setter
    def date(self, date: str) -> None:
        self.root.put("DT", date or None)

    # The tree

    def nodes(self) -> Iterator[Node]:
        """All nodes, the main line first."""
        return self.root.nodes()

    def main_line(self) -> list[Node]:
        """The root and the first child of each node."""
        return self.root.main_line()

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        return self.main_line()[-1]

    def play(self, turns: Iterable[str]) -> Node:
        """Add turns to the end of the main line; the last node."""
        node = self.end
        for turn in turns:
            node = node.add(turn)
        return node

    # Texts

    def sgf(self) -> str:
        """The record as SGF."""
        from .sgf import write_trees

        return write_trees([self.root])

    def json(self) -> str:
        """The record as JSON."""
        from .json_format import write_json

        return write_json([self])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record into a file that ends in .sgf or .json."""
        from .files import save

        save([self], path)


def origin(position: Position) -> Position:
    """Where a game began, as far as its steps tell."""
    return position.game.start() if position.steps() else position


def said(node: Node) -> tuple[object, ...]:
    """All that one node says, and how many children it has."""
    return [(written.name, written.values) for written in node.properties], len(node.children)


def the_only(records: Sequence[Record]) -> Record:
    """The record of a file that has one."""
    if len(records) != 1:
        raise RecordError(f"the file holds {len(records)} games, not one: read_all gives them all")
    return records[0]
