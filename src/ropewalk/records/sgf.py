"""SGF syntax: parser, writer, and the escaping of raw values.

A raw value is the text between the brackets, escapes and line breaks included. The parser does not interpret values, so
unknown properties are written as they were read; it does not recurse. SGF libraries reorder properties, merge repeated
ones and report no line and column; hence a parser of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import Protocol

from .errors import LINE_BREAK, FaultCollector, RecordError

MAX_PARTS = 1_000_000  # nodes, properties and values of a file

SPACE = re.compile(r"[\s\ufeff]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*+", re.ASCII)
VALUE = re.compile(r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
JUNK = re.compile(r"[^();\[A-Za-z]++", re.ASCII)  # up to something that may begin a part
OUTSIDE = re.compile(r"[^(]++")  # the same between two games

ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
ESCAPED_OR_BREAK = re.compile(rf"{ESCAPE.pattern}|{LINE_BREAK.pattern}", re.DOTALL)
SPECIAL = re.compile(r"[\\\]]")
COLON = re.compile(r"((?:[^\\:]|\\.)*+):", re.DOTALL)
REAL = re.compile(r"[+-]?\d{1,25}(\.\d{1,25})?", re.ASCII)
INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


@dataclass
class Property:
    """A name with at least one raw value: the text between the brackets, escapes included."""

    name: str
    values: list[str]

    def __str__(self) -> str:
        return self.name + "".join(f"[{value}]" for value in self.values)


@dataclass
class ParsedNode:
    """A node as the parser finds it: the number of its parent among the nodes of its game, and its properties."""

    parent: int | None
    properties: list[Property] = field(default_factory=list)


class WritableNode(Protocol):
    """The interface of a node that the writer needs."""

    @property
    def properties(self) -> Sequence[Property]:
        """The properties in order."""

    @property
    def children(self) -> Sequence[WritableNode]:
        """The nodes below it, the main line first."""


# Parser


def parse_sgf(text: str, faults: FaultCollector) -> list[list[ParsedNode]]:
    """Return the nodes of every game of a text, parents before children, at least one per game.

    Raises RecordError for the first fault, unless `faults` collects them, and for a text without a game.
    """
    parser = SgfParser(text, faults)
    while parser.offset < len(text):
        parser.parse_part()
    parser.close()
    if not parser.games:
        raise RecordError("no game found; an SGF game begins with (;", *faults.source_map.locate(0))
    return parser.games


class SgfParser:
    """Parses a text part by part: brackets, nodes, properties."""

    def __init__(self, text: str, faults: FaultCollector) -> None:
        self.text = text
        self.faults = faults
        self.offset = 0
        self.num_parts = 0
        self.games: list[list[ParsedNode]] = []
        self.node: int | None = None  # number of the last node; None before the first of a game
        self.open_trees: list[tuple[int, int | None]] = []  # offset of each open ( and the number of the node before it
        self.expects_node = False  # right after a (, when only a node may follow
        self.follows_variation = False  # right after a ), when only another tree may follow
        self.skip_space()

    def skip_space(self) -> None:
        """Skip blanks between parts."""
        if match := SPACE.match(self.text, self.offset):
            self.offset = match.end()

    def parse_part(self) -> None:
        """Parse the next part and skip the blanks after it."""
        letter = self.text[self.offset]
        if letter == "(":
            self.begin_tree()
        elif not self.open_trees:
            self.skip_outside()
        elif letter == ")":
            self.end_tree()
        elif letter == ";":
            self.parse_node()
        elif letter == "[":
            self.drop_value()
        elif NAME.match(self.text, self.offset):
            self.parse_property()
        else:
            self.drop(JUNK, "unexpected text; expected a node (;) or a property name in capital letters")
        self.skip_space()

    def begin_tree(self) -> None:
        """Begin a game, or a variation of the last node."""
        if self.expects_node:
            self.faults.add(self.offset, "a game tree must begin with a node: expected ; after (")
        self.open_trees.append((self.offset, self.node))
        self.offset += 1
        self.expects_node, self.follows_variation = True, False

    def end_tree(self) -> None:
        """End a tree: go back to the node before its (."""
        if self.expects_node:
            self.faults.add(self.offset, "this game tree has no node")
        self.offset += 1
        _, self.node = self.open_trees.pop()
        self.expects_node, self.follows_variation = False, bool(self.open_trees)

    def parse_node(self) -> None:
        """Begin a node after the last one."""
        if self.follows_variation:
            self.faults.add(self.offset, "a node must not follow a variation; recovery reads it as a further variation")
        self.offset += 1
        self.append_node()

    def append_node(self) -> ParsedNode:
        """Append a node below the last one, or as the root of a new game."""
        self.count_part()
        if self.node is None:
            self.games.append([])
        nodes = self.games[-1]
        nodes.append(ParsedNode(self.node))
        self.node = len(nodes) - 1
        self.expects_node = self.follows_variation = False
        return nodes[-1]

    def parse_property(self) -> None:
        """Parse a name and its values into the last node."""
        start = self.offset
        name = NAME.match(self.text, start)
        assert name is not None
        self.offset = name.end()
        values = self.parse_values()
        if not values:
            self.faults.add(start, f"property {name[0][:40]} has no value; expected [value]", self.text[start : name.end()])
            return
        node = self.find_node(start)
        self.count_part()
        node.properties.append(Property(name[0], values))

    def find_node(self, offset: int) -> ParsedNode:
        """Return the node of a property at an offset; add one if a tree begins without."""
        if self.expects_node or self.node is None:
            self.faults.add(offset, "a property must be inside a node; expected ; before it")
            return self.append_node()
        if self.follows_variation:
            self.faults.add(
                offset, "a property must not follow a variation; recovery adds it to the node before the variation"
            )
        return self.games[-1][self.node]

    def parse_values(self) -> list[str]:
        """Parse all values that follow; one without its end extends to the end of the text and is dropped."""
        values = []
        self.skip_space()
        while self.text.startswith("[", self.offset):
            match = VALUE.match(self.text, self.offset)
            if match is None:
                self.drop_rest()
                break
            self.count_part()
            values.append(match[1])
            self.offset = match.end()
            self.skip_space()
        return values

    def drop_value(self) -> None:
        """Drop a value without a name."""
        match = VALUE.match(self.text, self.offset)
        if match is None:
            self.drop_rest()
            return
        self.faults.add(self.offset, "value without a property name", match[0])
        self.offset = match.end()

    def drop_rest(self) -> None:
        """Drop a value that the end of the text cuts off."""
        self.faults.add(self.offset, "unterminated value: missing ]", self.text[self.offset :])
        self.offset = len(self.text)

    def skip_outside(self) -> None:
        """Drop text before, between or after games."""
        is_bracket = self.text[self.offset] == ")"
        message = "unmatched )" if is_bracket else "text outside a game; a game begins with (;"
        self.drop(OUTSIDE, message)

    def drop(self, junk: re.Pattern[str], message: str) -> None:
        """Drop the text that a pattern matches here, with a fault."""
        match = junk.match(self.text, self.offset)
        assert match is not None
        self.faults.add(self.offset, message, match[0].rstrip())
        self.offset = match.end()

    def close(self) -> None:
        """Report the brackets that the end of the text leaves open."""
        if self.open_trees:
            count = len(self.open_trees)
            message = "missing ) for this (" if count == 1 else f"missing ) for {count} game trees; this is the last one"
            self.faults.add(self.open_trees[-1][0], message)

    def count_part(self) -> None:
        """Count a node, property or value. Raises RecordError beyond the limit."""
        self.num_parts += 1
        if self.num_parts > MAX_PARTS:
            message = f"file too large: at most {MAX_PARTS:,} nodes, properties and values are allowed"
            raise RecordError(message, *self.faults.source_map.locate(self.offset))


# Writer


def format_sgf(roots: Sequence[WritableNode]) -> str:
    """Return games as SGF: a line for each node, variations in brackets."""
    return "\n".join("".join(iter_sgf(root)) for root in roots) + "\n"


def iter_sgf(root: WritableNode) -> Iterator[str]:
    """Yield the SGF of a game in parts, without recursion."""
    pending: list[WritableNode | str] = [")", root, "("]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
            continue
        yield ";" + "".join(map(str, part.properties))
        if len(part.children) == 1:
            pending += [part.children[0], "\n"]
        else:
            for child in reversed(part.children):
                pending += [")", child, "\n("]


# Raw values


def parse_text(raw: str) -> str:
    """Return the text of a raw value: without escapes and escaped line breaks; others become newlines."""
    return ESCAPED_OR_BREAK.sub(replace_escape, raw)


def replace_escape(match: re.Match[str]) -> str:
    """Return the text of an escape or a line break."""
    if match[1] is None:
        return "\n"
    return "" if LINE_BREAK.fullmatch(match[1]) else match[1]


def parse_line(raw: str) -> str:
    """Return the text of a raw value as one line: line breaks become blanks."""
    return LINE_BREAK.sub(" ", ESCAPE.sub(replace_escape, raw))


def format_text(text: str) -> str:
    """Return the raw value of a text, which may have several lines."""
    return SPECIAL.sub(r"\\\g<0>", LINE_BREAK.sub("\n", text))


def format_line(text: str) -> str:
    """Return the raw value of a text as one line."""
    return format_text(LINE_BREAK.sub(" ", text))


def parse_pair(raw: str) -> tuple[str, str]:
    """Return both parts of a composed value. Raises ValueError if it has no colon."""
    match = COLON.match(raw)
    if match is None:
        raise ValueError("missing colon; expected two parts such as a1:label")
    return parse_line(match[1]), parse_line(raw[match.end() :])


def format_pair(first: str, second: str) -> str:
    """Return the composed raw value of two texts; colons within them are escaped."""
    return ":".join(format_line(part).replace(":", "\\:") for part in (first, second))


def parse_number(raw: str) -> float:
    """Return the number of a raw value. Raises ValueError if it has more digits than a float keeps."""
    text = raw.strip()
    if not REAL.fullmatch(text) or Decimal(text) != Decimal(repr(float(text))):
        raise ValueError("expected a number such as 12.5")
    return float(text)


def format_number(number: float) -> str:
    """Return a number without an exponent, which SGF does not have. Raises ValueError if that takes too many digits."""
    text = f"{Decimal(repr(number)).normalize() + 0:f}" if isfinite(number) else ""
    if not REAL.fullmatch(text):
        raise ValueError(
            f"number {number} has too many digits: at most 25 before and 25 after the decimal point are allowed"
        )
    return text


def parse_integer(raw: str) -> int:
    """Return the integer of a raw value. Raises ValueError."""
    if not INTEGER.fullmatch(raw.strip()):
        raise ValueError("expected an integer")
    return int(raw)


def format_integer(number: int) -> str:
    """Return an integer as text. Raises ValueError if it could not be read back."""
    if not INTEGER.fullmatch(str(number)):
        raise ValueError(f"integer {number} has too many digits: at most 18 are allowed")
    return str(number)
