"""Symmetries of boards: permutations of cells that preserve adjacency.

On a board whose neighbours share edges, the neighbours of each cell in cyclic order form a combinatorial map. An
automorphism of a connected map is determined by the image of one directed edge and by whether it keeps orientation.
"""

from collections.abc import Iterator, Sequence

from .geometry import NO_CELL, Cells, Points, readonly_cells

Cycle = list[int]  # the neighbours of a cell, counter-clockwise


def map_automorphisms(neighbours: Cells) -> Cells:
    """Return all automorphisms [symmetries, cells] of a map, the identity first, orientation-reversing ones last.

    `neighbours` [cells, columns] lists the neighbours of each cell counter-clockwise; NO_CELL is skipped.
    """
    cycles = [[cell for cell in row if cell != NO_CELL] for row in neighbours.tolist()]
    reversed_cycles = [cycle[::-1] for cycle in cycles]
    base = _rarest_degree_cell(cycles)
    automorphisms = [image for target in (cycles, reversed_cycles) for image in _automorphisms_to(cycles, target, base)]
    return readonly_cells(automorphisms)


def _rarest_degree_cell(cycles: Sequence[Cycle]) -> int:
    """Return the first cell of the rarest degree, which has the fewest possible images."""
    degrees = [len(cycle) for cycle in cycles]
    return min(range(len(degrees)), key=lambda cell: degrees.count(degrees[cell]))


def _automorphisms_to(cycles: Sequence[Cycle], target: Sequence[Cycle], base: int) -> Iterator[list[int]]:
    """Yield all isomorphisms from the map `cycles` to the map `target`, searched by the image of cell `base`."""
    for image in range(len(target)):
        if len(target[image]) == len(cycles[base]):
            for first in target[image]:
                automorphism = _extend_automorphism(cycles, target, (base, cycles[base][0]), (image, first))
                if automorphism is not None:
                    yield automorphism


def _extend_automorphism(
    cycles: Sequence[Cycle], target: Sequence[Cycle], edge: tuple[int, int], edge_image: tuple[int, int]
) -> list[int] | None:
    """Return the isomorphism that maps directed edge `edge` to `edge_image`, as images of all cells; None if none exists."""
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
    """Return the cycle rotated so that it begins with `first`."""
    start = cycle.index(first)
    return cycle[start:] + cycle[:start]


def square_symmetries(centres: Points) -> Cells:
    """Return those of the eight symmetries of a square about the origin that map the set of centres onto itself.

    `centres` [cells, 3] must be multiples of 0.5 in x and y. Returns [symmetries, cells], the identity first.
    """
    cell_at = {_grid_key(x, y): cell for cell, (x, y, _) in enumerate(centres.tolist())}
    symmetries = []
    for swap in (False, True):
        for x_sign, y_sign in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
            swapped = [(y, x) if swap else (x, y) for x, y, _ in centres.tolist()]
            image = [cell_at.get(_grid_key(x_sign * x, y_sign * y), NO_CELL) for x, y in swapped]
            if NO_CELL not in image:
                symmetries.append(image)
    return readonly_cells(symmetries)


def _grid_key(x: float, y: float) -> tuple[int, int]:
    return round(2 * x), round(2 * y)
