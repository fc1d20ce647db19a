"""The games by name: the only place that knows them all. Importing it loads no game."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import SpecError, did_you_mean, ellipsis
from .options import Blank, Choice, Flag, Options, Pick, sizes
from .specs import Spec

if TYPE_CHECKING:
    from .game import Game

LONGEST_SPEC = 200


@dataclass(frozen=True)
class Entry:
    """What can be said of a game without loading its kernels."""

    key: str  # the first words of its specs
    name: str
    designer: str
    year: str
    aim: str
    standard: str  # the spec that the bare name stands for
    sizes: dict[str, str]  # aliases such as small
    forms: tuple[str, ...]  # the specs it understands
    options: Options  # the same as things to choose, for forms
    examples: tuple[str, ...]  # one spec of every kind, small enough for a quick check
    module: str


REPETITION = Flag("repetition", "a position's third occurrence is a draw", True, "norepetition")
SEED = Blank("seed", 0, 999_999)  # any up to 2**63 - 1 will do; these are short enough to tell a friend

ENTRIES = (
    Entry(
        key="lariat",
        name="Lariat",
        designer="Mark Steere",
        year="2008",
        aim="tie the centre of a cylinder to its edge, or rope it off from there",
        standard="2x10",
        sizes={"small": "1x6", "large": "3x12"},
        forms=("lariat-RxH (cap radius R 1 to 6, wall height H 1 to 24)", "-pie"),
        options=Options(
            sizes(
                "cap radius and wall height",
                {"small": "1x6", "standard": "2x10", "large": "3x12"},
                "{cap}x{wall}",
                Blank("cap", 1, 6, 2),
                Blank("wall", 1, 24, 10),
            ),
            (Flag("pie", "with the pie rule", False, "pie"),),
        ),
        examples=("lariat-1x6", "lariat-2x10", "lariat-3x12", "lariat-1x2-pie"),
        module="ropewalk.games.lariat",
    ),
    Entry(
        key="cube-lariat",
        name="Cube Lariat",
        designer="Mark Steere",
        year="2024",
        aim="with a single group, part three cells of a cube's surface from each other",
        standard="4",
        sizes={"small": "2", "large": "6"},
        forms=("cube-lariat-N (N 2, 4, 6 or 8)", "-nocorners", "-nopie"),
        options=Options(
            sizes(
                "octagons along an edge", {"small": "2", "standard": "4", "large": "6"}, "{size}", Blank("size", 2, 8, 4, 2)
            ),
            (
                Flag("pie", "with the pie rule", True, "nopie"),
                Flag("corners", "corner cells may be claimed", True, "nocorners"),
            ),
        ),
        examples=("cube-lariat-2", "cube-lariat-4", "cube-lariat-6", "cube-lariat-2-nocorners-nopie"),
        module="ropewalk.games.cube_lariat",
    ),
    Entry(
        key="tether",
        name="Tether",
        designer="Mark Steere",
        year="2009",
        aim="surround more than half of a rhombus with stones tied to your sides",
        standard="13",
        sizes={"small": "9", "large": "17"},
        forms=("tether-N (N odd, 3 to 19)",),
        options=Options(
            sizes(
                "cells along a side", {"small": "9", "standard": "13", "large": "17"}, "{size}", Blank("size", 3, 19, 13, 2)
            ),
        ),
        examples=("tether-9", "tether-13", "tether-17", "tether-5"),
        module="ropewalk.games.tether",
    ),
    Entry(
        key="laocoon",
        name="laoCoon",
        designer="Alain Couchot and Bernard Klein",
        year="1997",
        aim="move your rings between colours until the other rings cannot move",
        standard="weave",
        sizes={},
        forms=(
            "laocoon-weave",
            "laocoon-blocks",
            "laocoon-LAYOUT (64 letters, 16 each of b p o y, from a1, b1 to h8)",
            "laocoon-random-SEED or -random-LAYOUT",
            "laocoon-quick-SEED or -quick-LAYOUT",
            "-norepetition",
        ),
        options=Options(
            Pick(
                "setup",
                "how the discs lie at the start",
                "weave",
                (
                    Choice("weave", "weave"),
                    Choice("blocks", "blocks"),
                    Choice("random", "random-{seed}", (SEED,)),
                    Choice("quick", "quick-{seed}", (SEED,)),
                ),
            ),
            (REPETITION,),
        ),
        examples=("laocoon-weave", "laocoon-blocks", "laocoon-random-7", "laocoon-quick-7", "laocoon-weave-norepetition"),
        module="ropewalk.games.laocoon",
    ),
    Entry(
        key="liger",
        name="Liger",
        designer="Mark Steere",
        year="2009",
        aim="walk your checkers across the board and off it, but always leave the other side a checker to move",
        standard="8",
        sizes={"small": "6", "large": "10"},
        forms=("liger-N (N 4, 6, 8 or 10)", "liger-NxROWS (rows of checkers, 1 to N/2)", "-norepetition"),
        options=Options(
            sizes(
                "squares along a side, and rows of checkers",
                {"small": "6", "standard": "8", "large": "10"},
                "{size}x{rows}",
                Blank("size", 4, 10, 8, 2),
                Blank("rows", 1, 5, 3),
            ),
            (REPETITION,),
        ),
        examples=("liger-4", "liger-6", "liger-8", "liger-10", "liger-4x2-norepetition"),
        module="ropewalk.games.liger",
    ),
)


def game(spec: str) -> Game:
    """The game that a spec names; a bare name is the standard board.

    >>> game("lariat").spec
    'lariat-2x10'
    """
    if not isinstance(spec, str):
        raise SpecError(f"a game's spec is a text such as 'lariat-2x10', not {type(spec).__name__}")
    if len(spec) > LONGEST_SPEC:
        raise SpecError(f"a game's spec has at most {LONGEST_SPEC} characters, this one {len(spec)}")
    return _game(spec.strip().lower())


@functools.lru_cache(maxsize=64)
def _game(spec: str) -> Game:
    entry = entry_of(spec)
    words = spec[len(entry.key) + 1 :].split("-") if spec != entry.key else []
    if not words or words[0] in ("", *(flag.word for other in ENTRIES for flag in other.options.flags)):
        words = [entry.standard, *filter(None, words)]
    words[0] = entry.sizes.get(words[0], words[0])
    made: Game = import_module(entry.module).from_spec(Spec(spec, words, f"{entry.key}-{entry.standard}"))
    return made


def entry_of(spec: str) -> Entry:
    """The game whose name a spec begins with."""
    for entry in ENTRIES:
        if spec == entry.key or spec.startswith(entry.key + "-"):
            return entry
    keys = [entry.key for entry in ENTRIES]
    name = spec if spec.startswith("cube") else spec.split("-", maxsplit=1)[0]
    raise SpecError(f"{ellipsis(spec)} names no game; the games are {', '.join(keys)}{did_you_mean(name, keys)}")


def games() -> tuple[Entry, ...]:
    """All games, with designers and specs."""
    return ENTRIES
