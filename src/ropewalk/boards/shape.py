"""The shape of a board: corner points that cells share, outlines made of them, and a flat map."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
Polygons: TypeAlias = tuple[Points, ...]

Corner = TypeVar("Corner")


@dataclass(frozen=True, eq=False)
class Shape:
    """Where cells lie, about one unit wide; a cell's surface is the fan from its centre to its outline."""

    centres: Points  # [cells, 3]
    points: Points  # [points, 3]: corner points, each shared by the cells that meet there
    corners: tuple[tuple[int, ...], ...]  # per cell its points, counter-clockwise seen from outside
    flat_centres: Points  # [cells, 2], y grows downward
    flat_outlines: tuple[Polygons, ...]  # per cell one or more pieces

    @cached_property
    def outlines(self) -> Polygons:
        """Per cell [k, 3]: the places of its corner points."""
        return tuple(frozen(self.points[list(corners)]) for corners in self.corners)


def weld(
    outlines: Sequence[Sequence[Corner]], place: Callable[[Corner], Sequence[float]]
) -> tuple[Points, tuple[tuple[int, ...], ...]]:
    """Turn outlines of named corners into shared `points` and `corners`, placing each corner once."""
    numbers: dict[Corner, int] = {}
    corners = tuple(tuple(numbers.setdefault(corner, len(numbers)) for corner in outline) for outline in outlines)
    return frozen([place(corner) for corner in numbers]), corners


def frozen(numbers: Points | Iterable[Sequence[float]]) -> Points:
    """These numbers as a read-only array of floats."""
    array: Points = np.array(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=np.float64)
    array.setflags(write=False)
    return array


def flat_shape(centres: Points, points: Points, corners: tuple[tuple[int, ...], ...]) -> Shape:
    """The shape of a flat board from its picture [.., 2] with y up: the map is the picture itself, y down."""
    down = np.array([1.0, -1.0])
    return Shape(
        centres=_lifted(centres),
        points=_lifted(points),
        corners=corners,
        flat_centres=frozen(centres * down),
        flat_outlines=tuple((frozen(points[list(cell)] * down),) for cell in corners),
    )


def _lifted(picture: Points) -> Points:
    return frozen(np.column_stack([picture, np.zeros(len(picture))]))
