"""Lariat, by Mark Steere (2008): tie the centre of a cylinder to its edge, or rope it off from there."""

from collections.abc import Iterator
from string import ascii_lowercase

from tests.reference.claiming import ClaimingGame
from tests.reference.common import Cells, both_ways, reach

CENTRE = "a1"


class Lariat(ClaimingGame):
    """The game on a cylinder with a cap of radius `cap` and a wall of `wall` rings."""

    def __init__(self, spec: str, cap: int, wall: int, pie: bool) -> None:
        neighbours = both_ways(touching(cap, wall))
        super().__init__(spec, neighbours, claimable=neighbours, pie=pie)
        bottom = cap + wall
        self.edge = frozenset(name(bottom, index) for index in range(ring_size(bottom, cap)))

    def reason_to_win(self, group: Cells) -> str | None:
        """A group wins that holds an edge cell, and holds the centre or parts it from every edge cell."""
        if not group & self.edge:
            return None
        if CENTRE in group:
            return "holds-centre"
        rest = self.neighbours.keys() - group
        around_centre = reach(self.neighbours, CENTRE, within=rest)
        return None if around_centre & self.edge else "ropes-off-centre"


def touching(cap: int, wall: int) -> Iterator[tuple[str, str]]:
    """All pairs of cells that touch: along a ring, and between a ring and the one before it."""
    for ring in range(1, cap + wall + 1):
        size = ring_size(ring, cap)
        for index in range(size):
            yield name(ring, index), name(ring, (index + 1) % size)
            for inner in inward(ring, index, cap):
                yield name(ring - 1, inner % ring_size(ring - 1, cap)), name(ring, index)


def inward(ring: int, index: int, cap: int) -> tuple[int, ...]:
    """The indices, not yet reduced, of the cells that a cell touches in the ring before its own."""
    if ring > cap:
        return index, index + 1
    side, offset = divmod(index, ring)
    corner = side * (ring - 1)
    return (corner,) if offset == 0 else (corner + offset - 1, corner + offset)


def ring_size(ring: int, cap: int) -> int:
    """How many cells a ring has: one in the centre, then six more a ring, and on the wall no more."""
    return 1 if ring == 0 else 6 * min(ring, cap)


def name(ring: int, index: int) -> str:
    """The ring's letter (after z come aa, ab and so on), and the index counted from 1."""
    rounds, letter = divmod(ring, len(ascii_lowercase))
    prefix = ascii_lowercase[rounds - 1] if rounds else ""
    return f"{prefix}{ascii_lowercase[letter]}{index + 1}"
