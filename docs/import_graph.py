"""Draws which packages import which, from the imports of the code: docs/imports.svg and docs/server-imports.svg.

`make figures` writes both. An arrow leads from a package to one that it imports, at its top or within a function. An import
that a longer way of arrows implies is left out. Packages that import each other share a box.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
HELPERS = {"errors", "text", "atomic_file", "paths", "bootstrap", "plugins", "progress", "__main__"}  # imported everywhere
ROW_HEIGHT, BOX_HEIGHT, GAP, MARGIN, LETTER = 84, 34, 26, 24, 8.2  # pixels
MAX_WIDTH = 900
STYLE = 'font-family="system-ui, sans-serif" font-size="14"'

Edges = Mapping[str, set[str]]
Box = tuple[str, ...]  # the packages of a box: one, or several that import each other


def load_census() -> Any:
    """Import benchmarks/census.py, which reads the imports."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from benchmarks import census

    return census


def read_edges() -> dict[str, set[str]]:
    """Return the imports between the packages of the program, without the helpers."""
    census = load_census()
    edges = census.package_edges(census.load_modules(ROOT))
    names = {*edges, *set().union(*edges.values())} - HELPERS
    return {name: {target for target in edges.get(name, ()) if target in names} for name in names}


def read_server_edges() -> dict[str, set[str]]:
    """Return the imports between the folders of the server, its own modules and packages outside left out."""
    census = load_census()
    modules = census.load_modules(ROOT)
    folders = {path.name for path in (ROOT / "src" / "ropewalk" / "server").iterdir() if (path / "__init__.py").is_file()}
    edges: dict[str, set[str]] = {folder: set() for folder in folders}
    for module in modules.values():
        source = module.name.split(".")[1:3]
        for found in census.list_imports(module, modules) if source[:1] == ["server"] else ():
            target = found.target.split(".")[1:3]
            if len(source) == len(target) == 2 and target[0] == "server" and {source[1], target[1]} <= folders:
                edges[source[1]] |= {target[1]} - {source[1]}
    return edges


def find_reachable(start: str, edges: Edges) -> set[str]:
    """Return what a package imports, directly or not."""
    reached: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += edges[name]
    return reached


def join_cycles(edges: Edges) -> dict[Box, set[Box]]:
    """Return the graph of boxes: packages that import each other, directly or not, are one."""
    reachable = {name: find_reachable(name, edges) for name in edges}
    box = {name: tuple(sorted({name} | {other for other in reachable[name] if name in reachable[other]})) for name in edges}
    joined: dict[Box, set[Box]] = {each: set() for each in box.values()}
    for name, targets in edges.items():
        joined[box[name]] |= {box[target] for target in targets} - {box[name]}
    return joined


def reduce_edges(boxes: Mapping[Box, set[Box]]) -> dict[Box, set[Box]]:
    """Leave out each edge that a longer way implies."""

    def reach(box: Box) -> set[Box]:
        return set().union(*({target} | reach(target) for target in boxes[box]))

    return {
        box: {end for end in ends if not any(end in reach(other) for other in ends - {end})} for box, ends in boxes.items()
    }


def rank_boxes(boxes: Mapping[Box, set[Box]]) -> list[list[Box]]:
    """Return the rows from the top to the bottom: a box is above all that it imports."""
    ranks: dict[Box, int] = {}

    def rank(box: Box) -> int:
        if box not in ranks:
            ranks[box] = 1 + max((rank(target) for target in boxes[box]), default=-1)
        return ranks[box]

    rows: list[list[Box]] = [[] for _ in range(1 + max(map(rank, boxes)))]
    for box in sorted(boxes):
        rows[ranks[box]].append(box)
    return rows[::-1]


def place(rows: Iterable[list[Box]], boxes: Mapping[Box, set[Box]]) -> dict[Box, tuple[float, float, float]]:
    """Return centre and width of each box; a box stands near the middle of those that import it."""
    places: dict[Box, tuple[float, float, float]] = {}
    for number, row in enumerate(rows):
        above = {box: [places[other][0] for other in places if box in boxes[other]] for box in row}
        ordered = sorted(row, key=lambda box: (sum(above[box]) / len(above[box]) if above[box] else MAX_WIDTH / 2, box))
        widths = [LETTER * len(", ".join(box)) + 24 for box in ordered]
        left = (MAX_WIDTH - sum(widths) - GAP * (len(widths) - 1)) / 2
        for box, width in zip(ordered, widths, strict=True):
            places[box] = (left + width / 2, MARGIN + BOX_HEIGHT / 2 + number * ROW_HEIGHT, width)
            left += width + GAP
    return places


def draw_graph(edges: Edges, title: str) -> str:
    """Return the graph as SVG."""
    boxes = reduce_edges(join_cycles(edges))
    rows = rank_boxes(boxes)
    places = place(rows, boxes)
    height = 2 * MARGIN + (len(rows) - 1) * ROW_HEIGHT + BOX_HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {MAX_WIDTH} {height}" width="{MAX_WIDTH}" height="{height}" '
        f'role="img" {STYLE}>',
        f"<title>{title}</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
        f'<rect width="{MAX_WIDTH}" height="{height}" rx="12" fill="#fbfaf7"/>',
    ]
    for box in sorted(boxes):
        x, y, _ = places[box]
        for target in sorted(boxes[box]):
            end_x, end_y, _ = places[target]
            top, bottom = y + BOX_HEIGHT / 2, end_y - BOX_HEIGHT / 2
            bend = (bottom - top) / 2
            path = f"M{x:.0f} {top:.0f}C{x:.0f} {top + bend:.0f} {end_x:.0f} {bottom - bend:.0f} {end_x:.0f} {bottom:.0f}"
            lines.append(f'<path d="{path}" fill="none" stroke="#8c959f" stroke-width="1.3" marker-end="url(#head)"/>')
    for box, (x, y, width) in sorted(places.items()):
        corner = f'x="{x - width / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}"'
        lines.append(f'<rect {corner} width="{width:.0f}" height="{BOX_HEIGHT}" rx="7" fill="#fff" stroke="#57606a"/>')
        lines.append(f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="#1f2328">{", ".join(box)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def draw_packages() -> str:
    """Return docs/imports.svg."""
    return draw_graph(read_edges(), "Imports between the packages of Ropewalk")


def draw_server() -> str:
    """Return docs/server-imports.svg."""
    return draw_graph(read_server_edges(), "Imports between the folders of the server")
