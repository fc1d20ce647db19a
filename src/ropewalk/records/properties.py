"""Known SGF properties: their codecs, and their keys in JSON.

The order of `PROPERTY_DEFS` is the order in which the properties of a new node are written. Unknown properties and
invalid values are kept raw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .evaluation import Evaluation, EvaluationLine, format_evaluation, parse_evaluation
from .metadata import (
    PlayerIdentity,
    RecordedResult,
    format_identity,
    format_result,
    get_single_value,
    parse_identity,
    parse_result,
)
from .sgf import (
    format_integer,
    format_line,
    format_number,
    format_pair,
    format_text,
    parse_integer,
    parse_line,
    parse_number,
    parse_pair,
    parse_text,
)


@dataclass(frozen=True)
class Codec:
    """Conversions of one kind of value from and to raw values and JSON; all raise ValueError or TypeError."""

    parse: Callable[[Sequence[str]], Any]  # from raw values
    format: Callable[[Any], list[str]]  # to raw values
    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


@dataclass(frozen=True)
class PropertyDef:
    """The definition of a known property."""

    name: str
    json_path: tuple[str, ...]  # keys in the JSON of a node
    codec: Codec
    description: str

    def parse(self, values: Sequence[str]) -> Any:
        """Return the value of raw values. Raises ValueError."""
        return self.codec.parse(values)

    def canonicalise(self, values: Sequence[str]) -> list[str] | None:
        """Return the raw values in the form in which they are written, None if they are invalid."""
        try:
            return self.codec.format(self.codec.parse(values))
        except ValueError:
            return None

    def from_json(self, data: Any) -> list[str]:
        """Return the raw values of a value in JSON. Raises ValueError or TypeError."""
        return self.format(self.codec.from_json(data))

    def format(self, value: Any) -> list[str]:
        """Return the raw values of a value, none for an empty one. Raises ValueError if they could not be read back."""
        values = self.codec.format(value)
        "".join(values).encode()  # a ValueError for half of a surrogate pair
        canonical = self.canonicalise(values) if values else []
        if canonical is None:
            raise ValueError("the value cannot be represented in SGF")
        return canonical


# Types of JSON


def require_type(*types: type) -> Callable[[Any], Any]:
    """Return a function that returns its argument if it has one of these types. That raises TypeError."""

    def check_type(data: Any) -> Any:
        if type(data) not in types:
            raise TypeError(f"expected {' or '.join(JSON_NAMES[kind] for kind in types)}")
        return data

    return check_type


JSON_NAMES = {str: "a string", int: "an integer", float: "a number", list: "a list", dict: "an object"}
require_text, require_integer = require_type(str), require_type(int)
require_list, require_object = require_type(list), require_type(dict)


def require_number(data: Any) -> float:
    """Return a number with the digits that SGF keeps. Raises ValueError or TypeError."""
    return parse_number(format_number(float(require_type(int, float)(data))))


def require_texts(data: Any) -> tuple[str, ...]:
    """Return a list of at least one text. Raises ValueError or TypeError."""
    return tuple(map(require_text, require_entries(data)))


def require_pairs(data: Any) -> tuple[tuple[str, str], ...]:
    """Return a list of at least one pair of texts. Raises ValueError or TypeError."""
    return tuple(map(require_pair, require_entries(data)))


def require_entries(data: Any) -> list[Any]:
    """Return a list that is not empty. Raises ValueError or TypeError."""
    entries: list[Any] = require_list(data)
    if not entries:
        raise ValueError("the list must not be empty")
    return entries


def require_pair(data: Any) -> tuple[str, str]:
    """Return a pair of texts. Raises ValueError or TypeError."""
    texts = require_texts(data)
    if len(texts) != 2:
        raise ValueError("expected a list of two strings")
    return texts[0], texts[1]


def require_keys(data: Any, allowed: Sequence[str], required: Sequence[str]) -> dict[str, Any]:
    """Return an object that has all required keys and no others than the allowed. Raises ValueError or TypeError."""
    for key in require_object(data):
        if key not in allowed:
            raise ValueError(f"unknown key {key!r}; allowed are {', '.join(allowed)}")
    for key in required:
        if key not in data:
            raise ValueError(f"missing key {key!r}")
    return dict(data)


# Values in JSON


def result_from_json(data: Any) -> RecordedResult:
    """Return the result of an object such as {"winner": 0, "reason": "majority"}."""
    values = require_keys(data, ["winner", "reason"], ["winner", "reason"])
    winner = None if values["winner"] is None else require_integer(values["winner"])
    return RecordedResult(winner, require_text(values["reason"]))


def identity_from_json(data: Any) -> PlayerIdentity:
    """Return the identity of an object with the parts that are known."""
    values = require_keys(data, list(asdict(PlayerIdentity())), [])
    return PlayerIdentity(**{key: require_text(value) for key, value in values.items()})


def identity_to_json(identity: PlayerIdentity) -> dict[str, str]:
    """Return the parts of an identity that are known."""
    return {key: value for key, value in asdict(identity).items() if value}


def evaluation_from_json(data: Any) -> Evaluation:
    """Return the evaluation of an object with seat, value, certainty, visits and lines."""
    keys = ["seat", "value", "certainty", "visits", "lines"]
    values = require_keys(data, keys, keys)
    return Evaluation(
        seat=require_integer(values["seat"]),
        value=require_number(values["value"]),
        certainty=require_text(values["certainty"]),
        visits=require_integer(values["visits"]),
        lines=tuple(map(evaluation_line_from_json, require_list(values["lines"]))),
    )


def evaluation_line_from_json(data: Any) -> EvaluationLine:
    """Return the line of an object with moves, visits, value and certainty."""
    keys = ["moves", "visits", "value", "certainty"]
    values = require_keys(data, keys, keys)
    return EvaluationLine(
        moves=require_texts(values["moves"]),
        visits=require_integer(values["visits"]),
        value=require_number(values["value"]),
        certainty=require_text(values["certainty"]),
    )


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as an object with the same keys, and lists for tuples."""
    return asdict(evaluation) | {"lines": [asdict(line) | {"moves": list(line.moves)} for line in evaluation.lines]}


