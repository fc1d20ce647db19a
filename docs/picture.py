"""Draws the pictures of the README and of the documentation site.

    python docs/picture.py

docs/game.gif is a game of Cube Lariat from the first move to the last; docs/picture.svg has a game in progress on each of
the two solids.
"""

from __future__ import annotations

import random
from pathlib import Path

import ropewalk
from ropewalk import Position
from ropewalk.diagrams import AnimationTiming, DiagramOptions, animate_gif
from ropewalk.diagrams.diagram import Diagram
from ropewalk.games.sequence import MoveSequence

TITLE = "A game of Lariat on its cylinder and one of Cube Lariat on its cube"
HEIGHT = 460
GAP = 40
MOVES = """
DR2 BL2 UF2 Dd2 Rb1 Ra3 Fd1 Ra1 Ra2 Fc4 Fb4 Rb2 Ra1' Fc3 Fb3 Fb2 Fc2 Fb2' La2 Rc1 Uc1 Dd3 Fd3 Fd4 Dd1 Dc1 Fb1
Fa1 Da1 Fb1' Fc1 La1 Lb1 Fa3 La4 Da2 DL1 La3 Lb3 Fa4 Fa2 Fa2' Ua1 Lb2 Lc2 Lb4 La3' Lc1 Lb1' Fd2 DR1 Uc2 Ub1
Db1 DF1 Ua2' Lc3
"""  # level 4 of cube-lariat-4 against itself, seed 1
GIF_SIZE = 300  # pixels
MOVES_PER_FRAME = 4
FIRST_YAW, DEGREES_PER_MOVE = -40.0, 1.6  # the stones are on faces that these angles show


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


def moving_picture() -> bytes:
    """Return the game as a GIF."""
    moves = MOVES.split()
    shown = [*range(1, len(moves), MOVES_PER_FRAME), len(moves)]
    options = DiagramOptions(view="solid", size=GIF_SIZE, yaw=FIRST_YAW, coordinates="none", caption=False)
    return animate_gif(ropewalk.game("cube-lariat-4").start(), moves, options, AnimationTiming(0.6, DEGREES_PER_MOVE, shown))


if __name__ == "__main__":
    Path(__file__).with_name("game.gif").write_bytes(moving_picture())
    Path(__file__).with_name("picture.svg").write_text(picture(), encoding="utf-8")
