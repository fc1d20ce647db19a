"""Replaying a record: whether the rules of the game say what it says, and if not, where they first differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.registry import games
from ..text import ellipsis
from .errors import RecordError
from .metadata import OUTSIDE_THE_RULES, SEAT_LETTERS, Result
from .node import Node
from .properties import FIELDS
from .record import Record
from .replay import WrongSeat, played

if TYPE_CHECKING:
    from ..games.position import Position

Waiting: TypeAlias = "tuple[Node, Position, int | None]"  # a node, the position above it, the seat of the last turn

SETUP = ("AB", "AW", "AE", "PL")  # boards set up in the way of Go
NO_RESULT = ("Void", "?")


@dataclass(frozen=True)
class Difference:
    """Where a record and the rules differ first, and how."""

    path: tuple[int, ...]  # which child to take at every node from the root
    number: int  # turns played from the root to this node, its own included
    turn: str | None
    reason: str  # a stable code
    words: str
    clause: str = ""  # of the rules page, for an illegal move

    def __str__(self) -> str:
        turn = "" if self.turn is None else f" ({self.turn})" if len(self.turn) <= 40 else f" ({self.turn[:37]}...)"
        return f"{self.place}turn {self.number}{turn}: {self.words}"

    @property
    def place(self) -> str:
        """The variations on the way to the node, "" on the main line."""
        ways = [f"variation {child} below node {depth}" for depth, child in enumerate(self.path) if child]
        return ", ".join(ways) + ", " if ways else ""


def first_difference(record: Record, report: Callable[[int], None] = lambda nodes: None) -> Difference | None:
    """Replay all nodes, the main line first; None when the rules say the same. `report` hears of every node."""
    try:
        start = started(record)
    except RopewalkError as error:
        return difference(record.root, "start", str(error))
    waiting: list[Waiting] = [(record.root, start, None)]
    number = 0
    while waiting:
        node, before, last_seat = waiting.pop()
        found, position = compared(node, before, last_seat)
        if found is not None:
            return found
        seat = last_seat if node.seat is None else node.seat
        waiting += [(child, position, seat) for child in reversed(node.children)]
        number += 1
        report(number)
    return result_difference(record)


def started(record: Record) -> Position:
    """The start position; a refusal when the root does not say which, or says two things."""
    name = record.root.value("GM")
    names = [entry.name for entry in games()]
    if name not in names:
        raise RecordError(f"GM should hold the name of a game, {', '.join(names)}, not {ellipsis(name or '')}")
    if name != record.game.name:
        raise RecordError(f"GM says {name}, but SPEC says {record.game.spec}, which is {record.game.name}")
    return record.root.replay.start()


def compared(node: Node, before: Position, last_seat: int | None) -> tuple[Difference | None, Position]:
    """One node against the rules, and the position after it."""
    try:
        require_understood(node)
        if node.turn is not None and before.seat is not None and before.seat == last_seat:
            raise Fault("split-turn", "the turn began in a node above: a node holds a whole turn")
        after = played(before, node)
        require_cells(node, after)
        require_evaluation(node, after)
    except Fault as fault:
        return difference(node, fault.reason, str(fault)), before
    except IllegalMove as error:
        return difference(node, error.reason, str(error), error.clause), before
    except RopewalkError as error:
        return difference(node, reason_of(error), str(error)), before
    return None, after


class Fault(RecordError):
    """A fault with its code."""

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words)
        self.reason = reason


def reason_of(error: RopewalkError) -> str:
    """The code of a turn that cannot be played and is not illegal."""
    return {MoveError: "not-a-move", WrongSeat: "wrong-seat"}.get(type(error), "not-a-turn")


def difference(node: Node, reason: str, words: str, clause: str = "") -> Difference:
    """A difference at a node."""
    return Difference(node.path, node.number, node.turn, reason, words, clause)


def require_understood(node: Node) -> None:
    """Refuse values that make no sense, properties that are said twice, and boards set up as in Go."""
    names = Counter(written.name for written in node.properties)
    for written in node.properties:
        if names[written.name] > 1:
            raise Fault("said-twice", f"{written.name} is said twice in one node")
        if written.name in SETUP:
            raise Fault("set-up", f"{written.name} sets stones up one by one, which no game here does: POS in the root does")
        if written.name in FIELDS and not makes_sense(written.name, written.values):
            raise Fault("makes-no-sense", f"{ellipsis(str(written))} makes no sense as {FIELDS[written.name].words}")
    if names.keys() >= set(SEAT_LETTERS):
        raise Fault("two-turns", "a node holds one turn, not one of each seat")


def makes_sense(name: str, values: list[str]) -> bool:
    """Whether the values of a property that we know can be understood."""
    return FIELDS[name].usual(values) is not None or (name == "RE" and values[0] in NO_RESULT)


def require_cells(node: Node, position: Position) -> None:
    """Refuse marks on cells that the board does not have."""
    for cell in marked(node):
        if cell not in position.game.board.index:
            raise Fault("no-such-cell", f"{ellipsis(cell)} is marked, but the board has no such cell")


def marked(node: Node) -> Iterator[str]:
    """All cells with a mark or a label."""
    for cells in node.marks.values():
        yield from cells
    yield from node.labels


def require_evaluation(node: Node, position: Position) -> None:
    """Refuse lines that cannot be played."""
    found = node.evaluation
    for line in found.lines if found is not None else ():
        after = position
        for step in line.moves:
            try:
                after = after.play(step)
            except RopewalkError as error:
                raise Fault("evaluation", f"the line {ellipsis(' '.join(line.moves))} cannot be played: {error}") from None


def result_difference(record: Record) -> Difference | None:
    """The recorded result against the one that the main line leads to."""
    recorded, end = record.result, record.end
    if recorded is None:
        return None
    outcome = end.position.outcome
    if outcome is None:
        if recorded.reason in OUTSIDE_THE_RULES:
            return None
        return difference(end, "result", f"RE[{recorded}] is recorded, but the game is not over")
    replayed = Result.of(outcome)
    if recorded in (replayed, Result(replayed.winner)):
        return None
    return difference(end, "result", f"RE[{recorded}] is recorded, but replayed it is RE[{replayed}]: {outcome.words}")
