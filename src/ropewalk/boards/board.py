"""A board: everything that games, searches, nets and pictures need to know about a surface of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ropewalk.boards.geometry import NO_CELL, BoardShape, Cells, Points
from ropewalk.boards.symmetry import map_automorphisms, square_symmetries

__all__ = ["NO_CELL", "Adjacency", "Board", "TextCell"]

Adjacency = Literal["edge", "corner"]
TextCell = tuple[int, int, int]  # line, column, cell


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Cells 0 .. len(board)-1 of one surface.

    Boards are shared: each kind and size is built once, and all arrays are read-only. The fields are there at
    once; degrees, shape and symmetries are worked out when they are first asked for.
    """

    kind: str  # 'cylinder', 'cube', 'rhombus', 'squares' or 'dark squares'
    size: tuple[int, ...]
    names: tuple[str, ...]
    neighbours: Cells  # [cells, slots]: neighbours in order, NO_CELL where there is none
    adjacency: Adjacency  # what the outlines of neighbours share
    directions: tuple[str, ...]  # the slots' names where the surface has directions, else empty
    marked_cells: Mapping[str, tuple[int, ...]]  # cells that the rules speak of
    rows: tuple[tuple[int, ...], ...]  # every cell once, in the order of a line of text
    text_layout: tuple[TextCell, ...]  # where a drawn board has its characters; a folded cell may have several
    build_shape: Callable[[Board], BoardShape]  # makes `shape`

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<{self.kind} {'x'.join(map(str, self.size))}: {len(self)} cells>"

    @cached_property
    def index(self) -> Mapping[str, int]:
        """From names to cells."""
        return {name: cell for cell, name in enumerate(self.names)}

    def cell(self, name: str) -> int:
        """The cell of this name, NO_CELL where there is none."""
        return self.index.get(name, NO_CELL)

    def adjacent(self, a: int, b: int) -> bool:
        """Whether two cells are neighbours."""
        return b != NO_CELL and b in self.neighbours[a]

    @cached_property
    def degrees(self) -> Cells:
        """[cells]: how many neighbours each cell has."""
        degrees: Cells = np.count_nonzero(self.neighbours != NO_CELL, axis=1).astype(np.int16)
        degrees.setflags(write=False)
        return degrees

    @cached_property
    def shape(self) -> BoardShape:
        """Corner points, outlines and the flat map."""
        return self.build_shape(self)

    @property
    def centres(self) -> Points:
        """[cells, 3]: a point in the middle of each cell."""
        return self.shape.centres

    @property
    def outlines(self) -> tuple[Points, ...]:
        """Per cell [k, 3]: its corner points, counter-clockwise seen from outside (flat boards: from +z)."""
        return self.shape.outlines

    @property
    def flat_centres(self) -> Points:
        """[cells, 2]: where to put a stone on the flat map; the origin is in its middle, y grows downward."""
        return self.shape.flat_centres

    @property
    def flat_outlines(self) -> tuple[tuple[Points, ...], ...]:
        """Per cell the polygons [k, 2] that it covers on the flat map: several where the map cuts the cell.

        They run counter-clockwise for the eye, that is, with y downward.
        """
        return self.shape.flat_outlines

    @cached_property
    def symmetries(self) -> Cells:
        """[symmetries, cells]: the images of the cells, for all ways to lay the board onto itself.

        The identity comes first, and the order never changes.
        """
        if self.adjacency == "edge":
            return map_automorphisms(self.neighbours)
        return square_symmetries(self.centres)

    def symmetries_preserving(self, *marks: str) -> Cells:
        """Those symmetries that lay each of these marks onto itself; the identity first."""
        preserved = np.ones(len(self.symmetries), dtype=bool)
        for mark in marks:
            cells = np.sort(np.array(self.marked_cells[mark], dtype=np.int16))
            preserved &= (np.sort(self.symmetries[:, cells], axis=1) == cells).all(axis=1)
        return self.symmetries[preserved]
