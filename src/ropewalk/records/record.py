"""Records: a game with its players, its result, and the tree of its turns and variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from os import PathLike
from typing import TYPE_CHECKING

from ..games.registry import game as game_of
from .errors import ParseFault, RecordError
from .metadata import SEAT_LETTERS, Player, PlayerIdentity, RecordedResult
from .node import Node
from .replay import group_turns

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position


class Record:
    """A game's record. Two are equal when they have the same nodes with the same properties in the same order."""

    def __init__(self, root: Node, parse_faults: Sequence[ParseFault] = ()) -> None:
        self.root = root
        self.parse_faults = tuple(parse_faults)  # what recovery found in a damaged file

    @classmethod
    def create(cls, spec: str, start: Position | None = None) -> Record:
        """Return an empty record of a game, from its start or from another position."""
        from .. import __version__

        game = game_of(spec) if start is None else start.game
        root = Node()
        values = {"FF": 4, "CA": "UTF-8", "AP": ("Ropewalk", __version__), "GM": game.name, "SPEC": game.spec}
        for name, value in values.items():
            root.set(name, value)
        if start is not None and start != game.start():
            root.set("POS", str(start))
        return cls(root)

    @classmethod
    def from_position(cls, position: Position, start: Position | None = None) -> Record:
        """Return the record of a game that was played to a position, with its result if it is over.

        Args:
            position: the last position.
            start: the position from which the game was played, if that is not the game's start.

        Raises:
            RecordError: the steps of `position` do not lead to it from `start`.
            IllegalMove: a step is illegal from `start`.

        """
        start = find_start(position) if start is None else start
        record, turns = cls.create(position.game.spec, start), list(group_turns(start, position.steps()))
        node = record.root
        for seat, turn, _ in turns:
            node = node.add_unchecked(seat, turn)
        if (turns[-1][-1] if turns else start) != position:
            raise RecordError(
                "the moves of this position do not lead to it from the standard start position; "
                "pass the start position as start="
            )
        if position.outcome is not None:
            record.result = RecordedResult.from_outcome(position.outcome)
        return record

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Return the only record of a JSON text. Raises RecordError."""
        from .json_format import parse_json

        return require_single(parse_json(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        pairs = zip_longest(self.nodes(), other.nodes())
        return all(
            ours is not None and theirs is not None and node_content(ours) == node_content(theirs) for ours, theirs in pairs
        )

    __hash__ = None  # type: ignore[assignment]  # a record changes

    def __repr__(self) -> str:
        return f"<record of {self.spec or 'an unknown game'}, {self.end.number} turns>"

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle by text: a long game is too deep for the recursion of both."""
        from .files import read

        return read, (self.to_sgf(),)

    # Metadata

    @property
    def spec(self) -> str | None:
        """The spec as it is written, None if it is missing."""
        spec: str | None = self.root.get("SPEC")
        return spec

    @property
    def game(self) -> Game:
        """The game that the spec names. Raises RopewalkError if it is missing or invalid."""
        return self.root.replay.load_game()

    @property
    def players(self) -> tuple[Player, Player]:
        """The players of seats 0 and 1."""
        first, second = (
            Player(self.root.get(f"P{letter}") or "", self.root.get(f"{letter}ID") or PlayerIdentity())
            for letter in SEAT_LETTERS
        )
        return first, second

    @players.setter
    def players(self, players: tuple[Player, Player]) -> None:
        for letter, player in zip(SEAT_LETTERS, players, strict=True):
            self.root.set(f"P{letter}", player.name or None)
            self.root.set(f"{letter}ID", None if player.identity == PlayerIdentity() else player.identity)

    @property
    def result(self) -> RecordedResult | None:
        """The result, None if it is missing."""
        result: RecordedResult | None = self.root.get("RE")
        return result

    @result.setter
    def result(self, result: RecordedResult | None) -> None:
        self.root.set("RE", result)

    @property
    def date(self) -> str:
        """The date of the game, such as 2026-03-01."""
        return self.root.get("DT") or ""

    @date.setter
    def date(self, date: str) -> None:
        self.root.set("DT", date or None)

    # The tree

    def nodes(self) -> Iterator[Node]:
        """Return an iterator over all nodes, the main line first."""
        return self.root.nodes()

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line: the root and the first child of each node."""
        return self.root.main_line()

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        return self.main_line()[-1]

    def play(self, turns: Iterable[str]) -> Node:
        """Add turns to the end of the main line; return the last node. Raises IllegalMove or RecordError."""
        node = self.end
        for turn in turns:
            node = node.add(turn)
        return node

    # Formats

    def to_sgf(self) -> str:
        """Return the record as SGF."""
        from .sgf import format_sgf

        return format_sgf([self.root])

    def to_json(self) -> str:
        """Return the record as JSON."""
        from .json_format import format_json

        return format_json([self])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record into a file whose name ends in .sgf or .json. Raises RecordError."""
        from .files import save

        save([self], path)


def find_start(position: Position) -> Position:
    """Return the position from which a game was played, as far as its steps tell."""
    return position.game.start() if position.steps() else position


def node_content(node: Node) -> tuple[object, ...]:
    """Return the properties of a node and the number of its children, for comparison."""
    return [(written.name, written.values) for written in node.properties], len(node.children)


def require_single(records: Sequence[Record]) -> Record:
    """Return the record of a file that has one. Raises RecordError."""
    if len(records) != 1:
        raise RecordError(f"the file contains {len(records)} games, expected 1; use read_all to read all of them")
    return records[0]
