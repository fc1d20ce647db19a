"""Draw the README's picture: a game under way on each of the two solids, from the boards' own outlines.

python docs/picture.py
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ropewalk
from ropewalk import Position
from ropewalk.boards import Board

Points = NDArray[np.float64]

LIGHT = np.array([0.35, -0.55, 0.76])
COLOURS = {"": (232, 220, 196), "b": (52, 54, 62), "w": (250, 250, 247)}
MARKED = (214, 92, 74)  # nuclear cells and the centre, while nobody has claimed them
SCALE = 300


def turned(points: Points, turn: float, tilt: float) -> Points:
    """The points as seen from somewhere above: x to the right, y up, z towards the viewer."""
    across = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    down = np.array([[1, 0, 0], [0, np.sin(tilt), np.cos(tilt)], [0, -np.cos(tilt), np.sin(tilt)]])
    seen: Points = points @ across.T @ down.T
    return seen


def facets(board: Board, cell: int) -> list[Points]:
    """A cell's surface: the fan of triangles from its centre to its outline."""
    outline, centre = board.outlines[cell], board.centres[cell]
    following = np.roll(outline, -1, axis=0)
    return [np.array([centre, point, after]) for point, after in zip(outline, following, strict=True)]


def normal(facet: Points) -> Points:
    """The direction a facet looks in."""
    across: Points = np.cross(facet[1] - facet[0], facet[2] - facet[0])
    return across / np.linalg.norm(across)


def path(points: Points, closed: bool = True) -> str:
    """Points as the commands of an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def solid(position: Position, left: float, turn: float, tilt: float) -> list[str]:
    """Everything of a board that faces the viewer."""
    board, contents = position.game.board, position.contents
    marked = {*board.marks.get("nuclear", ()), *board.marks.get("centre", ())}
    everything = turned(np.concatenate(board.outlines), turn, tilt)[:, :2]
    middle = (everything.max(axis=0) + everything.min(axis=0)) / 2
    zoom = SCALE / (everything.max(axis=0) - everything.min(axis=0)).max()

    def placed(points: Points) -> Points:
        shown: Points = (turned(points, turn, tilt)[:, :2] - middle) * zoom * [1, -1] + [left, SCALE / 2 + 20]
        return shown

    drawn = []
    for cell, name in enumerate(board.names):
        token = contents.get(name, "")
        colour = np.array(MARKED if cell in marked and not token else COLOURS[token])
        visible = [facet for facet in facets(board, cell) if normal(turned(facet, turn, tilt))[2] > 0.02]
        for facet in visible:
            shade = 0.62 + 0.38 * max(0.0, float(normal(facet) @ LIGHT))
            red, green, blue = (int(part * shade) for part in colour)
            fill = f"#{red:02x}{green:02x}{blue:02x}"
            drawn.append(f'<path d="{path(placed(facet))}" fill="{fill}" stroke="{fill}" stroke-width=".6"/>')
    for cell in range(len(board)):
        for facet in facets(board, cell):
            if normal(turned(facet, turn, tilt))[2] > 0.02:
                edge = path(placed(facet[1:]), closed=False)
                drawn.append(f'<path d="{edge}" stroke="#7d6f58" stroke-width=".9" fill="none"/>')
    return drawn


def partly(spec: str, seed: int, stones: int) -> Position:
    """A random game after so many stones."""
    position, chance = ropewalk.game(spec).start(), random.Random(seed)
    for _ in range(stones):
        position = position.play(chance.choice([move for move in position.moves() if move != "swap"]))
    return position


def picture() -> str:
    """Lariat's cylinder and Cube Lariat's cube side by side."""
    shapes = [
        *solid(partly("lariat-2x10", 3, 60), 190, 0.3, 0.42),
        *solid(partly("cube-lariat-4", 5, 70), 540, 0.6, 0.55),
    ]
    size = f'viewBox="0 0 740 {SCALE + 40}" width="740" height="{SCALE + 40}"'
    title = "<title>A game of Lariat on its cylinder and one of Cube Lariat on its cube</title>"
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', title, *shapes, "</svg>", ""])


if __name__ == "__main__":
    Path(__file__).with_name("picture.svg").write_text(picture(), encoding="utf-8")
