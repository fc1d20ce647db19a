"""Draws the picture of the README: a game in progress on each of the two solids.

python docs/picture.py
"""

from __future__ import annotations

import random
from pathlib import Path

import ropewalk
from ropewalk import Position
from ropewalk.diagrams import DiagramOptions
from ropewalk.diagrams.diagram import Diagram
from ropewalk.games.sequence import MoveSequence

TITLE = "A game of Lariat on its cylinder and one of Cube Lariat on its cube"
HEIGHT = 460
GAP = 40


def partly(spec: str, seed: int, stones: int) -> Position:
    """Return a position after the given number of random stones."""
    position, chance = ropewalk.game(spec).start(), random.Random(seed)
    for _ in range(stones):
        position = position.play(chance.choice([move for move in position.moves() if move != "swap"]))
    return position


def drawings() -> list[Diagram]:
    """Return the diagrams of the cylinder and the cube."""
    style = DiagramOptions(view="solid", size=HEIGHT, coordinates="none", caption=False)
    positions = [partly("lariat-2x10", 3, 64), partly("cube-lariat-4", 5, 74)]
    return [Diagram(MoveSequence.play(position, ()), style) for position in positions]


def picture() -> str:
    """Return both diagrams side by side as one SVG."""
    drawn, definitions, groups, left = drawings(), {}, [], GAP
    for drawing in drawn:
        drawing.draw_layers()
        definitions |= drawing.writer.definitions
        layers = [line for layer in drawing.writer.layers.values() for line in layer if not line.startswith("<rect")]
        groups += [f'<g transform="translate({left} {(HEIGHT - drawing.page.height) / 2 + GAP / 2:g})">', *layers, "</g>"]
        left += drawing.page.width + 2 * GAP
    width, height = left - GAP, HEIGHT + GAP
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" stroke-linejoin="round" stroke-linecap="round">',
        f"<title>{TITLE}</title>",
        "<defs>", *definitions.values(), "</defs>",
        f'<rect width="{width}" height="{height}" rx="12" fill="{drawn[0].theme.colours["paper"]}"/>',
        *groups, "</svg>", "",
    ])  # fmt: skip


if __name__ == "__main__":
    Path(__file__).with_name("picture.svg").write_text(picture(), encoding="utf-8")
