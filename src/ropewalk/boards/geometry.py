"""Types and helpers shared by all boards: cell arrays, neighbour padding, names, size checks and the board's shape.

Distances are in cell widths: a cell is about one unit wide. Space is right-handed; flat boards lie in the plane z = 0
with y up. The flat map of a board has y down, as on a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Cells: TypeAlias = NDArray[np.int16]
Points: TypeAlias = NDArray[np.float64]
Polygons: TypeAlias = tuple[Points, ...]
VertexKey = TypeVar("VertexKey")

NO_CELL = -1  # in place of a cell number where there is no cell


def check_size(name: str, size: int, allowed: range) -> None:
    """Raise ValueError, naming the limits, if `size` is not in `allowed`."""
    if size not in allowed:
        steps = f" in steps of {allowed.step}" if allowed.step > 1 else ""
        raise ValueError(f"{name} must be {allowed[0]} to {allowed[-1]}{steps}, not {size}")


def column_letters(index: int) -> str:
    """Return the letters of column `index`: a to z for 0 to 25, then aa, ab and so on."""
    quotient, remainder = divmod(index, 26)
    return (column_letters(quotient - 1) if quotient else "") + chr(ord("a") + remainder)


def pad_neighbours(neighbours: Sequence[Sequence[int]]) -> Cells:
    """Return lists of neighbours as one read-only array [cells, columns], short ones padded with NO_CELL at the end."""
    num_columns = max(map(len, neighbours))
    return readonly_cells([[*cells, *[NO_CELL] * (num_columns - len(cells))] for cells in neighbours])


def readonly_cells(values: ArrayLike) -> Cells:
    """Return a read-only copy of integer values as int16."""
    array: Cells = np.array(values, dtype=np.int16)
    array.setflags(write=False)
    return array


def readonly_array(values: Points | Iterable[Sequence[float]]) -> Points:
    """Return a read-only copy of coordinates as float64."""
    array: Points = np.array(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class BoardShape:
    """Geometry of all cells; the surface of a cell is the fan of triangles from its centre to its outline."""

    centres: Points  # [cells, 3]
    vertices: Points  # [vertices, 3], each shared by the cells that meet there
    cell_vertices: tuple[tuple[int, ...], ...]  # per cell its vertices, counter-clockwise seen from outside
    flat_centres: Points  # [cells, 2], y down
    flat_outlines: tuple[Polygons, ...]  # per cell one or more polygons [k, 2], y down

    @cached_property
    def outlines(self) -> Polygons:
        """Per cell [k, 3]: the coordinates of its vertices."""
        return tuple(readonly_array(self.vertices[list(indices)]) for indices in self.cell_vertices)


def merge_vertices(
    outlines: Sequence[Sequence[VertexKey]], locate: Callable[[VertexKey], Sequence[float]]
) -> tuple[Points, tuple[tuple[int, ...], ...]]:
    """Number the vertex keys of all outlines and locate each key once.

    Returns the coordinates of the vertices, in the order of first occurrence, and per outline the vertex numbers.
    """
    indices: dict[VertexKey, int] = {}
    cell_vertices = tuple(tuple(indices.setdefault(vertex, len(indices)) for vertex in outline) for outline in outlines)
    return readonly_array([locate(vertex) for vertex in indices]), cell_vertices


def planar_shape(centres: Points, vertices: Points, cell_vertices: tuple[tuple[int, ...], ...]) -> BoardShape:
    """Return the shape of a flat board from points [.., 2] with y up; the flat map is the same with y down."""
    flip_y = np.array([1.0, -1.0])
    return BoardShape(
        centres=_with_zero_z(centres),
        vertices=_with_zero_z(vertices),
        cell_vertices=cell_vertices,
        flat_centres=readonly_array(centres * flip_y),
        flat_outlines=tuple((readonly_array(vertices[list(cell)] * flip_y),) for cell in cell_vertices),
    )


def _with_zero_z(points: Points) -> Points:
    return readonly_array(np.column_stack([points, np.zeros(len(points))]))
