"""Parsing of the arguments of the UGI commands `position`, `go` and `setoption`, and time management."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from threading import Event
from typing import NamedTuple

from ..bots.bot import Limit
from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis

UNLIMITED_VISITS = 1 << 62
UNLIMITED_DEPTH = 1 << 30
GO_PARAMETERS = {"movetime": "MS", "nodes": "N", "p1time": "MS", "p2time": "MS", "p1inc": "MS", "p2inc": "MS", "depth": "N"}
GO_HELP = (
    "go [infinite] [movetime MS] [nodes N] [depth N] [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [searchmoves MOVE ...]"
)
GO_NAMES = (*GO_PARAMETERS, "infinite", "searchmoves")
POSITION_HELP = "position startpos [moves MOVE ...] or position fen TEXT [moves MOVE ...]"
SETOPTION_HELP = "setoption name NAME value VALUE"

EXPECTED_MOVES_LEFT = 25  # assumed when dividing the time on the clock
INCREMENT_FRACTION = 0.75  # part of the increment that a move may use
MOVE_OVERHEAD_SECONDS = 0.05  # reserved for communication
MIN_MOVE_SECONDS = 0.01


class UgiError(RopewalkError):
    """A command that is unknown, malformed or not allowed now."""


class PositionCommand(NamedTuple):
    """The arguments of `position`."""

    text: str | None  # None for the start position
    moves: tuple[str, ...]


@dataclass(eq=False)
class GoCommand:
    """A `go` command, pending or in progress."""

    tokens: Sequence[str]
    cancelled: Event = field(default_factory=Event)

    @property
    def is_infinite(self) -> bool:
        """Whether the search ends only by `stop`."""
        return "infinite" in self.tokens


def parse_position_command(tokens: Sequence[str]) -> PositionCommand:
    """Parse the arguments of `position`. Raises UgiError."""
    moves_index = tokens.index("moves") if "moves" in tokens else len(tokens)
    source, *text = tokens[:moves_index] or [""]
    if (source, bool(text)) not in (("startpos", False), ("fen", True)):
        raise UgiError(f"invalid position command; expected {POSITION_HELP}")
    return PositionCommand(" ".join(text) or None, tuple(tokens[moves_index + 1 :]))


def parse_setoption(tokens: Sequence[str]) -> tuple[str, str]:
    """Parse the arguments of `setoption`: name and value. Raises UgiError."""
    if tokens[:1] != ["name"] or "value" not in tokens:
        raise UgiError(f"invalid setoption command; expected {SETOPTION_HELP}")
    value_index = tokens.index("value")
    return " ".join(tokens[1:value_index]), " ".join(tokens[value_index + 1 :])


def parse_limit(go_command: GoCommand, seat: int) -> Limit:
    """Return the limit of a `go` command when `seat` is to move. Raises UgiError or BotError."""
    tokens, moves = split_searchmoves(go_command.tokens)
    parameters = parse_go_parameters(tokens)
    if go_command.is_infinite:
        return Limit(visits=UNLIMITED_VISITS, cancelled=go_command.cancelled, moves=moves)
    time_limits = [parameters["movetime"] / 1000] if "movetime" in parameters else []
    time_limits += [allocate_seconds(parameters, seat)] if {"p1time", "p2time"} & parameters.keys() else []
    seconds = min(time_limits, default=None)
    return Limit(seconds=seconds, visits=parameters.get("nodes"), cancelled=go_command.cancelled, moves=moves)


def split_searchmoves(tokens: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...] | None]:
    """Return the tokens of `go` without `searchmoves`, and its moves, None without them. Raises UgiError."""
    if "searchmoves" not in tokens:
        return tokens, None
    begin = tokens.index("searchmoves") + 1
    moves = tuple(takewhile(lambda token: token not in GO_NAMES, tokens[begin:]))
    if not moves:
        raise UgiError("go searchmoves MOVE ...: expected at least one move")
    return [*tokens[: begin - 1], *tokens[begin + len(moves) :]], moves


def parse_depth(go_command: GoCommand) -> int:
    """Return the length of the best line that ends the search, UNLIMITED_DEPTH without `depth`. Raises UgiError."""
    depth = parse_go_parameters(split_searchmoves(go_command.tokens)[0]).get("depth", UNLIMITED_DEPTH)
    if depth < 1:
        raise UgiError(f"go depth N: expected an integer of at least 1, not {depth}")
    return depth


def parse_go_parameters(tokens: Sequence[str]) -> dict[str, int]:
    """Return the numeric parameters of `go` by name; `tokens` are without `searchmoves`. Raises UgiError."""
    parameters: dict[str, int] = {}
    remaining = [token for token in tokens if token != "infinite"]
    while remaining:
        name, number, *remaining = [*remaining, ""] if len(remaining) == 1 else remaining
        if name not in GO_PARAMETERS:
            raise UgiError(f"unknown parameter {ellipsis(name)}; expected {GO_HELP}{did_you_mean(name, GO_NAMES)}")
        if not re.fullmatch(r"-?\d{1,15}", number, re.ASCII):
            raise UgiError(
                f"go {name} {GO_PARAMETERS[name]}: expected an integer of at most 15 digits, not {ellipsis(number)}"
            )
        parameters[name] = int(number)
    return parameters


def allocate_seconds(parameters: dict[str, int], seat: int) -> float:
    """Return the time for one move from the clock of `seat`, in seconds; at least MIN_MOVE_SECONDS.

    Raises UgiError if the clock of this seat is not given.
    """
    player = f"p{seat + 1}"
    if f"{player}time" not in parameters:
        raise UgiError(f"missing parameter {player}time: player {seat + 1} is to move")
    remaining_seconds = parameters[f"{player}time"] / 1000
    target_seconds = remaining_seconds / EXPECTED_MOVES_LEFT + INCREMENT_FRACTION * parameters.get(f"{player}inc", 0) / 1000
    return max(MIN_MOVE_SECONDS, min(target_seconds, remaining_seconds - MOVE_OVERHEAD_SECONDS))
