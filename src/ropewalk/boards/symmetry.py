"""Symmetries of boards: permutations of cells that keep the map."""

from collections.abc import Iterator, Sequence

import numpy as np

from ropewalk.boards.shape import Points
from ropewalk.boards.slots import NO_CELL, Cells

Cycle = list[int]  # the neighbours of a cell, counter-clockwise


def map_symmetries(neighbours: Cells) -> Cells:
    """All automorphisms of a map, the identity first, mirror images last.

    Where one cell and one of its neighbours go, and whether the sense of rotation is kept, settles the rest.
    """
    cycles = [[cell for cell in slots if cell != NO_CELL] for slots in neighbours.tolist()]
    mirrored = [cycle[::-1] for cycle in cycles]
    base = _rarest(cycles)
    found = [image for onto in (cycles, mirrored) for image in _images(cycles, onto, base)]
    return _frozen(found)


def _rarest(cycles: Sequence[Cycle]) -> int:
    """The first cell of the rarest degree: it has the fewest places to go."""
    degrees = [len(cycle) for cycle in cycles]
    return min(range(len(degrees)), key=lambda cell: degrees.count(degrees[cell]))


def _images(cycles: Sequence[Cycle], onto: Sequence[Cycle], base: int) -> Iterator[list[int]]:
    """All ways to lay the map `cycles` onto the map `onto`."""
    for image in range(len(onto)):
        if len(onto[image]) == len(cycles[base]):
            for first in onto[image]:
                laid = _laid(cycles, onto, (base, cycles[base][0]), (image, first))
                if laid is not None:
                    yield laid


def _laid(cycles: Sequence[Cycle], onto: Sequence[Cycle], step: tuple[int, int], image: tuple[int, int]) -> list[int] | None:
    """The images of all cells when this step goes to that one, or None when the maps do not fit."""
    images = [NO_CELL] * len(cycles)
    images[step[0]] = image[0]
    steps = [(step, image)]
    while steps:
        (cell, first), (cell_image, first_image) = steps.pop()
        turned, turned_image = _from(cycles[cell], first), _from(onto[cell_image], first_image)
        if len(turned) != len(turned_image):
            return None
        for neighbour, neighbour_image in zip(turned, turned_image, strict=True):
            if images[neighbour] == NO_CELL:
                images[neighbour] = neighbour_image
                steps.append(((neighbour, cell), (neighbour_image, cell_image)))
            elif images[neighbour] != neighbour_image:
                return None
    return images if len(set(images)) == len(images) else None


def _from(cycle: Cycle, first: int) -> Cycle:
    """The same cycle, begun at `first`."""
    start = cycle.index(first)
    return cycle[start:] + cycle[:start]


def square_symmetries(centres: Points) -> Cells:
    """Those of the eight symmetries of the square about the origin that lay the cells onto the cells."""
    places = {_place(x, y): cell for cell, (x, y, _) in enumerate(centres.tolist())}
    found = []
    for swap in (False, True):
        for x_sign, y_sign in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
            moved = [(y, x) if swap else (x, y) for x, y, _ in centres.tolist()]
            image = [places.get(_place(x_sign * x, y_sign * y), NO_CELL) for x, y in moved]
            if NO_CELL not in image:
                found.append(image)
    return _frozen(found)


def _place(x: float, y: float) -> tuple[int, int]:
    return round(2 * x), round(2 * y)


def _frozen(images: list[list[int]]) -> Cells:
    array = np.array(images, dtype=np.int16)
    array.setflags(write=False)
    return array
