"""Records as JSON: a list of nodes a game, each with the number of its parent; nothing nests deeply, nothing is lost.

A node says under readable keys what we understand (`properties.py` has the table); under `other`, raw, what we do not; and
under `order` the names of its properties, where that is not the order of the table.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from ..text import did_you_mean, ellipsis
from .errors import RecordError
from .node import Node, Property
from .properties import FIELDS, RANKS, Field, a_list, a_text, an_object, texts
from .record import Record
from .sgf import MOST_PARTS, NAME

Taken = TypeVar("Taken")

FORMAT, VERSION = "ropewalk-records", 1
RAW = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
PATHS = {field.path: field for field in FIELDS.values()}
GROUPS = {path[0] for path in PATHS if len(path) > 1}
BESIDE = ("parent", "other", "order")
KEYS = sorted({".".join(path) for path in PATHS} | set(BESIDE))


# Writing


def write_json(records: Sequence[Record]) -> str:
    """Records as one text, a line a node."""
    games = ",\n".join('{"nodes": [\n' + ",\n".join(node_lines(record)) + "\n]}" for record in records)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "games": [\n{games}\n]}}\n'


def node_lines(record: Record) -> Iterator[str]:
    """Each node as a line, parents before children."""
    numbers: dict[Node | None, int | None] = {None: None}
    for number, node in enumerate(record.nodes()):
        numbers[node] = number
        yield json.dumps({"parent": numbers[node.parent], **node_object(node)}, ensure_ascii=False)


def node_object(node: Node) -> dict[str, Any]:
    """What a node says."""
    firsts = {written.name: written for written in reversed(node.properties)}
    understood = sorted((name for name in firsts if is_understood(firsts[name])), key=RANKS.__getitem__)
    said: dict[str, Any] = {}
    for name in understood:
        place(said, FIELDS[name], firsts[name])
    other = [written for written in node.properties if written.name not in understood or written is not firsts[written.name]]
    if other:
        said["other"] = [[written.name, written.values] for written in other]
    order = [written.name for written in node.properties]
    if order != [*understood, *(written.name for written in other)]:
        said["order"] = order
    return said


def is_understood(written: Property) -> bool:
    """Whether a property is what we would write ourselves."""
    return written.name in FIELDS and FIELDS[written.name].usual(written.values) == written.values


def place(said: dict[str, Any], field: Field, written: Property) -> None:
    """Put a value under its keys."""
    *groups, key = field.path
    for group in groups:
        said = said.setdefault(group, {})
    said[key] = field.form.to_json(field.read(written.values))


# Reading


def read_json(text: str) -> list[Record]:
    """The records of a text; a RecordError says what is wrong and where."""
    said = parsed(text)
    if not isinstance(said, dict) or said.get("format") != FORMAT or said.get("version") != VERSION:
        raise RecordError(f'this JSON is no record: it should begin with {{"format": "{FORMAT}", "version": {VERSION}')
    refuse_others(said, ["format", "version", "games"], "the text")
    games = checked(a_list, said.get("games"), "games")
    if not games:
        raise RecordError("games: there is none")
    refuse_too_many(games)
    return [record_from(game, f"games[{number}]") for number, game in enumerate(games)]


def parsed(text: str) -> Any:
    """What a text says, if it is JSON that says nothing twice."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=once, parse_constant=no_number)
    except json.JSONDecodeError as error:
        raise RecordError(f"this is not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise RecordError("this JSON is nested too deeply: a record has lists of nodes, which do not nest") from None
    except ValueError as error:
        raise RecordError(f"this JSON is no record: {error}") from None


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    said: dict[str, Any] = {}
    for key, value in pairs:
        if key in said:
            raise ValueError(f"the key {ellipsis(key)} is said twice in one object")
        said[key] = value
    return said


def no_number(text: str) -> NoReturn:
    """JSON has neither NaN nor Infinity."""
    raise ValueError(f"{text} is not a number")


def refuse_too_many(games: list[Any]) -> None:
    """The limit of SGF holds here too."""
    nodes = sum(len(game["nodes"]) for game in games if isinstance(game, dict) and isinstance(game.get("nodes"), list))
    if nodes > MOST_PARTS:
        raise RecordError(f"a file holds at most {MOST_PARTS:,} nodes, properties and values")


def record_from(said: Any, where: str) -> Record:
    """One game."""
    refuse_others(checked(an_object, said, where), ["nodes"], where)
    nodes: list[Node] = []
    for number, node in enumerate(checked(a_list, said.get("nodes"), f"{where}.nodes")):
        nodes.append(node_from(node, nodes, f"{where}.nodes[{number}]"))
    if not nodes:
        raise RecordError(f"{where}.nodes: a game has at least one node")
    return Record(nodes[0])


def node_from(said: Any, before: list[Node], where: str) -> Node:
    """One node, hung below its parent."""
    checked(an_object, said, where)
    node = Node(parent_from(said.get("parent"), before, where))
    properties = [*understood_from(said, where), *other_from(said.get("other", []), f"{where}.other")]
    node.properties = ordered(properties, said.get("order"), f"{where}.order")
    return node


def parent_from(said: Any, before: list[Node], where: str) -> Node | None:
    """The node that was named by its number; the first has none."""
    if not before and said is None:
        return None
    if type(said) is int and 0 <= said < len(before):
        return before[said]
    right = f"the number of an earlier node, 0 to {len(before) - 1}" if before else "null: the first node has no parent"
    raise RecordError(f"{where}.parent: it should be {right}")


def understood_from(said: dict[str, Any], where: str) -> list[Property]:
    """What is said under readable keys, in the order of the table."""
    found = []
    for path, value in flattened(said, where):
        key = ".".join(path)
        if path not in PATHS:
            raise RecordError(f"{where} has the key {ellipsis(key)}, which no record has{did_you_mean(key, KEYS)}")
        found.append(Property(PATHS[path].name, checked(PATHS[path].from_json, value, f"{where}.{key}")))
    return sorted(found, key=lambda written: RANKS[written.name])


def flattened(said: dict[str, Any], where: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Keys, and keys within groups, with what stands there."""
    for key, value in said.items():
        if key in GROUPS:
            yield from (((key, part), held) for part, held in checked(an_object, value, f"{where}.{key}").items())
        elif key not in BESIDE:
            yield (key,), value


def other_from(said: Any, where: str) -> Iterator[Property]:
    """What is said raw."""
    for number, entry in enumerate(checked(a_list, said, where)):
        yield checked(raw_property, entry, f"{where}[{number}]")


def raw_property(said: Any) -> Property:
    """A name and raw values that SGF can hold."""
    if len(a_list(said)) != 2 or not NAME.fullmatch(a_text(said[0])):
        raise ValueError('it should be a name and its values, such as ["XY", ["1"]]')
    values = list(texts(said[1]))
    "".join(values).encode()
    if not all(map(RAW.fullmatch, values)):
        raise ValueError("in a raw value, ] and \\ need a \\ before them")
    return Property(said[0], values)


def ordered(properties: list[Property], order: Any, where: str) -> list[Property]:
    """The properties in the order that is said, if one is."""
    if order is None:
        return properties
    waiting: dict[str, list[Property]] = defaultdict(list)
    for written in reversed(properties):
        waiting[written.name].append(written)
    names = checked(texts, order, where)
    if sorted(names) != sorted(written.name for written in properties):
        raise RecordError(f"{where}: it should name every property of the node, and no other")
    return [waiting[name].pop() for name in names]


def checked(take: Callable[[Any], Taken], said: Any, where: str) -> Taken:
    """What a function makes of a part, or where it is wrong."""
    try:
        return take(said)
    except (ValueError, TypeError, OverflowError) as error:
        raise RecordError(f"{where}: {error}") from None


def refuse_others(said: dict[str, Any], allowed: Sequence[str], where: str) -> None:
    """Refuse keys that we do not know: what they say would be lost."""
    for key in said:
        if key not in allowed:
            raise RecordError(f"{where} has the key {ellipsis(key)}, which no record has{did_you_mean(key, allowed)}")
