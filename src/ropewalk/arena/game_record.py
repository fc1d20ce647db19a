"""One finished game of a tournament, and its JSON line in the results file.

The field names of ArenaGame and BotIdentity are the keys of the file format (`results_file.py`): renaming a field
changes the format.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ..stats.elo import Pairing
from .schedule import GameKey


@dataclass(frozen=True)
class BotIdentity:
    """Identity of a bot: its spec, its own name, its budget for a move, and the SHA-256 of its net."""

    text: str  # its spec, for example uct@0.1s
    name: str
    budget: str
    net: str = ""  # SHA-256 of the weights; "" for none


@dataclass(frozen=True)
class ArenaGame:
    """A finished game. Pairs of values are indexed by seat, except `pairing`, which has the bots in the order listed."""

    spec: str
    bots: tuple[BotIdentity, BotIdentity]
    pairing: Pairing
    pair: int  # index of the opening
    exchanged: bool  # whether the second bot of the pairing had seat 0
    seed: int
    opening: tuple[str, ...]
    moves: tuple[str, ...]  # after the opening
    winner: int | None  # seat; None for a draw
    reason: str  # a code of the game, a key of FAULT_DESCRIPTIONS, or TOO_LONG
    words: str  # the reason in words
    plies: int  # including the opening
    seconds: tuple[float, float]  # of thinking time
    overrun: tuple[float, float]  # the largest excess of a move over its time limit, in seconds

    @property
    def key(self) -> GameKey:
        """The key of the game, unique within its tournament."""
        return (*self.pairing, self.pair, self.exchanged)

    def points(self) -> float:
        """Return the points of the pairing's first bot: 1, 0.5 or 0."""
        if self.winner is None:
            return 0.5
        return float((self.winner == 0) != self.exchanged)

    @property
    def faulty_bot(self) -> int | None:
        """The index of the bot that lost by a fault of its own; None if the game ended otherwise."""
        if self.reason not in FAULT_DESCRIPTIONS or self.winner is None:
            return None
        return self.pairing[(1 - self.winner) ^ self.exchanged]


ILLEGAL_MOVE, CRASH, OVERTIME = "illegal-move", "crash", "overtime"
FAULT_DESCRIPTIONS = {ILLEGAL_MOVE: "an illegal move", CRASH: "a crash", OVERTIME: "overtime"}
TOO_LONG = "too-long"  # a draw: the game reached the arena's maximum length


def format_record(record: ArenaGame) -> str:
    """Return the record as one line of JSON, without a line break."""
    return json.dumps(asdict(record))


def parse_record(data: Any) -> ArenaGame:
    """Return the record in a decoded line. Raises ValueError with the name of the field that is wrong."""
    if not isinstance(data, dict) or set(data) != set(FIELD_PARSERS):
        raise ValueError("expected exactly the keys " + ", ".join(FIELD_PARSERS))
    values = {}
    for name, parse in FIELD_PARSERS.items():
        try:
            values[name] = parse(data[name])
        except (TypeError, ValueError, KeyError):
            raise ValueError(f"invalid value of {name!r}") from None
    return ArenaGame(**values)


def make_type_parser(expected_type: type) -> Callable[[Any], Any]:
    """Return a parser that accepts values of exactly `expected_type`, so no bool for an int."""

    def parse(value: Any) -> Any:
        if type(value) is not expected_type:
            raise TypeError
        return value

    return parse


def make_pair_parser(parse_item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a parser for sequences of two items, each read by `parse_item`."""

    def parse_pair(value: Any) -> Any:
        first, second = value
        return parse_item(first), parse_item(second)

    return parse_pair


def parse_texts(value: Any) -> tuple[str, ...]:
    """Parse a list of strings."""
    return tuple(map(make_type_parser(str), make_type_parser(list)(value)))


def parse_seconds(value: Any) -> float:
    """Parse a duration; it must be a float."""
    return float(make_type_parser(float)(value))


def parse_winner(value: Any) -> int | None:
    """Parse the winning seat: 0, 1, or None for a draw."""
    if value is None or (type(value) is int and value in (0, 1)):
        return value
    raise ValueError


def parse_identity(data: Any) -> BotIdentity:
    """Parse a bot; `net` is "" where the file does not have it."""
    return BotIdentity(
        **{key: make_type_parser(str)(data[key]) for key in ("text", "name", "budget")},
        net=make_type_parser(str)(data.get("net", "")),
    )


FIELD_PARSERS: dict[str, Callable[[Any], Any]] = {
    "spec": make_type_parser(str),
    "bots": make_pair_parser(parse_identity),
    "pairing": make_pair_parser(make_type_parser(int)),
    "pair": make_type_parser(int),
    "exchanged": make_type_parser(bool),
    "seed": make_type_parser(int),
    "opening": parse_texts,
    "moves": parse_texts,
    "winner": parse_winner,
    "reason": make_type_parser(str),
    "words": make_type_parser(str),
    "plies": make_type_parser(int),
    "seconds": make_pair_parser(parse_seconds),
    "overrun": make_pair_parser(parse_seconds),
}