def keep_value(value: Any) -> Any:
    """Return the value itself, for types that JSON has."""
    return value


# Codecs, by the names that docs/records.md has for them

TEXT = Codec(lambda values: parse_text(get_single_value(values)), lambda text: [format_text(text)], keep_value, require_text)
LINE = Codec(lambda values: parse_line(get_single_value(values)), lambda text: [format_line(text)], keep_value, require_text)
NUMBER = Codec(
    lambda values: parse_number(get_single_value(values)),
    lambda number: [format_number(number)],
    keep_value,
    require_number,
)
INTEGER = Codec(
    lambda values: parse_integer(get_single_value(values)),
    lambda number: [format_integer(number)],
    keep_value,
    require_integer,
)
PAIR = Codec(lambda values: parse_pair(get_single_value(values)), lambda pair: [format_pair(*pair)], list, require_pair)
CELLS = Codec(
    lambda values: tuple(map(parse_line, values)), lambda cells: list(map(format_line, cells)), list, require_texts
)
LABELS = Codec(
    lambda values: tuple(map(parse_pair, values)),
    lambda labels: [format_pair(*label) for label in labels],
    lambda labels: list(map(list, labels)),
    require_pairs,
)
RESULT = Codec(parse_result, format_result, asdict, result_from_json)
IDENTITY = Codec(parse_identity, format_identity, identity_to_json, identity_from_json)
EVALUATION = Codec(parse_evaluation, format_evaluation, evaluation_to_json, evaluation_from_json)


def define_by_seat(names: Sequence[str], key: str, codec: Codec, description: str) -> Iterator[PropertyDef]:
    """Yield the definitions of a property that each seat has under a name of its own."""
    for name, seat in zip(names, ("first", "second"), strict=True):
        yield PropertyDef(name, (seat, key), codec, f"{description}, {seat} seat")


PROPERTY_DEFS = {
    definition.name: definition
    for definition in (
        PropertyDef("FF", ("format",), INTEGER, "version of SGF, 4"),
        PropertyDef("CA", ("charset",), LINE, "encoding of the file"),
        PropertyDef("AP", ("program",), PAIR, "program that wrote the file, and its version"),
        PropertyDef("GM", ("game",), LINE, "name of the game"),
        PropertyDef("SPEC", ("spec",), LINE, "spec of the game: board and options"),
        PropertyDef("POS", ("start",), LINE, "start position, if it is not the standard one"),
        PropertyDef("GN", ("title",), LINE, "name of this record"),
        *define_by_seat(("PB", "PW"), "name", LINE, "name of the player"),
        *define_by_seat(("BID", "WID"), "identity", IDENTITY, "identity of the player"),
        *define_by_seat(("BR", "WR"), "rank", LINE, "rank of the player"),
        *define_by_seat(("BT", "WT"), "team", LINE, "team of the player"),
        PropertyDef("DT", ("date",), LINE, "date, such as 2026-03-01"),
        PropertyDef("EV", ("event",), LINE, "event, such as a tournament"),
        PropertyDef("RO", ("round",), LINE, "round of the event"),
        PropertyDef("PC", ("place",), LINE, "place where the game was played"),
        PropertyDef("TM", ("time",), NUMBER, "main time of each player in seconds"),
        PropertyDef("OT", ("overtime",), LINE, "overtime rules"),
        PropertyDef("RU", ("rules",), LINE, "agreements in addition to the spec"),
        PropertyDef("RE", ("result",), RESULT, "result and its reason"),
        PropertyDef("ON", ("opening",), LINE, "name of the opening"),
        PropertyDef("US", ("recorder",), LINE, "person or program that entered the record"),
        PropertyDef("AN", ("annotator",), LINE, "author of the comments"),
        PropertyDef("SO", ("source",), LINE, "source of the record"),
        PropertyDef("CP", ("copyright",), LINE, "copyright notice"),
        PropertyDef("GC", ("about",), TEXT, "comment on the whole game"),
        *define_by_seat(("B", "W"), "turn", LINE, "turn"),
        *define_by_seat(("BL", "WL"), "seconds", NUMBER, "seconds left on the clock"),
        *define_by_seat(("OB", "OW"), "turns_left", INTEGER, "turns left until the next time control"),
        PropertyDef("N", ("name",), LINE, "name of the node"),
        PropertyDef("C", ("comment",), TEXT, "comment"),
        PropertyDef("MA", ("marks", "cross"), CELLS, "cells marked with a cross"),
        PropertyDef("TR", ("marks", "triangle"), CELLS, "cells marked with a triangle"),
        PropertyDef("CR", ("marks", "circle"), CELLS, "cells marked with a circle"),
        PropertyDef("SQ", ("marks", "square"), CELLS, "cells marked with a square"),
        PropertyDef("LB", ("labels",), LABELS, "labels of cells"),
        PropertyDef("EVAL", ("evaluation",), EVALUATION, "value of the position and the best lines"),
    )
}

MARK_PROPERTIES = {
    definition.json_path[1]: definition.name for definition in PROPERTY_DEFS.values() if definition.json_path[0] == "marks"
}
PROPERTY_RANKS = {name: rank for rank, name in enumerate(PROPERTY_DEFS)}
