"""Parsing of command lines: errors in one line, help with examples, shared arguments, bounded numbers."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from ..console.formatting import Pairs, format_pairs, get_text_width
from ..errors import PositionError, RopewalkError
from ..text import ellipsis

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position


class UsageError(RopewalkError):
    """A command line with missing, unknown or contradictory arguments."""


class Parser(argparse.ArgumentParser):
    """The parser of one command, or of `ropewalk` itself. `sections` are printed after the help, each a title and pairs."""

    def __init__(self, prog: str, description: str, sections: Mapping[str, Pairs], usage: str | None = None) -> None:
        layout = partial(argparse.HelpFormatter, width=get_text_width(), max_help_position=22)
        super().__init__(prog=prog, usage=usage, description=description, formatter_class=layout, allow_abbrev=False)
        self.sections = sections

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage and exiting: `main` handles all errors."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def format_help(self) -> str:
        """Return argparse's help, followed by the sections."""
        parts = [super().format_help()]
        parts += [f"{title}:\n{format_pairs(pairs)}\n" for title, pairs in self.sections.items()]
        return "\n".join(parts)


def add_spec(parser: Parser) -> None:
    """Add the positional argument SPEC."""
    parser.add_argument("spec", metavar="SPEC", help="a game such as lariat, tether-9 or liger-8; see ropewalk games")


def add_position(parser: Parser) -> None:
    """Add the option --position, which `read_position` evaluates."""
    help_text = "start position: a position text, or - to read a position text or a drawn board from standard input"
    parser.add_argument("--position", metavar="TEXT", help=help_text)


def read_position(game: Game, text: str | None) -> Position:
    """Return the position of `--position`: the start without one, for `-` the position on standard input.

    Raises PositionError.
    """
    from ..games.sequence import parse_position

    if text != "-":
        return parse_position(game, text)
    if sys.stdin is None or sys.stdin.isatty():
        raise PositionError("--position - reads the position from standard input; use a pipe")
    from ..games.notation import MAX_TEXT_LENGTH

    return game.position(sys.stdin.read(MAX_TEXT_LENGTH + 1))


def add_json(parser: Parser) -> None:
    """Add the option --json."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def make_int_parser(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a parser of whole numbers in [minimum, maximum]."""

    def parse(text: str) -> int:
        if re.fullmatch(r"-?\d{1,30}", text, re.ASCII) and minimum <= int(text) <= maximum:
            return int(text)
        raise argparse.ArgumentTypeError(f"{ellipsis(text)} is not an integer from {minimum} to {maximum}")

    return parse


def make_float_parser(minimum: float, maximum: float, unit: str = "") -> Callable[[str], float]:
    """Return a parser of decimal numbers in [minimum, maximum], which must not be negative; errors name the unit."""
    kind = f"number of {unit}" if unit else "number"

    def parse(text: str) -> float:
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) and minimum <= float(text) <= maximum:
            return float(text)
        raise argparse.ArgumentTypeError(f"{ellipsis(text)} is not a {kind} from {minimum:g} to {maximum:g}")

    return parse


def parse_arguments(parser: Parser, argv: Iterable[str]) -> argparse.Namespace:
    """Parse a command line; options may stand before, between or after positional arguments."""
    return parser.parse_intermixed_args(list(argv))
