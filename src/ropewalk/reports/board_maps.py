"""Maps of a report: the values of first moves on the board, drawn as diagrams for light and for dark pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..diagrams.diagram import draw
from ..diagrams.options import DiagramOptions
from ..games.game import Game
from ..games.registry import game as game_of

MAP_SIZE = 640
THEMES = ("light", "dark")
ID_REFERENCE = re.compile(r'(\bid="|url\(#|href="#)')
CELL_END = re.compile(r"[^-/x]+$")
SWAP_MARK = "square"


def draw_value_map(first_moves: Mapping[str, Any]) -> str:
    """Return the board with the value of every first move, in both themes."""
    game = game_of(first_moves["spec"])
    return draw_both_themes(game, "values", DiagramOptions(heat=map_cells(game, first_moves), size=MAP_SIZE, caption=False))


def draw_swap_map(first_moves: Mapping[str, Any]) -> str:
    """Return the board with a mark on every first move that the second player takes over, in both themes."""
    game = game_of(first_moves["spec"])
    swapped = set(first_moves["pie"]["swapped"])
    moves = [move for row in first_moves["moves"] if row["moves"][0] in swapped for move in row["moves"]]
    marks = dict.fromkeys((find_cell(game, move) for move in moves), SWAP_MARK)
    return draw_both_themes(game, "swaps", DiagramOptions(marks=marks, size=MAP_SIZE, caption=False))


def map_cells(game: Game, first_moves: Mapping[str, Any]) -> dict[str, float]:
    """Return the value of each cell: that of the best first move which goes there."""
    heat: dict[str, float] = {}
    for row in first_moves["moves"]:
        for move in row["moves"]:
            cell = find_cell(game, move)
            heat[cell] = max(heat.get(cell, 0.0), row["value"])
    return dict(sorted(heat.items()))


def find_cell(game: Game, move: str) -> str:
    """Return the cell of a move: the cell that it names, or the one at which it ends."""
    if move in game.board.index:
        return move
    found = CELL_END.search(move)
    cell = found[0] if found else ""
    return cell if cell in game.board.index else game.board.names[0]


def draw_both_themes(game: Game, name: str, options: DiagramOptions) -> str:
    """Return a diagram of the start position twice; the style of the page shows the one that fits."""
    parts = []
    for theme in THEMES:
        svg = draw(game.start(), replace(options, theme=theme))
        svg = svg[svg.index("<svg") :].strip()
        unique = ID_REFERENCE.sub(rf"\g<1>{name}-{theme}-", svg)
        parts.append(f'<div class="map {theme}">{unique}</div>')
    return "\n".join(parts)
