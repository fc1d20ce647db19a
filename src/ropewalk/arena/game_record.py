"""One game of a tournament as a JSON line: its fields, their parsers, and the identities of bots."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ..stats.elo import Pairing
from .schedule import GameKey


@dataclass(frozen=True)
class BotIdentity:
    """A bot: the name that it was asked for by, what it calls itself, what it may spend on a move, and the net it asks."""

    text: str
    name: str
    budget: str
    net: str = ""  # its hash


@dataclass(frozen=True)
class ArenaGame:
    """A finished game. What has two values has them by seat."""

    spec: str
    bots: tuple[BotIdentity, BotIdentity]
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
    def key(self) -> GameKey:
        """What tells it from the other games of a contest."""
        return (*self.pairing, self.pair, self.exchanged)

    def points(self) -> float:
        """The points of the pairing's first bot: 1, a half or 0."""
        if self.winner is None:
            return 0.5
        return float((self.winner == 0) != self.exchanged)

    @property
    def faulty_bot(self) -> int | None:
        """The bot that lost by a fault of its own."""
        if self.reason not in FAULT_DESCRIPTIONS or self.winner is None:
            return None
        return self.pairing[(1 - self.winner) ^ self.exchanged]


ILLEGAL_MOVE, CRASH, OVERTIME = "illegal-move", "crash", "overtime"

FAULT_DESCRIPTIONS = {ILLEGAL_MOVE: "an illegal move", CRASH: "a crash", OVERTIME: "overtime"}

TOO_LONG = "too-long"  # a draw: nobody would wait for the end


def format_record(record: ArenaGame) -> str:
    """One line of JSON."""
    return json.dumps(asdict(record))


def parse_record(data: Any) -> ArenaGame:
    """The record that a parsed line holds; ValueError says which part is wrong."""
    if not isinstance(data, dict) or set(data) != set(FIELD_PARSERS):
        raise ValueError("it should have exactly the keys " + ", ".join(FIELD_PARSERS))
    values = {}
    for name, parse in FIELD_PARSERS.items():
        try:
            values[name] = parse(data[name])
        except (TypeError, ValueError, KeyError):
            raise ValueError(f"its {name} makes no sense") from None
    return ArenaGame(**values)


def make_type_parser(expected_type: type) -> Callable[[Any], Any]:
    """Reads a value of one type."""

    def parse(value: Any) -> Any:
        if type(value) is not expected_type:
            raise TypeError
        return value

    return parse


def make_pair_parser(parse_item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Reads two of a kind."""

    def parse_pair(value: Any) -> Any:
        first, second = value
        return parse_item(first), parse_item(second)

    return parse_pair


def parse_texts(value: Any) -> tuple[str, ...]:
    """Reads a list of texts."""
    return tuple(map(make_type_parser(str), make_type_parser(list)(value)))


def parse_seconds(value: Any) -> float:
    """Reads a time."""
    return float(make_type_parser(float)(value))


def parse_winner(value: Any) -> int | None:
    """Reads who has won."""
    if value is None or (type(value) is int and value in (0, 1)):
        return value
    raise ValueError


def parse_identity(data: Any) -> BotIdentity:
    """Reads a bot."""
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
