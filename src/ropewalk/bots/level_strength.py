"""How strong the levels of the bots are, as `make ladder` has measured on the standard board of each game.

The file beside this module is generated. Nothing here imports numpy, so that commands may use it at no cost.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

STRENGTHS_FILE = Path(__file__).with_name("level_strengths.json")
TURNS_IN_WORDS = {"1": "in one turn", "2-3": "in two or three", "4+": "in more"}


class LevelStrength(NamedTuple):
    """The measured strength of a level."""

    elo: int  # above level 1, in tens
    score_against_next: float | None  # expected points against the next level, 0 to 1; None for the highest level
    wins_found: Mapping[str, float]  # share of puzzles that it solves, by the turns to the win: a key of TURNS_IN_WORDS


@cache
def load_level_strengths() -> dict[str, tuple[LevelStrength, ...]]:
    """Return the strengths of all levels by key of the game; games of other packages have none."""
    stored = json.loads(STRENGTHS_FILE.read_text(encoding="utf-8"))
    return {key: tuple(LevelStrength(**level) for level in levels) for key, levels in stored.items()}


def describe_level(levels: tuple[LevelStrength, ...], level: int) -> str:
    """Return one line on a level, such as "finds 98 % of wins in one turn, ...; scores 20 % against level 4; 950 Elo"."""
    strength = levels[level - 1]
    shares = ", ".join(f"{format_percent(strength.wins_found[key])} {words}" for key, words in TURNS_IN_WORDS.items())
    parts = [f"finds {shares.replace(' in one turn', ' of wins in one turn', 1)}"]
    if strength.score_against_next is not None:
        parts.append(f"scores {format_percent(strength.score_against_next)} against level {level + 1}")
    if level > 1:
        parts.append(f"about {strength.elo:,} Elo above level 1")
    return "; ".join(parts)


def format_percent(share: float) -> str:
    """Return a share as a rounded percentage, halves upwards, as browsers round."""
    return f"{math.floor(100 * share + 0.5)} %"
