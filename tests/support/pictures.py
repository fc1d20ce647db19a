"""Positions to draw, and queries on the contents of diagrams."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as Xml

import ropewalk
from ropewalk.diagrams import DiagramOptions
from ropewalk.diagrams.diagram import Diagram
from ropewalk.games.position import Position
from ropewalk.games.sequence import MoveSequence

SVG = "{http://www.w3.org/2000/svg}"

BOARDS = {  # spec: stones or steps of a game that is well under way
    "lariat-1x6": 16,
    "lariat-2x10": 60,
    "cube-lariat-2": 18,
    "cube-lariat-4": 80,
    "tether-5": 9,
    "tether-13": 80,
    "laocoon-weave": 60,
    "liger-4": 5,
    "liger-8": 40,
}
SOLID = ("lariat", "cube")


def views(spec: str) -> tuple[str, str]:
    """Return the views of a game."""
    return ("flat", "solid" if spec.startswith(SOLID) else "table")


EVERY_VIEW = [(spec, view) for spec in BOARDS for view in views(spec)]


@cache
def played(spec: str, steps: int, seed: int = 5) -> tuple[Position, tuple[str, ...]]:
    """Return a random unfinished game and its moves."""
    position, chance = ropewalk.game(spec).start(), random.Random(seed)
    moves: list[str] = []
    while len(moves) < steps:
        move = chance.choice([move for move in position.moves() if move != "swap"])
        after = position.play(move)
        if after.outcome is not None:
            break
        position = after
        moves.append(move)
    return position, tuple(moves)


def midgame(spec: str) -> Position:
    return played(spec, BOARDS[spec])[0]


@cache
def finished(spec: str, seed: int = 4) -> Position:
    """Return a random game played to its end."""
    position, chance = ropewalk.game(spec).start(), random.Random(seed)
    while position.outcome is None:
        position = position.play(chance.choice([move for move in position.moves() if move != "swap"]))
    return position


def drawing(position: Position, style: DiagramOptions, moves: tuple[str, ...] = ()) -> Diagram:
    """Return a drawn diagram."""
    made = Diagram(MoveSequence.play(position, moves), style)
    made.draw_layers()
    return made


def parsed(svg: str) -> Xml.Element:
    return Xml.fromstring(svg)


def values(picture: Xml.Element, name: str) -> list[str]:
    """Return the values of an attribute, in document order."""
    return [element.attrib[name] for element in picture.iter() if name in element.attrib]


def layer(picture: Xml.Element, name: str) -> list[Xml.Element]:
    """Return the contents of a layer."""
    return [element for group in picture if group.get("data-layer") == name for element in group]


def corners(path: str) -> Iterator[tuple[float, float]]:
    """Return the points of a path of straight lines."""
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path):
        yield float(x), float(y)
