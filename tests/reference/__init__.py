"""Naive reference implementations: every game from its definitions, with names of cells and no cleverness.

They share no code with the games they check. A game is named by its canonical spec.
"""

import re
from collections.abc import Callable

from tests.reference.common import Reference
from tests.reference.cube_lariat import CubeLariat
from tests.reference.laocoon import LAYOUTS, Laocoon
from tests.reference.lariat import Lariat
from tests.reference.liger import Liger
from tests.reference.tether import Tether

__all__ = ["Reference", "reference"]

USUAL_ROWS = {4: 1, 6: 2, 8: 3, 10: 4}  # of checkers in Liger, by the size of the board


def reference(spec: str) -> Reference:
    """The reference implementation of the game that a canonical spec names."""
    for shape, make in GAMES.items():
        if found := re.fullmatch(shape, spec):
            return make(spec, *found.groups(default=""))
    raise ValueError(f"no game has the spec {spec!r}")


def make_lariat(spec: str, cap: str, wall: str, pie: str) -> Reference:
    return Lariat(spec, int(cap), int(wall), pie=bool(pie))


def make_cube_lariat(spec: str, size: str, nocorners: str, nopie: str) -> Reference:
    return CubeLariat(spec, int(size), corners=not nocorners, pie=not nopie)


def make_tether(spec: str, size: str) -> Reference:
    return Tether(spec, int(size))


def make_laocoon(spec: str, variant: str, layout: str, norepetition: str) -> Reference:
    discs = LAYOUTS.get(layout, layout)
    return Laocoon(spec, discs, swap=bool(variant), quick=variant == "quick", repetition=not norepetition)


def make_liger(spec: str, size: str, rows: str, norepetition: str) -> Reference:
    return Liger(spec, int(size), int(rows or USUAL_ROWS[int(size)]), repetition=not norepetition)


GAMES: dict[str, Callable[..., Reference]] = {
    r"lariat-(\d+)x(\d+)(-pie)?": make_lariat,
    r"cube-lariat-(\d+)(-nocorners)?(-nopie)?": make_cube_lariat,
    r"tether-(\d+)": make_tether,
    r"laocoon-()(weave|blocks|[bpoy]{64})(-norepetition)?": make_laocoon,
    r"laocoon-(random|quick)-([bpoy]{64})(-norepetition)?": make_laocoon,
    r"liger-(\d+)(?:x(\d+))?(-norepetition)?": make_liger,
}
