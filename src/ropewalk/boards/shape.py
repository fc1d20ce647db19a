"""The shape of a board: corner points that cells share, outlines made of them, and a flat map."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
Polygons: TypeAlias = tuple[Points, ...]

VertexKey = TypeVar("VertexKey")


@dataclass(frozen=True, eq=False)
class BoardShape:
    """Where cells lie, about one unit wide; a cell's surface is the fan from its centre to its outline."""

    centres: Points  # [cells, 3]
    vertices: Points  # [points, 3]: corner points, each shared by the cells that meet there
    cell_vertices: tuple[tuple[int, ...], ...]  # per cell its points, counter-clockwise seen from outside
    flat_centres: Points  # [cells, 2], y grows downward
    flat_outlines: tuple[Polygons, ...]  # per cell one or more pieces

    @cached_property
    def outlines(self) -> Polygons:
        """Per cell [k, 3]: the places of its corner points."""
        return tuple(readonly_array(self.vertices[list(indices)]) for indices in self.cell_vertices)


def merge_vertices(
    outlines: Sequence[Sequence[VertexKey]], locate: Callable[[VertexKey], Sequence[float]]
) -> tuple[Points, tuple[tuple[int, ...], ...]]:
    """Turn outlines of named corners into shared `points` and `corners`, placing each corner once."""
    indices: dict[VertexKey, int] = {}
    cell_vertices = tuple(tuple(indices.setdefault(vertex, len(indices)) for vertex in outline) for outline in outlines)
    return readonly_array([locate(vertex) for vertex in indices]), cell_vertices


def readonly_array(values: Points | Iterable[Sequence[float]]) -> Points:
    """These numbers as a read-only array of floats."""
    array: Points = np.array(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)
    array.setflags(write=False)
    return array


def planar_shape(centres: Points, vertices: Points, cell_vertices: tuple[tuple[int, ...], ...]) -> BoardShape:
    """The shape of a flat board from its picture [.., 2] with y up: the map is the picture itself, y down."""
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
