"""Reading the words of a command line: refusals in one line, help with examples, numbers with limits."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from ..errors import PositionError, RopewalkError
from ..games.sequence import parse_position
from ..text import ellipsis
from .printing import Pairs, side_by_side, text_width

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position


class UsageError(RopewalkError):
    """A command line that does not say what to do."""


class Parser(argparse.ArgumentParser):
    """The parser of one command, or of `ropewalk` itself; `sections` of pairs follow its help."""

    def __init__(self, prog: str, description: str, sections: Mapping[str, Pairs], usage: str | None = None) -> None:
        layout = partial(argparse.HelpFormatter, width=text_width(), max_help_position=22)
        super().__init__(prog=prog, usage=usage, description=description, formatter_class=layout, allow_abbrev=False)
        self.sections = sections

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage: `main` has one place for refusals."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def format_help(self) -> str:
        """The usual help, then the sections."""
        parts = [super().format_help()]
        parts += [f"{title}:\n{side_by_side(pairs)}\n" for title, pairs in self.sections.items()]
        return "\n".join(parts)


def add_spec(parser: Parser) -> None:
    """The game, as a required word."""
    parser.add_argument("spec", metavar="SPEC", help="a game such as lariat, tether-9 or liger-8; see ropewalk games")


def add_position(parser: Parser) -> None:
    """A position to start from."""
    words = "start from this position: its line of text, or - for a line or a drawn board on standard input"
    parser.add_argument("--position", metavar="TEXT", help=words)


def read_position(game: Game, text: str | None) -> Position:
    """Return the position of `--position`: the start without one, for `-` the position on standard input.

    Raises PositionError.
    """
    if text != "-":
        return parse_position(game, text)
    if sys.stdin is None or sys.stdin.isatty():
        raise PositionError("--position - reads a position from standard input: pipe one in")
    from ..games.notation import MAX_TEXT_LENGTH

    return game.position(sys.stdin.read(MAX_TEXT_LENGTH + 1))


def add_json(parser: Parser) -> None:
    """For programs that read along."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within limits."""

    def read(text: str) -> int:
        if re.fullmatch(r"-?\d{1,30}", text, re.ASCII) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{ellipsis(text)} is not a whole number from {least} to {most}")

    return read


def seconds(least: float, most: float) -> Callable[[str], float]:
    """Reads a time within limits."""

    def read(text: str) -> float:
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) and least <= float(text) <= most:
            return float(text)
        raise argparse.ArgumentTypeError(f"{ellipsis(text)} is not a number of seconds from {least:g} to {most:g}")

    return read


def read(parser: Parser, words: Iterable[str]) -> argparse.Namespace:
    """The words of a command line, options before, between or after the others."""
    return parser.parse_intermixed_args(list(words))
