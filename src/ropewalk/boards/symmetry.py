"""Symmetries of boards: permutations of cells that keep the map."""

from collections.abc import Iterator, Sequence

import numpy as np

from ropewalk.boards.geometry import NO_CELL, Cells, Points

Cycle = list[int]  # the neighbours of a cell, counter-clockwise


def map_automorphisms(neighbours: Cells) -> Cells:
    """All automorphisms of a map, the identity first, mirror images last.

    Where one cell and one of its neighbours go, and whether the sense of rotation is kept, settles the rest.
    """
    cycles = [[cell for cell in row if cell != NO_CELL] for row in neighbours.tolist()]
    reversed_cycles = [cycle[::-1] for cycle in cycles]
    base = _rarest_degree_cell(cycles)
    automorphisms = [image for target in (cycles, reversed_cycles) for image in _automorphisms_to(cycles, target, base)]
    return _readonly_cells(automorphisms)


def _rarest_degree_cell(cycles: Sequence[Cycle]) -> int:
    """The first cell of the rarest degree: it has the fewest places to go."""
    degrees = [len(cycle) for cycle in cycles]
    return min(range(len(degrees)), key=lambda cell: degrees.count(degrees[cell]))


def _automorphisms_to(cycles: Sequence[Cycle], target: Sequence[Cycle], base: int) -> Iterator[list[int]]:
    """All ways to lay the map `cycles` onto the map `onto`."""
    for image in range(len(target)):
        if len(target[image]) == len(cycles[base]):
            for first in target[image]:
                automorphism = _extend_automorphism(cycles, target, (base, cycles[base][0]), (image, first))
                if automorphism is not None:
                    yield automorphism


def _extend_automorphism(
    cycles: Sequence[Cycle], target: Sequence[Cycle], edge: tuple[int, int], edge_image: tuple[int, int]
) -> list[int] | None:
    """The images of all cells when this step goes to that one, or None when the maps do not fit."""
    images = [NO_CELL] * len(cycles)
    images[edge[0]] = edge_image[0]
    stack = [(edge, edge_image)]
    while stack:
        (cell, first), (cell_image, first_image) = stack.pop()
        rotated, rotated_image = _rotate_cycle(cycles[cell], first), _rotate_cycle(target[cell_image], first_image)
        if len(rotated) != len(rotated_image):
            return None
        for neighbour, neighbour_image in zip(rotated, rotated_image, strict=True):
            if images[neighbour] == NO_CELL:
                images[neighbour] = neighbour_image
                stack.append(((neighbour, cell), (neighbour_image, cell_image)))
            elif images[neighbour] != neighbour_image:
                return None
    return images if len(set(images)) == len(images) else None


def _rotate_cycle(cycle: Cycle, first: int) -> Cycle:
    """The same cycle, begun at `first`."""
    start = cycle.index(first)
    return cycle[start:] + cycle[:start]


def square_symmetries(centres: Points) -> Cells:
    """Those of the eight symmetries of the square about the origin that lay the cells onto the cells."""
    cell_at = {_grid_key(x, y): cell for cell, (x, y, _) in enumerate(centres.tolist())}
    symmetries = []
    for swap in (False, True):
        for x_sign, y_sign in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
            swapped = [(y, x) if swap else (x, y) for x, y, _ in centres.tolist()]
            image = [cell_at.get(_grid_key(x_sign * x, y_sign * y), NO_CELL) for x, y in swapped]
            if NO_CELL not in image:
                symmetries.append(image)
    return _readonly_cells(symmetries)


def _grid_key(x: float, y: float) -> tuple[int, int]:
    return round(2 * x), round(2 * y)


def _readonly_cells(images: list[list[int]]) -> Cells:
    array = np.array(images, dtype=np.int16)
    array.setflags(write=False)
    return array
