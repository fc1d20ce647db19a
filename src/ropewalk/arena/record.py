"""A finished game as a line of text, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from .schedule import Key, Pairing


@dataclass(frozen=True)
class Identity:
    """A bot: the name that it was asked for by, what it calls itself, what it may spend on a move, and the net it asks."""

    text: str
    name: str
    budget: str
    net: str = ""  # its hash


@dataclass(frozen=True)
class Record:
    """A finished game. What has two values has them by seat."""

    spec: str
    bots: tuple[Identity, Identity]
    pairing: Pairing
    pair: int
    exchanged: bool
    seed: int
    opening: tuple[str, ...]
    moves: tuple[str, ...]  # the steps after the opening
    winner: int | None  # a seat; None: drawn
    reason: str  # the game's own code, or one of FAULTS, or TOO_LONG
    words: str
    plies: int
    seconds: tuple[float, float]
    overrun: tuple[float, float]  # the longest time beyond the limit of a move

    @property
    def key(self) -> Key:
        """What tells it from the other games of a contest."""
        return (*self.pairing, self.pair, self.exchanged)

    def points(self) -> float:
        """The points of the pairing's first bot: 1, a half or 0."""
        if self.winner is None:
            return 0.5
        return float((self.winner == 0) != self.exchanged)

    @property
    def fault_of(self) -> int | None:
        """The bot that lost by a fault of its own."""
        if self.reason not in FAULTS or self.winner is None:
            return None
        return self.pairing[(1 - self.winner) ^ self.exchanged]


ILLEGAL, CRASH, OVERTIME = "illegal-move", "crash", "overtime"
FAULTS = {ILLEGAL: "an illegal move", CRASH: "a crash", OVERTIME: "overtime"}
TOO_LONG = "too-long"  # a draw: nobody would wait for the end


def line_of(record: Record) -> str:
    """One line of JSON."""
    return json.dumps(asdict(record))


def record_of(said: Any) -> Record:
    """The record that a parsed line holds; ValueError says which part is wrong."""
    if not isinstance(said, dict) or set(said) != set(PARTS):
        raise ValueError("it should have exactly the keys " + ", ".join(PARTS))
    parts = {}
    for name, read in PARTS.items():
        try:
            parts[name] = read(said[name])
        except (TypeError, ValueError, KeyError):
            raise ValueError(f"its {name} makes no sense") from None
    return Record(**parts)


def exactly(kind: type) -> Callable[[Any], Any]:
    """Reads a value of one type."""

    def read(said: Any) -> Any:
        if type(said) is not kind:
            raise TypeError
        return said

    return read


def two(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Reads two of a kind."""

    def read_both(said: Any) -> Any:
        first, second = said
        return read(first), read(second)

    return read_both


def texts(said: Any) -> tuple[str, ...]:
    """Reads a list of texts."""
    return tuple(map(exactly(str), exactly(list)(said)))


def number(said: Any) -> float:
    """Reads a time."""
    return float(exactly(float)(said))


def seat_or_none(said: Any) -> int | None:
    """Reads who has won."""
    if said is None or (type(said) is int and said in (0, 1)):
        return said
    raise ValueError


def identity(said: Any) -> Identity:
    """Reads a bot."""
    return Identity(
        **{part: exactly(str)(said[part]) for part in ("text", "name", "budget")}, net=exactly(str)(said.get("net", ""))
    )


PARTS: dict[str, Callable[[Any], Any]] = {
    "spec": exactly(str),
    "bots": two(identity),
    "pairing": two(exactly(int)),
    "pair": exactly(int),
    "exchanged": exactly(bool),
    "seed": exactly(int),
    "opening": texts,
    "moves": texts,
    "winner": seat_or_none,
    "reason": exactly(str),
    "words": exactly(str),
    "plies": exactly(int),
    "seconds": two(number),
    "overrun": two(number),
}
