"""Records as JSON: per game a flat list of nodes, each with the number of its parent; nothing nests deeply or is lost.

A node has known properties under readable keys (`properties.py` has the table), the others raw under `unknown`, and the
names of all its properties under `property_order` if their order is not that of the table.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from ..text import did_you_mean, ellipsis
from .errors import RecordError
from .node import Node
from .properties import (
    PROPERTY_DEFS,
    PROPERTY_RANKS,
    PropertyDef,
    require_list,
    require_object,
    require_text,
    require_texts,
)
from .record import Record
from .sgf import MAX_PARTS, NAME, Property

T = TypeVar("T")

FORMAT, VERSION = "ropewalk-records", 1
RAW_VALUE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
DEFS_BY_PATH = {definition.json_path: definition for definition in PROPERTY_DEFS.values()}
GROUP_KEYS = {path[0] for path in DEFS_BY_PATH if len(path) > 1}
UNKNOWN_KEY, ORDER_KEY = "unknown", "property_order"
RESERVED_KEYS = ("parent", UNKNOWN_KEY, ORDER_KEY)
ALL_KEYS = sorted({".".join(path) for path in DEFS_BY_PATH} | set(RESERVED_KEYS))


# Writing


def format_json(records: Sequence[Record]) -> str:
    """Return records as one JSON text, with a line for each node."""
    games = ",\n".join('{"nodes": [\n' + ",\n".join(iter_node_lines(record)) + "\n]}" for record in records)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "games": [\n{games}\n]}}\n'


def iter_node_lines(record: Record) -> Iterator[str]:
    """Yield each node as a line of JSON, parents before children."""
    numbers: dict[Node | None, int | None] = {None: None}
    for number, node in enumerate(record.nodes()):
        numbers[node] = number
        yield json.dumps({"parent": numbers[node.parent], **node_to_json(node)}, ensure_ascii=False)


def node_to_json(node: Node) -> dict[str, Any]:
    """Return the properties of a node as an object, without its parent."""
    firsts = {held.name: held for held in reversed(node.properties)}
    known = sorted((name for name in firsts if is_canonical(firsts[name])), key=PROPERTY_RANKS.__getitem__)
    data: dict[str, Any] = {}
    for name in known:
        store_value(data, PROPERTY_DEFS[name], firsts[name])
    unknown = [held for held in node.properties if held.name not in known or held is not firsts[held.name]]
    if unknown:
        data[UNKNOWN_KEY] = [[held.name, held.values] for held in unknown]
    names = [held.name for held in node.properties]
    if names != [*known, *(held.name for held in unknown)]:
        data[ORDER_KEY] = names
    return data


def is_canonical(held: Property) -> bool:
    """Return whether a property is known and has the form in which it is written."""
    return held.name in PROPERTY_DEFS and PROPERTY_DEFS[held.name].canonicalise(held.values) == held.values


def store_value(data: dict[str, Any], definition: PropertyDef, held: Property) -> None:
    """Store the value of a property in the object of its node, under its keys."""
    *groups, key = definition.json_path
    for group in groups:
        data = data.setdefault(group, {})
    data[key] = definition.codec.to_json(definition.parse(held.values))


# Reading


def parse_json(text: str) -> list[Record]:
    """Return the records of a JSON text. Raises RecordError with the place of the fault."""
    data = load_json(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise RecordError(f'not a JSON record file: expected an object with "format": "{FORMAT}" and "version": {VERSION}')
    reject_unknown_keys(data, ["format", "version", "games"], "top level")
    games = convert(require_list, data.get("games"), "games")
    if not games:
        raise RecordError("games: the list must not be empty")
    check_node_count(games)
    return [parse_record(game, f"games[{number}]") for number, game in enumerate(games)]


def load_json(text: str) -> Any:
    """Return the data of a JSON text without duplicate keys. Raises RecordError."""
    try:
        return json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=reject_duplicate_keys, parse_constant=reject_constant
        )
    except json.JSONDecodeError as error:
        raise RecordError(f"invalid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise RecordError("the JSON is nested too deeply; a record is a flat list of nodes") from None
    except ValueError as error:
        raise RecordError(f"not a JSON record file: {error}") from None


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of keys and values. Raises ValueError if a key occurs twice."""
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f"duplicate key {ellipsis(key)} in one object")
        data[key] = value
    return data


