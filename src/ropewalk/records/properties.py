"""The properties that we understand: what their values mean, and where they stand in JSON.

The order of the table is the order in which a new node is written. Whatever is not in it, or cannot be understood, is
kept raw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .evaluation import Evaluation, EvaluationLine, read_evaluation, write_evaluation
from .metadata import Identity, Result, only, read_identity, read_result, write_identity, write_result
from .texts import (
    read_line,
    read_number,
    read_pair,
    read_text,
    read_whole,
    write_line,
    write_number,
    write_pair,
    write_text,
    write_whole,
)


@dataclass(frozen=True)
class Form:
    """How values of a kind are read and written; all four raise ValueError or TypeError for what makes no sense."""

    read: Callable[[Sequence[str]], Any]  # from raw values
    write: Callable[[Any], list[str]]
    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


@dataclass(frozen=True)
class Field:
    """A property that we understand."""

    name: str
    path: tuple[str, ...]  # in the JSON of a node
    form: Form
    words: str

    def read(self, values: Sequence[str]) -> Any:
        """What raw values mean; ValueError when they make no sense."""
        return self.form.read(values)

    def usual(self, values: Sequence[str]) -> list[str] | None:
        """The same values as we would write them, None when they make no sense."""
        try:
            return self.form.write(self.form.read(values))
        except ValueError:
            return None

    def from_json(self, said: Any) -> list[str]:
        """The raw values of what JSON says; ValueError or TypeError when it makes no sense."""
        return self.written(self.form.from_json(said))

    def written(self, value: Any) -> list[str]:
        """The raw values that say something, none for nothing; ValueError when they could not be read back."""
        values = self.form.write(value)
        "".join(values).encode()  # a half of a surrogate pair is a ValueError too
        usual = self.usual(values) if values else []
        if usual is None:
            raise ValueError("it could not be read back")
        return usual


def exactly(*kinds: type) -> Callable[[Any], Any]:
    """Takes a value of one of these types, as JSON has them."""

    def take(said: Any) -> Any:
        if type(said) not in kinds:
            raise TypeError(f"it should be {' or '.join(JSON_NAMES[kind] for kind in kinds)}")
        return said

    return take


JSON_NAMES = {str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "an object"}
a_text, a_whole, a_list, an_object = exactly(str), exactly(int), exactly(list), exactly(dict)


def same(value: Any) -> Any:
    """For values that JSON writes as we do."""
    return value


def a_number(said: Any) -> float:
    """A number as we write it."""
    return read_number(write_number(float(exactly(int, float)(said))))


def texts(said: Any) -> tuple[str, ...]:
    """A list of texts, at least one."""
    if not a_list(said):
        raise ValueError("it should have at least one entry")
    return tuple(map(a_text, said))


def pairs(said: Any) -> tuple[tuple[str, str], ...]:
    """A list of pairs of texts, at least one."""
    if not a_list(said):
        raise ValueError("it should have at least one entry")
    return tuple(map(pair, said))


def pair(said: Any) -> tuple[str, str]:
    """Two texts."""
    found = texts(said)
    if len(found) != 2:
        raise ValueError("it should be two texts")
    return found[0], found[1]


def keyed(said: Any, allowed: Sequence[str], required: Sequence[str]) -> dict[str, Any]:
    """An object with these keys and no others."""
    for key in an_object(said):
        if key not in allowed:
            raise ValueError(f"{key!r} is none of its keys, {', '.join(allowed)}")
    for key in required:
        if key not in said:
            raise ValueError(f"{key!r} is missing")
    return dict(said)


def result_from_json(said: Any) -> Result:
    """{"winner": 0, "reason": "majority"}."""
    found = keyed(said, ["winner", "reason"], ["winner", "reason"])
    return Result(None if found["winner"] is None else a_whole(found["winner"]), a_text(found["reason"]))


def identity_from_json(said: Any) -> Identity:
    """Only what is known."""
    return Identity(**{key: a_text(value) for key, value in keyed(said, list(asdict(Identity())), []).items()})


def evaluation_from_json(said: Any) -> Evaluation:
    """Seat, value, kind, visits and lines."""
    keys = ["seat", "value", "kind", "visits", "lines"]
    found = keyed(said, keys, keys)
    lines = tuple(map(line_from_json, a_list(found["lines"])))
    return Evaluation(
        a_whole(found["seat"]), a_number(found["value"]), a_text(found["kind"]), a_whole(found["visits"]), lines
    )


def line_from_json(said: Any) -> EvaluationLine:
    """Moves, visits, value and kind."""
    keys = ["moves", "visits", "value", "kind"]
    found = keyed(said, keys, keys)
    return EvaluationLine(texts(found["moves"]), a_whole(found["visits"]), a_number(found["value"]), a_text(found["kind"]))


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """The same keys, lists for tuples."""
    return asdict(evaluation) | {"lines": [asdict(line) | {"moves": list(line.moves)} for line in evaluation.lines]}


def known_parts(identity: Identity) -> dict[str, str]:
    """What is known of a player."""
    return {key: value for key, value in asdict(identity).items() if value}


TEXT = Form(lambda values: read_text(only(values)), lambda text: [write_text(text)], same, a_text)
LINE = Form(lambda values: read_line(only(values)), lambda text: [write_line(text)], same, a_text)
NUMBER = Form(lambda values: read_number(only(values)), lambda number: [write_number(number)], same, a_number)
WHOLE = Form(lambda values: read_whole(only(values)), lambda number: [write_whole(number)], same, a_whole)
PAIR = Form(lambda values: read_pair(only(values)), lambda both: [write_pair(*both)], list, pair)
CELLS = Form(lambda values: tuple(map(read_line, values)), lambda cells: list(map(write_line, cells)), list, texts)
LABELS = Form(
    lambda values: tuple(map(read_pair, values)),
    lambda labels: [write_pair(*label) for label in labels],
    lambda labels: list(map(list, labels)),
    pairs,
)
RESULT = Form(read_result, write_result, asdict, result_from_json)
IDENTITY = Form(read_identity, write_identity, known_parts, identity_from_json)
EVALUATION = Form(read_evaluation, write_evaluation, evaluation_to_json, evaluation_from_json)


def by_seat(names: Sequence[str], key: str, form: Form, words: str) -> Iterator[Field]:
    """A property of each seat."""
    for name, seat in zip(names, ("first", "second"), strict=True):
        yield Field(name, (seat, key), form, f"{words}, {seat} seat")


FIELDS = {
    field.name: field
    for field in (
        Field("FF", ("format",), WHOLE, "version of SGF, 4"),
        Field("CA", ("charset",), LINE, "encoding of the file"),
        Field("AP", ("program",), PAIR, "what wrote the file, and its version"),
        Field("GM", ("game",), LINE, "name of the game"),
        Field("SPEC", ("spec",), LINE, "spec of the game: board and options"),
        Field("POS", ("start",), LINE, "position that the record starts from, where it is not the usual one"),
        Field("GN", ("title",), LINE, "name of this record"),
        *by_seat(("PB", "PW"), "name", LINE, "name of the player"),
        *by_seat(("BID", "WID"), "identity", IDENTITY, "identity of the player"),
        *by_seat(("BR", "WR"), "rank", LINE, "rank of the player"),
        *by_seat(("BT", "WT"), "team", LINE, "team of the player"),
        Field("DT", ("date",), LINE, "date, as 2026-03-01"),
        Field("EV", ("event",), LINE, "event, such as a tournament"),
        Field("RO", ("round",), LINE, "round of the event"),
        Field("PC", ("place",), LINE, "where it was played"),
        Field("TM", ("time",), NUMBER, "seconds that each player has for the game"),
        Field("OT", ("overtime",), LINE, "what happens then"),
        Field("RU", ("rules",), LINE, "what was agreed beside the spec"),
        Field("RE", ("result",), RESULT, "result, and why"),
        Field("ON", ("opening",), LINE, "name of the opening"),
        Field("US", ("recorder",), LINE, "who wrote the record down"),
        Field("AN", ("annotator",), LINE, "who wrote the comments"),
        Field("SO", ("source",), LINE, "where the record was taken from"),
        Field("CP", ("copyright",), LINE, "whose the comments are"),
        Field("GC", ("about",), TEXT, "comment on the whole game"),
        *by_seat(("B", "W"), "turn", LINE, "turn"),
        *by_seat(("BL", "WL"), "seconds", NUMBER, "seconds left on the clock"),
        *by_seat(("OB", "OW"), "turns_left", WHOLE, "turns left until the next time control"),
        Field("N", ("name",), LINE, "name of the node"),
        Field("C", ("comment",), TEXT, "comment"),
        Field("MA", ("marks", "cross"), CELLS, "cells marked with a cross"),
        Field("TR", ("marks", "triangle"), CELLS, "cells marked with a triangle"),
        Field("CR", ("marks", "circle"), CELLS, "cells marked with a circle"),
        Field("SQ", ("marks", "square"), CELLS, "cells marked with a square"),
        Field("LB", ("labels",), LABELS, "cells with a label"),
        Field("EVAL", ("evaluation",), EVALUATION, "value of the position, and the best lines"),
    )
}

MARKS = {field.path[1]: field.name for field in FIELDS.values() if field.path[0] == "marks"}
RANKS = {name: rank for rank, name in enumerate(FIELDS)}
