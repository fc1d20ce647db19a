"""The games by name: the only place that knows them all. Importing it loads no game."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import SpecError
from ..text import did_you_mean, ellipsis
from .definition import BoardOption, BoolOption, GameOptions, GameSpec, IntOption, OptionChoice, make_board_option
from .spec_parser import SpecReader

if TYPE_CHECKING:
    from .game import Game

MAX_SPEC_LENGTH = 200

REPETITION_OPTION = BoolOption("repetition", "a position's third occurrence is a draw", True, "norepetition")

SEED_OPTION = IntOption("seed", 0, 999_999)  # any up to 2**63 - 1 will do; these are short enough to tell a friend

GAMES = (
    GameSpec(
        key="lariat",
        name="Lariat",
        designer="Mark Steere",
        year="2008",
        aim="tie the centre of a cylinder to its edge, or rope it off from there",
        standard="2x10",
        presets={"small": "1x6", "large": "3x12"},
        forms=("lariat-RxH (cap radius R 1 to 6, wall height H 1 to 24)", "-pie"),
        options=GameOptions(
            make_board_option(
                "cap radius and wall height",
                {"small": "1x6", "standard": "2x10", "large": "3x12"},
                "{cap}x{wall}",
                IntOption("cap", 1, 6, 2),
                IntOption("wall", 1, 24, 10),
            ),
            (BoolOption("pie", "with the pie rule", False, "pie"),),
        ),
        examples=("lariat-1x6", "lariat-2x10", "lariat-3x12", "lariat-1x2-pie"),
        module="ropewalk.games.lariat.game",
    ),
    GameSpec(
        key="cube-lariat",
        name="Cube Lariat",
        designer="Mark Steere",
        year="2024",
        aim="with a single group, part three cells of a cube's surface from each other",
        standard="4",
        presets={"small": "2", "large": "6"},
        forms=("cube-lariat-N (N 2, 4, 6 or 8)", "-nocorners", "-nopie"),
        options=GameOptions(
            make_board_option(
                "octagons along an edge",
                {"small": "2", "standard": "4", "large": "6"},
                "{size}",
                IntOption("size", 2, 8, 4, 2),
            ),
            (
                BoolOption("pie", "with the pie rule", True, "nopie"),
                BoolOption("corners", "corner cells may be claimed", True, "nocorners"),
            ),
        ),
        examples=("cube-lariat-2", "cube-lariat-4", "cube-lariat-6", "cube-lariat-2-nocorners-nopie"),
        module="ropewalk.games.cube_lariat.game",
    ),
    GameSpec(
        key="tether",
        name="Tether",
        designer="Mark Steere",
        year="2009",
        aim="surround more than half of a rhombus with stones tied to your sides",
        standard="13",
        presets={"small": "9", "large": "17"},
        forms=("tether-N (N odd, 3 to 19)",),
        options=GameOptions(
            make_board_option(
                "cells along a side",
                {"small": "9", "standard": "13", "large": "17"},
                "{size}",
                IntOption("size", 3, 19, 13, 2),
            ),
        ),
        examples=("tether-9", "tether-13", "tether-17", "tether-5"),
        module="ropewalk.games.tether.game",
    ),
    GameSpec(
        key="laocoon",
        name="laoCoon",
        designer="Alain Couchot and Bernard Klein",
        year="1997",
        aim="move your rings between colours until the other rings cannot move",
        standard="weave",
        presets={},
        forms=(
            "laocoon-weave",
            "laocoon-blocks",
            "laocoon-LAYOUT (64 letters, 16 each of b p o y, from a1, b1 to h8)",
            "laocoon-random-SEED or -random-LAYOUT",
            "laocoon-quick-SEED or -quick-LAYOUT",
            "-norepetition",
        ),
        options=GameOptions(
            BoardOption(
                "setup",
                "how the discs lie at the start",
                "weave",
                (
                    OptionChoice("weave", "weave"),
                    OptionChoice("blocks", "blocks"),
                    OptionChoice("random", "random-{seed}", (SEED_OPTION,)),
                    OptionChoice("quick", "quick-{seed}", (SEED_OPTION,)),
                ),
            ),
            (REPETITION_OPTION,),
        ),
        examples=("laocoon-weave", "laocoon-blocks", "laocoon-random-7", "laocoon-quick-7", "laocoon-weave-norepetition"),
        module="ropewalk.games.laocoon.game",
    ),
    GameSpec(
        key="liger",
        name="Liger",
        designer="Mark Steere",
        year="2009",
        aim="walk your checkers across the board and off it, but always leave the other side a checker to move",
        standard="8",
        presets={"small": "6", "large": "10"},
        forms=("liger-N (N 4, 6, 8 or 10)", "liger-NxROWS (rows of checkers, 1 to N/2)", "-norepetition"),
        options=GameOptions(
            make_board_option(
                "squares along a side, and rows of checkers",
                {"small": "6", "standard": "8", "large": "10"},
                "{size}x{rows}",
                IntOption("size", 4, 10, 8, 2),
                IntOption("rows", 1, 5, 3),
            ),
            (REPETITION_OPTION,),
        ),
        examples=("liger-4", "liger-6", "liger-8", "liger-10", "liger-4x2-norepetition"),
        module="ropewalk.games.liger.game",
    ),
)


def game(spec: str) -> Game:
    """The game that a spec names; a bare name is the standard board.

    >>> game("lariat").spec
    'lariat-2x10'
    """
    if not isinstance(spec, str):
        raise SpecError(f"a game's spec is a text such as 'lariat-2x10', not {type(spec).__name__}")
    if len(spec) > MAX_SPEC_LENGTH:
        raise SpecError(f"a game's spec has at most {MAX_SPEC_LENGTH} characters, this one {len(spec)}")
    return _load_game(spec.strip().lower())


@functools.lru_cache(maxsize=64)
def _load_game(spec: str) -> Game:
    game_spec = spec_of(spec)
    spec_words = spec[len(game_spec.key) + 1 :].split("-") if spec != game_spec.key else []
    if not spec_words or spec_words[0] in ("", *(flag.spec_word for other in GAMES for flag in other.options.flags)):
        spec_words = [game_spec.standard, *filter(None, spec_words)]
    spec_words[0] = game_spec.presets.get(spec_words[0], spec_words[0])
    loaded: Game = import_module(game_spec.module).from_spec(
        SpecReader(spec, spec_words, f"{game_spec.key}-{game_spec.standard}")
    )
    return loaded


def spec_of(spec: str) -> GameSpec:
    """The game whose name a spec begins with."""
    for game_spec in GAMES:
        if spec == game_spec.key or spec.startswith(game_spec.key + "-"):
            return game_spec
    keys = [game_spec.key for game_spec in GAMES]
    name = spec if spec.startswith("cube") else spec.split("-", maxsplit=1)[0]
    raise SpecError(f"{ellipsis(spec)} names no game; the games are {', '.join(keys)}{did_you_mean(name, keys)}")


def games() -> tuple[GameSpec, ...]:
    """All games, with designers and specs."""
    return GAMES
