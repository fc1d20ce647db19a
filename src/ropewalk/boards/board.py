"""The Board class: names, adjacency, geometry and symmetries of the cells of one surface.

Cells are numbered from 0. On flat boards, column k of `neighbours` is a fixed direction. On the cylinder and the cube,
the columns are a counter-clockwise cycle of neighbours, with NO_CELL only after the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from .geometry import NO_CELL, BoardShape, Cells, Points, readonly_cells
from .symmetry import map_automorphisms, square_symmetries

__all__ = ["NO_CELL", "Adjacency", "Board", "TextCell"]

Adjacency = Literal["edge", "corner"]
TextCell = tuple[int, int, int]  # line, column, cell


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Cells 0 to len(board) - 1 of one surface.

    Each kind and size is built once and shared; all arrays are read-only. Degrees, shape and symmetries are computed on
    first access.
    """

    kind: str  # 'cylinder', 'cube', 'rhombus', 'squares' or 'dark squares'
    size: tuple[int, ...]
    names: tuple[str, ...]
    neighbours: Cells  # [cells, columns]: neighbours in order, NO_CELL where there is none
    adjacency: Adjacency  # what the outlines of two neighbours share: an edge, or at least a corner
    directions: tuple[str, ...]  # names of the columns of `neighbours` on a flat board, else empty
    marked_cells: Mapping[str, tuple[int, ...]]  # sets of cells that rules refer to, by name
    rows: tuple[tuple[int, ...], ...]  # every cell once, in the order of the one-line position text
    text_layout: tuple[TextCell, ...]  # characters of the drawn board; a cell that the net cuts has several
    build_shape: Callable[[Board], BoardShape]  # computes `shape`

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<{self.kind} {'x'.join(map(str, self.size))}: {len(self)} cells>"

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Cell numbers by name."""
        return {name: cell for cell, name in enumerate(self.names)}

    def cell(self, name: str) -> int:
        """Return the cell with this name, or NO_CELL."""
        return self.index.get(name, NO_CELL)

    def adjacent(self, a: int, b: int) -> bool:
        """Return whether two cells are neighbours; False if b is NO_CELL."""
        return b != NO_CELL and b in self.neighbours[a]

    @cached_property
    def neighbour_sets(self) -> tuple[frozenset[int], ...]:
        """Per cell the set of its neighbours."""
        return tuple(frozenset(row) - {NO_CELL} for row in self.neighbours.tolist())

    def component(self, cells: Set[int], start: int) -> set[int]:
        """Return the connected component of `start` within a set of cells."""
        component, stack = {start}, [start]
        while stack:
            unvisited = (self.neighbour_sets[stack.pop()] & cells) - component
            component |= unvisited
            stack.extend(unvisited)
        return component

    def components(self, cells: Iterable[int]) -> list[set[int]]:
        """Return the connected components of a set of cells, ordered by their lowest cells."""
        remaining, components = set(map(int, cells)), []
        while remaining:
            components.append(self.component(remaining, min(remaining)))
            remaining -= components[-1]
        return components

    @cached_property
    def degrees(self) -> Cells:
        """[cells]: the number of neighbours of each cell."""
        return readonly_cells(np.count_nonzero(self.neighbours != NO_CELL, axis=1))

    @cached_property
    def shape(self) -> BoardShape:
        """Vertices, outlines and the flat map."""
        return self.build_shape(self)

    @property
    def centres(self) -> Points:
        """[cells, 3]: the centre of each cell."""
        return self.shape.centres

    @property
    def outlines(self) -> tuple[Points, ...]:
        """Per cell [k, 3]: its vertices, counter-clockwise seen from outside (flat boards: from +z)."""
        return self.shape.outlines

    @property
    def flat_centres(self) -> Points:
        """[cells, 2]: the point of each cell on the flat map where its contents are drawn; origin in the middle, y down."""
        return self.shape.flat_centres

    @property
    def flat_outlines(self) -> tuple[tuple[Points, ...], ...]:
        """Per cell the polygons [k, 2] that it covers on the flat map: several where the map cuts the cell.

        They run counter-clockwise as drawn, with y down.
        """
        return self.shape.flat_outlines

    @cached_property
    def symmetries(self) -> Cells:
        """[symmetries, cells]: the image of each cell under every automorphism of the board.

        The identity comes first. The order is the same in every release.
        """
        if self.adjacency == "edge":
            return map_automorphisms(self.neighbours)
        return square_symmetries(self.centres)

    def symmetries_preserving(self, *marks: str) -> Cells:
        """Return the rows of `symmetries` that map the marked cells of each name onto themselves."""
        preserved = np.ones(len(self.symmetries), dtype=bool)
        for mark in marks:
            cells = np.sort(np.array(self.marked_cells[mark], dtype=np.int16))
            preserved &= (np.sort(self.symmetries[:, cells], axis=1) == cells).all(axis=1)
        return self.symmetries[preserved]