def reject_constant(text: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{text} is not a number")


def check_node_count(games: list[Any]) -> None:
    """Raise RecordError if the games have more nodes than an SGF file may have parts."""
    nodes = sum(len(game["nodes"]) for game in games if isinstance(game, dict) and isinstance(game.get("nodes"), list))
    if nodes > MAX_PARTS:
        raise RecordError(f"file too large: at most {MAX_PARTS:,} nodes, properties and values are allowed")


def parse_record(data: Any, where: str) -> Record:
    """Return the record of one game's object. Raises RecordError."""
    reject_unknown_keys(convert(require_object, data, where), ["nodes"], where)
    nodes: list[Node] = []
    for number, node in enumerate(convert(require_list, data.get("nodes"), f"{where}.nodes")):
        nodes.append(parse_node(node, nodes, f"{where}.nodes[{number}]"))
    if not nodes:
        raise RecordError(f"{where}.nodes: the list must not be empty")
    return Record(nodes[0])


def parse_node(data: Any, earlier_nodes: list[Node], where: str) -> Node:
    """Return the node of an object, added to its parent. Raises RecordError."""
    convert(require_object, data, where)
    node = Node(find_parent(data.get("parent"), earlier_nodes, where))
    unknown = parse_unknown_properties(data.get(UNKNOWN_KEY, []), f"{where}.{UNKNOWN_KEY}")
    properties = [*parse_known_properties(data, where), *unknown]
    node.properties = order_properties(properties, data.get(ORDER_KEY), f"{where}.{ORDER_KEY}")
    return node


def find_parent(data: Any, earlier_nodes: list[Node], where: str) -> Node | None:
    """Return the earlier node with this number, None for the first node. Raises RecordError."""
    if not earlier_nodes and data is None:
        return None
    if type(data) is int and 0 <= data < len(earlier_nodes):
        return earlier_nodes[data]
    expected = (
        f"the number of an earlier node, 0 to {len(earlier_nodes) - 1}"
        if earlier_nodes
        else "null, because the first node has no parent"
    )
    raise RecordError(f"{where}.parent: expected {expected}")


def parse_known_properties(data: dict[str, Any], where: str) -> list[Property]:
    """Return the properties under readable keys, in the order of the table. Raises RecordError."""
    properties = []
    for path, value in flatten(data, where):
        key = ".".join(path)
        if path not in DEFS_BY_PATH:
            raise RecordError(f"{where}: unknown key {ellipsis(key)}{did_you_mean(key, ALL_KEYS)}")
        definition = DEFS_BY_PATH[path]
        properties.append(Property(definition.name, convert(definition.from_json, value, f"{where}.{key}")))
    return sorted(properties, key=lambda held: PROPERTY_RANKS[held.name])


def flatten(data: dict[str, Any], where: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the paths of keys of a node's object with their values, without the reserved keys. Raises RecordError."""
    for key, value in data.items():
        if key in GROUP_KEYS:
            group = convert(require_object, value, f"{where}.{key}")
            yield from (((key, part), part_value) for part, part_value in group.items())
        elif key not in RESERVED_KEYS:
            yield (key,), value


def parse_unknown_properties(data: Any, where: str) -> Iterator[Property]:
    """Yield the properties of a list of raw ones. Raises RecordError."""
    for number, entry in enumerate(convert(require_list, data, where)):
        yield convert(parse_raw_property, entry, f"{where}[{number}]")


def parse_raw_property(data: Any) -> Property:
    """Return the property of a name and raw values that SGF can hold. Raises ValueError or TypeError."""
    if len(require_list(data)) != 2 or not NAME.fullmatch(require_text(data[0])):
        raise ValueError('expected a property name and a list of values, such as ["XY", ["1"]]')
    values = list(require_texts(data[1]))
    "".join(values).encode()
    if not all(map(RAW_VALUE.fullmatch, values)):
        raise ValueError("] and \\ must be escaped with \\ in a raw value")
    return Property(data[0], values)


def order_properties(properties: list[Property], order: Any, where: str) -> list[Property]:
    """Return the properties in the order of a list of names, if there is one. Raises RecordError."""
    if order is None:
        return properties
    by_name: dict[str, list[Property]] = defaultdict(list)
    for held in reversed(properties):
        by_name[held.name].append(held)
    names = convert(require_texts, order, where)
    if sorted(names) != sorted(held.name for held in properties):
        raise RecordError(f"{where}: must list the name of each property of the node exactly once")
    return [by_name[name].pop() for name in names]


def convert(conversion: Callable[[Any], T], data: Any, where: str) -> T:
    """Return the converted data. Raises RecordError with the place instead of the conversion's error."""
    try:
        return conversion(data)
    except (ValueError, TypeError, OverflowError) as error:
        raise RecordError(f"{where}: {error}") from None


def reject_unknown_keys(data: dict[str, Any], allowed: Sequence[str], where: str) -> None:
    """Raise RecordError for a key that is not allowed, because its value would be lost."""
    for key in data:
        if key not in allowed:
            raise RecordError(f"{where}: unknown key {ellipsis(key)}{did_you_mean(key, allowed)}")
