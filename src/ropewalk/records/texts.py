"""What stands between the brackets of SGF: texts with their escapes, composed values, numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite

from .errors import LINE_BREAK

ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
ESCAPED_OR_BREAK = re.compile(rf"{ESCAPE.pattern}|{LINE_BREAK.pattern}", re.DOTALL)
SPECIAL = re.compile(r"[\\\]]")
COLON = re.compile(r"((?:[^\\:]|\\.)*+):", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d{1,25}(\.\d{1,25})?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def parse_text(raw: str) -> str:
    """The text that a raw value stands for: escapes undone, escaped line breaks gone, the others all alike."""
    return ESCAPED_OR_BREAK.sub(replace_escape, raw)


def replace_escape(found: re.Match[str]) -> str:
    """What an escape or a line break stands for."""
    if found[1] is None:
        return "\n"
    return "" if LINE_BREAK.fullmatch(found[1]) else found[1]


def parse_line(raw: str) -> str:
    """The text of a value that has no line breaks: they are blanks."""
    return LINE_BREAK.sub(" ", ESCAPE.sub(replace_escape, raw))


def format_text(text: str) -> str:
    """The raw value of a text, which may have several lines."""
    return SPECIAL.sub(r"\\\g<0>", LINE_BREAK.sub("\n", text))


def format_line(text: str) -> str:
    """The raw value of a text without line breaks."""
    return format_text(LINE_BREAK.sub(" ", text))


def parse_pair(raw: str) -> tuple[str, str]:
    """Both parts of a composed value; ValueError without a colon."""
    found = COLON.match(raw)
    if found is None:
        raise ValueError("a colon is missing")
    return parse_line(found[1]), parse_line(raw[found.end() :])


def format_pair(first: str, second: str) -> str:
    """A composed value; colons within its parts are escaped."""
    return ":".join(format_line(part).replace(":", "\\:") for part in (first, second))


def parse_number(raw: str) -> float:
    """A number; ValueError for one that has more digits than we keep."""
    text = raw.strip()
    if not NUMBER.fullmatch(text) or Decimal(text) != Decimal(repr(float(text))):
        raise ValueError("not a number such as 12.5")
    return float(text)


def format_number(number: float) -> str:
    """A number without an exponent, which SGF does not know; ValueError when that takes too many digits."""
    text = f"{Decimal(repr(number)).normalize() + 0:f}" if isfinite(number) else ""
    if not NUMBER.fullmatch(text):
        raise ValueError(f"a number has at most 25 digits before and after its point, not {number}")
    return text


def parse_integer(raw: str) -> int:
    """A whole number."""
    if not WHOLE.fullmatch(raw.strip()):
        raise ValueError("not a whole number")
    return int(raw)


def format_integer(number: int) -> str:
    """A whole number, if it can be read back."""
    if not WHOLE.fullmatch(str(number)):
        raise ValueError(f"a whole number has at most 18 digits, not {number}")
    return str(number)
