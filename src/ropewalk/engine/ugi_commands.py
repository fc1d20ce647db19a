"""What UGI's commands say: `position`, `go` and `setoption`, read word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import NamedTuple

from ..bots.bot import Limit
from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis

UNLIMITED_VISITS = 1 << 62  # visits
GO_PARAMETERS = {"movetime": "MS", "nodes": "N", "p1time": "MS", "p2time": "MS", "p1inc": "MS", "p2inc": "MS", "depth": "N"}
GO_HELP = "go alone, go infinite, or go with movetime MS, nodes N, p1time MS, p2time MS, p1inc MS, p2inc MS"
POSITION_HELP = "position startpos, or position fen TEXT, with moves MOVE MOVE ... after it if you like"
SETOPTION_HELP = "setoption name NAME value VALUE"

EXPECTED_MOVES_LEFT = 25  # so many more are expected when a clock says how long they may take
INCREMENT_FRACTION = 0.75  # part of what a move is given back
MOVE_OVERHEAD_SECONDS = 0.05  # seconds that a move may be late
MIN_MOVE_SECONDS = 0.01


class UgiError(RopewalkError):
    """A command that cannot be followed."""


class PositionCommand(NamedTuple):
    """Where a position comes from."""

    text: str | None  # None: the start
    moves: tuple[str, ...]


@dataclass(eq=False)
class GoCommand:
    """A `go` that has been said and not yet been answered."""

    tokens: Sequence[str]
    cancelled: Event = field(default_factory=Event)

    @property
    def is_infinite(self) -> bool:
        """Whether only `stop` ends it."""
        return "infinite" in self.tokens


def parse_position_command(tokens: Sequence[str]) -> PositionCommand:
    """The words after `position`."""
    moves_index = tokens.index("moves") if "moves" in tokens else len(tokens)
    source, *text = tokens[:moves_index] or [""]
    if (source, bool(text)) not in (("startpos", False), ("fen", True)):
        raise UgiError(f"position should be {POSITION_HELP}")
    return PositionCommand(" ".join(text) or None, tuple(tokens[moves_index + 1 :]))


def parse_setoption(tokens: Sequence[str]) -> tuple[str, str]:
    """The words after `setoption`: a name and a value."""
    if tokens[:1] != ["name"] or "value" not in tokens:
        raise UgiError(f"setoption should be {SETOPTION_HELP}")
    value_index = tokens.index("value")
    return " ".join(tokens[1:value_index]), " ".join(tokens[value_index + 1 :])


def parse_limit(go_command: GoCommand, seat: int) -> Limit:
    """The words after `go`: when a seat must answer."""
    parameters = parse_go_parameters(go_command.tokens)
    if go_command.is_infinite:
        return Limit(visits=UNLIMITED_VISITS, cancelled=go_command.cancelled)
    time_limits = [parameters["movetime"] / 1000] if "movetime" in parameters else []
    time_limits += [allocate_seconds(parameters, seat)] if {"p1time", "p2time"} & parameters.keys() else []
    return Limit(seconds=min(time_limits, default=None), visits=parameters.get("nodes"), cancelled=go_command.cancelled)


def parse_go_parameters(tokens: Sequence[str]) -> dict[str, int]:
    """Each limit that `go` names with its number."""
    parameters: dict[str, int] = {}
    remaining = [token for token in tokens if token != "infinite"]
    while remaining:
        name, number, *remaining = [*remaining, ""] if len(remaining) == 1 else remaining
        if name not in GO_PARAMETERS:
            raise UgiError(f"go does not know {ellipsis(name)}: {GO_HELP}{did_you_mean(name, [*GO_PARAMETERS, 'infinite'])}")
        if not re.fullmatch(r"-?\d{1,15}", number, re.ASCII):
            raise UgiError(
                f"go {name} {GO_PARAMETERS[name]} needs a whole number of at most 15 digits, not {ellipsis(number)}"
            )
        parameters[name] = int(number)
    return parameters


def allocate_seconds(parameters: dict[str, int], seat: int) -> float:
    """How many seconds a move is worth by the clock; little is left for a player whose time is up."""
    player = f"p{seat + 1}"
    if f"{player}time" not in parameters:
        raise UgiError(f"go says no {player}time, and it is player {seat + 1}'s move")
    remaining_seconds = parameters[f"{player}time"] / 1000
    target_seconds = remaining_seconds / EXPECTED_MOVES_LEFT + INCREMENT_FRACTION * parameters.get(f"{player}inc", 0) / 1000
    return max(MIN_MOVE_SECONDS, min(target_seconds, remaining_seconds - MOVE_OVERHEAD_SECONDS))
