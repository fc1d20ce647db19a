"""Positions to draw, and functions that read SVG pictures."""

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


def list_views(spec: str) -> tuple[str, str]:
    """Return the views of a game."""
    return ("flat", "solid" if spec.startswith(SOLID) else "table")


EVERY_VIEW = [(spec, view) for spec in BOARDS for view in list_views(spec)]


@cache
def play_random_moves(spec: str, steps: int, seed: int = 5) -> tuple[Position, tuple[str, ...]]:
    """Return the position after random moves that do not end the game, and the moves."""
    position, rng = ropewalk.game(spec).start(), random.Random(seed)
    moves: list[str] = []
    while len(moves) < steps:
        move = rng.choice([move for move in position.moves() if move != "swap"])
        after = position.play(move)
        if after.outcome is not None:
            break
        position = after
        moves.append(move)
    return position, tuple(moves)


def build_midgame(spec: str) -> Position:
    return play_random_moves(spec, BOARDS[spec])[0]


@cache
def play_to_end(spec: str, seed: int = 4) -> Position:
    """Return the final position of a random game."""
    position, rng = ropewalk.game(spec).start(), random.Random(seed)
    while position.outcome is None:
        position = position.play(rng.choice([move for move in position.moves() if move != "swap"]))
    return position


def build_diagram(position: Position, style: DiagramOptions, moves: tuple[str, ...] = ()) -> Diagram:
    """Return a diagram with all layers drawn."""
    diagram = Diagram(MoveSequence.play(position, moves), style)
    diagram.draw_layers()
    return diagram


def parse_svg(svg: str) -> Xml.Element:
    return Xml.fromstring(svg)


def list_values(picture: Xml.Element, name: str) -> list[str]:
    """Return the values of an attribute, in the order of the picture."""
    return [element.attrib[name] for element in picture.iter() if name in element.attrib]


def find_layer(picture: Xml.Element, name: str) -> list[Xml.Element]:
    """Return the elements of a layer."""
    return [element for group in picture if group.get("data-layer") == name for element in group]


def list_corners(path: str) -> Iterator[tuple[float, float]]:
    """Yield the points of a path of straight lines."""
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path):
        yield float(x), float(y)
