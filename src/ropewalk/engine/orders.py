"""What UGI's commands say: `position`, `go` and `setoption`, read word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import NamedTuple

from ..bots.bot import Limit
from ..errors import RopewalkError, did_you_mean, ellipsis

ENDLESS = 1 << 62  # visits
NUMBERS = {"movetime": "MS", "nodes": "N", "p1time": "MS", "p2time": "MS", "p1inc": "MS", "p2inc": "MS", "depth": "N"}
GO_HELP = "go alone, go infinite, or go with movetime MS, nodes N, p1time MS, p2time MS, p1inc MS, p2inc MS"
POSITION_HELP = "position startpos, or position fen TEXT, with moves MOVE MOVE ... after it if you like"
SETOPTION_HELP = "setoption name NAME value VALUE"

MOVES_LEFT = 25  # so many more are expected when a clock says how long they may take
USED_INCREMENT = 0.75  # part of what a move is given back
OVERHEAD = 0.05  # seconds that a move may be late
LEAST_SECONDS = 0.01


class UgiError(RopewalkError):
    """A command that cannot be followed."""


class Setup(NamedTuple):
    """Where a position comes from."""

    text: str | None  # None: the start
    moves: tuple[str, ...]


@dataclass(eq=False)
class Thought:
    """A `go` that has been said and not yet been answered."""

    words: Sequence[str]
    cancelled: Event = field(default_factory=Event)

    @property
    def is_infinite(self) -> bool:
        """Whether only `stop` ends it."""
        return "infinite" in self.words


def read_setup(words: Sequence[str]) -> Setup:
    """The words after `position`."""
    moves = words.index("moves") if "moves" in words else len(words)
    kind, *text = words[:moves] or [""]
    if (kind, bool(text)) not in (("startpos", False), ("fen", True)):
        raise UgiError(f"position should be {POSITION_HELP}")
    return Setup(" ".join(text) or None, tuple(words[moves + 1 :]))


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """The words after `setoption`: a name and a value."""
    if words[:1] != ["name"] or "value" not in words:
        raise UgiError(f"setoption should be {SETOPTION_HELP}")
    value = words.index("value")
    return " ".join(words[1:value]), " ".join(words[value + 1 :])


def read_limit(thought: Thought, seat: int) -> Limit:
    """The words after `go`: when a seat must answer."""
    said = read_numbers(thought.words)
    if thought.is_infinite:
        return Limit(visits=ENDLESS, cancelled=thought.cancelled)
    times = [said["movetime"] / 1000] if "movetime" in said else []
    times += [share_of_clock(said, seat)] if {"p1time", "p2time"} & said.keys() else []
    return Limit(seconds=min(times, default=None), visits=said.get("nodes"), cancelled=thought.cancelled)


def read_numbers(words: Sequence[str]) -> dict[str, int]:
    """Each limit that `go` names with its number."""
    said: dict[str, int] = {}
    left = [word for word in words if word != "infinite"]
    while left:
        name, number, *left = [*left, ""] if len(left) == 1 else left
        if name not in NUMBERS:
            raise UgiError(f"go does not know {ellipsis(name)}: {GO_HELP}{did_you_mean(name, [*NUMBERS, 'infinite'])}")
        if not re.fullmatch(r"-?\d{1,15}", number, re.ASCII):
            raise UgiError(f"go {name} {NUMBERS[name]} needs a whole number of at most 15 digits, not {ellipsis(number)}")
        said[name] = int(number)
    return said


def share_of_clock(said: dict[str, int], seat: int) -> float:
    """How many seconds a move is worth by the clock; little is left for a player whose time is up."""
    player = f"p{seat + 1}"
    if f"{player}time" not in said:
        raise UgiError(f"go says no {player}time, and it is player {seat + 1}'s move")
    left = said[f"{player}time"] / 1000
    wanted = left / MOVES_LEFT + USED_INCREMENT * said.get(f"{player}inc", 0) / 1000
    return max(LEAST_SECONDS, min(wanted, left - OVERHEAD))
