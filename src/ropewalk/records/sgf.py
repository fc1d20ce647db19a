"""The grammar of SGF: trees of nodes with raw values, read without recursion and without loss.

A raw value is what stands between the brackets, escapes and line breaks included. What it means is no concern of this
module, so what nobody understands comes out as it went in. Libraries that read SGF put properties into another order,
join those that are said twice, and tell no line and column; hence a parser of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .errors import FaultCollector, RecordError
from .node import Node, Property

MAX_PARTS = 1_000_000  # nodes, properties and values of a file

SPACE = re.compile(r"[\s\ufeff]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*+", re.ASCII)
VALUE = re.compile(r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
JUNK = re.compile(r"[^();\[A-Za-z]++", re.ASCII)  # up to something that may begin a part
OUTSIDE = re.compile(r"[^(]++")  # the same between two games


def parse_sgf(text: str, faults: FaultCollector) -> list[Node]:
    """The root of every game in a text; faults go to `faults`."""
    reader = SgfParser(text, faults)
    while reader.offset < len(text):
        reader.parse_part()
    reader.close()
    if not reader.roots:
        raise RecordError("there is no game: one begins with (;", *faults.source_map.locate(0))
    return reader.roots


class SgfParser:
    """Reads a text part by part and hangs each part where it belongs."""

    def __init__(self, text: str, faults: FaultCollector) -> None:
        self.text = text
        self.faults = faults
        self.offset = 0
        self.parts = 0
        self.roots: list[Node] = []
        self.node: Node | None = None  # the last one; None before the first of a game
        self.open: list[tuple[int, Node | None]] = []  # where each open ( stands, and the node before it
        self.fresh = False  # right after a (, when only a node may come
        self.closed = False  # right after a ), when only another tree may come
        self.skip_space()

    def skip_space(self) -> None:
        """Blanks between parts mean nothing."""
        if found := SPACE.match(self.text, self.offset):
            self.offset = found.end()

    def parse_part(self) -> None:
        """Read whatever comes next, and the blanks after it."""
        letter = self.text[self.offset]
        if letter == "(":
            self.begin_tree()
        elif not self.open:
            self.skip_outside()
        elif letter == ")":
            self.end_tree()
        elif letter == ";":
            self.add_node()
        elif letter == "[":
            self.drop_value()
        elif NAME.match(self.text, self.offset):
            self.add_property()
        else:
            self.drop(JUNK, "this can begin neither a node nor a property")
        self.skip_space()

    def begin_tree(self) -> None:
        """A game, or a variation of the last node."""
        if self.fresh:
            self.faults.add(self.offset, "a tree begins with a node, so ; must follow (")
        self.open.append((self.offset, self.node))
        self.offset += 1
        self.fresh, self.closed = True, False

    def end_tree(self) -> None:
        """Back to the node before its (."""
        if self.fresh:
            self.faults.add(self.offset, "this tree has no node")
        self.offset += 1
        _, self.node = self.open.pop()
        self.fresh, self.closed = False, bool(self.open)

    def add_node(self) -> None:
        """A node after the last one."""
        if self.closed:
            self.faults.add(self.offset, "a node cannot follow a variation; it is read as a variation of its own")
        self.offset += 1
        self.hang()

    def hang(self) -> None:
        """A new node, below the last one if there is any."""
        self.count()
        self.node = Node(self.node)
        if self.node.parent is None:
            self.roots.append(self.node)
        self.fresh = self.closed = False

    def add_property(self) -> None:
        """A name and its values."""
        start = self.offset
        name = NAME.match(self.text, start)
        assert name is not None
        self.offset = name.end()
        values = self.parse_values()
        if not values:
            self.faults.add(start, f"property {name[0][:40]} has no value in brackets", self.text[start : name.end()])
            return
        if self.fresh or self.node is None:
            self.faults.add(start, "a property stands in a node, which begins with ;")
            self.hang()
        elif self.closed:
            self.faults.add(start, "a property cannot follow a variation; it is read into the node before")
        self.count()
        assert self.node is not None
        self.node.properties.append(Property(name[0], values))

    def parse_values(self) -> list[str]:
        """All values that follow; one without its end takes the rest of the text with it."""
        values = []
        self.skip_space()
        while self.text.startswith("[", self.offset):
            found = VALUE.match(self.text, self.offset)
            if found is None:
                self.drop_rest()
                break
            self.count()
            values.append(found[1])
            self.offset = found.end()
            self.skip_space()
        return values

    def drop_value(self) -> None:
        """A value without a name."""
        found = VALUE.match(self.text, self.offset)
        if found is None:
            self.drop_rest()
            return
        self.faults.add(self.offset, "a value needs the name of a property before it", found[0])
        self.offset = found.end()

    def drop_rest(self) -> None:
        """A value that the end of the text cuts off."""
        self.faults.add(self.offset, "this value has no end: ] is missing", self.text[self.offset :])
        self.offset = len(self.text)

    def skip_outside(self) -> None:
        """What stands before, between or after games."""
        message = (
            "this bracket closes nothing"
            if self.text[self.offset] == ")"
            else "this belongs to no game, which begins with (;"
        )
        self.drop(OUTSIDE, message)

    def drop(self, junk: re.Pattern[str], message: str) -> None:
        """Leave out what makes no sense."""
        found = junk.match(self.text, self.offset)
        assert found is not None
        self.faults.add(self.offset, message, found[0].rstrip())
        self.offset = found.end()

    def close(self) -> None:
        """Close what the end of the text leaves open."""
        if self.open:
            message = (
                "this bracket is never closed" if len(self.open) == 1 else f"{len(self.open)} brackets are never closed"
            )
            self.faults.add(self.open[-1][0], message)

    def count(self) -> None:
        """Refuse a text of more parts than memory is meant for."""
        self.parts += 1
        if self.parts > MAX_PARTS:
            message = f"a file holds at most {MAX_PARTS:,} nodes, properties and values"
            raise RecordError(message, *self.faults.source_map.locate(self.offset))


def format_sgf(roots: Sequence[Node]) -> str:
    """Games as text: a line a node, variations in brackets."""
    return "\n".join("".join(iter_sgf(root)) for root in roots) + "\n"


def iter_sgf(root: Node) -> Iterator[str]:
    """A game's text in pieces, without recursion."""
    pending: list[Node | str] = [")", root, "("]
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
