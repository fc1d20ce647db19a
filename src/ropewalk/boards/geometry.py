"""The shape of a board: corner points that cells share, outlines made of them, and a flat map."""
# MERGED DOCSTRING: """Neighbours in slots, names and sizes: what the makers of all boards share."""

from __future__ import annotations

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


Cells: TypeAlias = NDArray[np.int16]

NO_CELL = -1


def pad_neighbours(neighbours: Sequence[Sequence[int]]) -> Cells:
    """Lists of neighbours as one read-only array [cells, slots], short ones padded with NO_CELL."""
    num_columns = max(map(len, neighbours))
    padded = [[*cells, *[NO_CELL] * (num_columns - len(cells))] for cells in neighbours]
    array = np.array(padded, dtype=np.int16)
    array.setflags(write=False)
    return array


def column_letters(index: int) -> str:
    """Count in letters: a .. z for 0 .. 25, then aa, ab and so on."""
    quotient, remainder = divmod(index, 26)
    return (column_letters(quotient - 1) if quotient else "") + chr(ord("a") + remainder)


def check_size(name: str, size: int, allowed: range) -> None:
    """Refuse a size outside `sizes`, naming the limits."""
    if size not in allowed:
        steps = f" in steps of {allowed.step}" if allowed.step > 1 else ""
        raise ValueError(f"{name} must be {allowed[0]} to {allowed[-1]}{steps}, not {size}")
