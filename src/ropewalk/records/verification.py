"""Verification of a record against the rules of its game: the first mismatch, with its place and a code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.registry import games
from ..text import ellipsis
from .errors import RecordError
from .metadata import EXTERNAL_REASONS, SEAT_LETTERS, RecordedResult
from .node import Node
from .properties import PROPERTY_DEFS
from .record import Record
from .replay import WrongSeatError, play_node_turn

if TYPE_CHECKING:
    from ..games.position import Position

PendingNode: TypeAlias = "tuple[Node, Position, int | None]"  # a node, the position above it, the seat of the last turn

SETUP_PROPERTIES = ("AB", "AW", "AE", "PL")  # of Go
UNKNOWN_RESULTS = ("Void", "?")
KNOWN_NAMES = {*SEAT_LETTERS, *PROPERTY_DEFS}


@dataclass(frozen=True)
class Mismatch:
    """The first place where a record and the rules differ, and how."""

    path: tuple[int, ...]  # index of the child to take at every node from the root
    number: int  # turns played from the root to this node, its own included
    turn: str | None
    reason: str  # a stable code
    message: str
    clause: str = ""  # of the rules page, for an illegal move

    def __str__(self) -> str:
        turn = "" if self.turn is None else f" ({self.turn})" if len(self.turn) <= 40 else f" ({self.turn[:37]}...)"
        return f"{self.location}turn {self.number}{turn}: {self.message}"

    @property
    def location(self) -> str:
        """The variations on the way to the node, as text; "" on the main line."""
        ways = [f"variation {child} below node {depth}" for depth, child in enumerate(self.path) if child]
        return ", ".join(ways) + ", " if ways else ""


def find_first_mismatch(record: Record, report: Callable[[int], None] = lambda nodes: None) -> Mismatch | None:
    """Replay all nodes, the main line first; return the first mismatch, None if there is none.

    `report` is called with the number of replayed nodes after each of them.
    """
    try:
        start = load_start(record)
    except RopewalkError as error:
        return make_mismatch(record.root, "start", str(error))
    pending: list[PendingNode] = [(record.root, start, None)]
    number = 0
    while pending:
        node, before, last_seat = pending.pop()
        mismatch, position = compare_node(node, before, last_seat)
        if mismatch is not None:
            return mismatch
        seat = last_seat if node.seat is None else node.seat
        pending += [(child, position, seat) for child in reversed(node.children)]
        number += 1
        report(number)
    return find_result_mismatch(record)


def load_start(record: Record) -> Position:
    """Return the start position. Raises RopewalkError if the root names no game, no board, or two different games."""
    name = record.root.get("GM")
    names = [entry.name for entry in games()]
    if name not in names:
        raise RecordError(f"GM must be the name of a game ({', '.join(names)}), not {ellipsis(name or '')}")
    if name != record.game.name:
        raise RecordError(f"GM[{name}] does not match SPEC[{record.game.spec}], a spec of {record.game.name}")
    return record.root.replay.load_start()


def compare_node(node: Node, before: Position, last_seat: int | None) -> tuple[Mismatch | None, Position]:
    """Compare one node with the rules; return the mismatch or None, and the position after the node."""
    try:
        check_properties(node)
        if node.turn is not None and before.seat is not None and before.seat == last_seat:
            raise VerificationError("split-turn", "this turn began in an earlier node; a node must contain a complete turn")
        after = play_node_turn(before, node)
        check_cells(node, after)
        check_evaluation_lines(node, after)
    except VerificationError as fault:
        return make_mismatch(node, fault.reason, str(fault)), before
    except IllegalMove as error:
        return make_mismatch(node, error.reason, str(error), error.clause), before
    except RopewalkError as error:
        return make_mismatch(node, find_reason(error), str(error)), before
    return None, after


class VerificationError(RecordError):
    """A fault of a node, with the code of its mismatch."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def find_reason(error: RopewalkError) -> str:
    """Return the code of a turn that cannot be played and is not an illegal move."""
    return {MoveError: "not-a-move", WrongSeatError: "wrong-seat"}.get(type(error), "not-a-turn")


def make_mismatch(node: Node, reason: str, message: str, clause: str = "") -> Mismatch:
    """Return a mismatch at a node."""
    return Mismatch(node.path, node.number, node.turn, reason, message, clause)


def check_properties(node: Node) -> None:
    """Raise VerificationError for invalid names and values, duplicates, setup properties, and a turn of each seat."""
    names = Counter(held.name for held in node.properties)
    for held in node.properties:
        short = re.sub("[^A-Z]", "", held.name)
        if held.name != short and short in KNOWN_NAMES:  # such as Black for B, as in old versions of SGF
            message = f"the name of property {ellipsis(held.name)} has lower-case letters; it must be written {short}"
            raise VerificationError("property-name", message)
        if names[held.name] > 1:
            raise VerificationError("duplicate-property", f"property {held.name} occurs more than once in one node")
        if held.name in SETUP_PROPERTIES:
            message = f"setup property {held.name} is not supported; use POS in the root node"
            raise VerificationError("setup-property", message)
        if error := find_value_error(held.name, held.values):
            description = PROPERTY_DEFS[held.name].description
            raise VerificationError("invalid-value", f"invalid value {ellipsis(str(held))} ({description}): {error}")
    if names.keys() >= set(SEAT_LETTERS):
        raise VerificationError("two-turns", "the node has both B and W; a node must contain at most one turn")


def find_value_error(name: str, values: list[str]) -> str:
    """Return why the raw values of a property are invalid; "" if they are valid or the property is unknown."""
    if name not in PROPERTY_DEFS or (name == "RE" and values[0] in UNKNOWN_RESULTS):
        return ""
    codec = PROPERTY_DEFS[name].codec
    try:
        codec.format(codec.parse(values))
    except ValueError as error:
        return str(error)
    return ""


def check_cells(node: Node, position: Position) -> None:
    """Raise VerificationError for a mark on a cell that the board does not have."""
    for cell in iter_marked_cells(node):
        if cell not in position.game.board.index:
            raise VerificationError("unknown-cell", f"marked cell {ellipsis(cell)} is not on the board")


def iter_marked_cells(node: Node) -> Iterator[str]:
    """Yield the cells that have a mark or a label."""
    for cells in node.marks.values():
        yield from cells
    yield from node.labels


def check_evaluation_lines(node: Node, position: Position) -> None:
    """Raise VerificationError for a line of the evaluation that cannot be played."""
    evaluation = node.evaluation
    for line in evaluation.lines if evaluation is not None else ():
        after = position
        for step in line.moves:
            try:
                after = after.play(step)
            except RopewalkError as error:
                message = f"evaluation line {ellipsis(' '.join(line.moves))} cannot be played: {error}"
                raise VerificationError("evaluation", message) from None


def find_result_mismatch(record: Record) -> Mismatch | None:
    """Return the mismatch between the recorded result and the one of the main line, None if there is none."""
    recorded, end = record.result, record.end
    if recorded is None:
        return None
    outcome = end.position.outcome
    if outcome is None:
        if recorded.reason in EXTERNAL_REASONS:
            return None
        return make_mismatch(end, "result", f"the recorded result is RE[{recorded}], but the game is not over")
    replayed = RecordedResult.from_outcome(outcome)
    if recorded in (replayed, RecordedResult(replayed.winner)):
        return None
    return make_mismatch(
        end, "result", f"the recorded result is RE[{recorded}], but the replay gives RE[{replayed}]: {outcome.words}"
    )
