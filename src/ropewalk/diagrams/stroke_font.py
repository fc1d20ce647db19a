"""Single-line stroke font: text is drawn as paths, so that diagrams are the same without any fonts.

Letters stand on y = 0 with y downward; capitals and digits are 7 high, small letters 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..errors import RopewalkError
from ..text import ellipsis

CAPITAL_HEIGHT = 7.0
LETTER_GAP = 1.55  # between two letters
STROKE_WIDTH = 0.95  # of a stroke
BOLD_STROKE_WIDTH = 1.25

GLYPHS = {  # width, strokes
    " ": (1.6, ""),
    "0": (4, "M2-7C.7-7 0-5.7 0-3.5S.7 0 2 0S4-1.3 4-3.5S3.3-7 2-7Z"),
    "1": (2.2, "M.1-5.5L1.9-7V0"),
    "2": (4, "M.1-5.2C.2-6.3.9-7 2-7C3.2-7 3.9-6.3 3.9-5.2C3.9-4.1 3.2-3.3 2.2-2.3L0 0H4"),
    "3": (4, "M.3-7H3.7L1.8-4.3C3.2-4.4 4-3.5 4-2.2C4-.8 3.1 0 1.9 0C.9 0 .2-.5 0-1.4"),
    "4": (4.2, "M3.1 0V-7L0-1.9H4.2"),
    "5": (4, "M3.6-7H.7L.3-3.9C.8-4.3 1.3-4.5 1.9-4.5C3.2-4.5 4-3.6 4-2.3C4-.9 3.1 0 1.8 0C.9 0 .2-.5 0-1.4"),
    "6": (4, "M3.2-7C1.4-5.9 0-4.3 0-2.2C0-.8.8 0 2 0S4-.9 4-2.2S3.2-4.4 2-4.4C1-4.4.2-3.7 0-2.6"),
    "7": (4, "M0-7H4L1.4 0"),
    "8": (4, "M2-3.8C.9-3.8.3-4.5.3-5.4S1-7 2-7S3.7-6.4 3.7-5.4S3.1-3.8 2-3.8C.8-3.8 0-3 0-1.9S.8 0 2 0"
             "S4-.8 4-1.9S3.2-3.8 2-3.8Z"),
    "9": (4, "M.8 0C2.6-1.1 4-2.7 4-4.8C4-6.2 3.2-7 2-7S0-6.1 0-4.8S.8-2.6 2-2.6C3-2.6 3.8-3.3 4-4.4"),
    "a": (3.6, "M3.6-5V0M3.6-2.5C3.6-4 2.9-5 1.8-5C.7-5 0-4 0-2.5S.7 0 1.8 0C2.9 0 3.6-1 3.6-2.5"),
    "b": (3.6, "M0-7.4V0M0-2.5C0-4 .7-5 1.8-5C2.9-5 3.6-4 3.6-2.5S2.9 0 1.8 0C.7 0 0-1 0-2.5"),
    "c": (3.2, "M3.2-4.2C2.9-4.7 2.4-5 1.8-5C.7-5 0-4 0-2.5S.7 0 1.8 0C2.4 0 2.9-.3 3.2-.8"),
    "d": (3.6, "M3.6-7.4V0M3.6-2.5C3.6-4 2.9-5 1.8-5C.7-5 0-4 0-2.5S.7 0 1.8 0C2.9 0 3.6-1 3.6-2.5"),
    "e": (3.6, "M0-2.6H3.6C3.6-4.1 2.9-5 1.8-5C.7-5 0-4 0-2.5S.7 0 1.9 0C2.6 0 3.1-.3 3.4-.8"),
    "f": (2.5, "M2.6-7.3C1.5-7.6.9-7.1.9-6V0M-.1-4.9H2.3"),
    "g": (3.6, "M3.6-5V.4C3.6 1.6 2.9 2.3 1.8 2.3C1.1 2.3.5 2 .2 1.5M3.6-2.5C3.6-4 2.9-5 1.8-5C.7-5 0-4 0-2.5"
               "S.7 0 1.8 0C2.9 0 3.6-1 3.6-2.5"),
    "h": (3.4, "M0-7.4V0M0-2.9C0-4.2.7-5 1.8-5C2.8-5 3.4-4.3 3.4-3V0"),
    "i": (0.2, "M.1-5V0M-.02 -7.22H.22V-6.98H-.02Z"),
    "j": (1.1, "M1-5V.8C1 1.8.5 2.3-.3 2.2M.88 -7.22H1.12V-6.98H.88Z"),
    "k": (3.1, "M0-7.4V0M2.9-5L0-1.9M1.15-3.1L3.1 0"),
    "l": (1, "M.1-7.4V-1.1C.1-.3.4 0 1 0"),
    "m": (5.6, "M0-5V0M0-3.1C0-4.3.6-5 1.5-5S2.8-4.4 2.8-3.2V0M2.8-3.1C2.8-4.3 3.4-5 4.3-5S5.6-4.4 5.6-3.2V0"),
    "n": (3.4, "M0-5V0M0-2.9C0-4.2.7-5 1.8-5C2.8-5 3.4-4.3 3.4-3V0"),
    "o": (3.8, "M1.9-5C.7-5 0-4 0-2.5S.7 0 1.9 0S3.8-1 3.8-2.5S3.1-5 1.9-5Z"),
    "p": (3.6, "M0-5V2.2M0-2.5C0-4 .7-5 1.8-5C2.9-5 3.6-4 3.6-2.5S2.9 0 1.8 0C.7 0 0-1 0-2.5"),
    "q": (3.6, "M3.6-5V2.2M3.6-2.5C3.6-4 2.9-5 1.8-5C.7-5 0-4 0-2.5S.7 0 1.8 0C2.9 0 3.6-1 3.6-2.5"),
    "r": (2.1, "M0-5V0M0-2.6C0-4.2.9-5.2 2.2-4.9"),
    "s": (3, "M2.9-4.3C2.6-4.8 2.1-5 1.5-5C.7-5 .1-4.5 .1-3.8C.1-2.1 3-3 3-1.3C3-.5 2.4 0 1.5 0C.8 0 .3-.3 0-.8"),
    "t": (2.4, "M.9-6.6V-1.3C.9-.4 1.4 0 2.4-.1M-.1-4.9H2.3"),
    "u": (3.4, "M3.4-5V0M3.4-2.1C3.4-.8 2.7 0 1.6 0C.6 0 0-.7 0-2V-5"),
    "v": (3.5, "M0-5L1.75 0L3.5-5"),
    "w": (5, "M0-5L1.3 0L2.5-4.6L3.7 0L5-5"),
    "x": (3.3, "M.1-5L3.2 0M3.2-5L.1 0"),
    "y": (3.5, "M0-5L1.8-.2M3.5-5L1.4 1.1C1.1 1.9.7 2.3 0 2.2"),
    "z": (3.2, "M.1-5H3.1L0 0H3.2"),
    "A": (4.8, "M0 0L2.4-7L4.8 0M.85-2.4H3.95"),
    "B": (4.1, "M0 0V-7H2.1C3.2-7 3.8-6.4 3.8-5.4C3.8-4.4 3.2-3.8 2.1-3.8H0M2.1-3.8C3.4-3.8 4.1-3.1 4.1-1.9"
               "C4.1-.7 3.4 0 2.1 0H0"),
    "C": (4.6, "M4.6-5.7C4.1-6.5 3.4-7 2.6-7C1-7 0-5.6 0-3.5S1 0 2.6 0C3.4 0 4.1-.5 4.6-1.3"),
    "D": (4.5, "M0 0V-7H1.7C3.5-7 4.5-5.7 4.5-3.5S3.5 0 1.7 0Z"),
    "E": (3.7, "M3.7-7H0V0H3.7M0-3.7H3.2"),
    "F": (3.6, "M3.6-7H0V0M0-3.6H3.1"),
    "G": (4.8, "M4.6-5.7C4.1-6.5 3.4-7 2.6-7C1-7 0-5.6 0-3.5S1 0 2.6 0C4 0 4.8-1 4.8-3.2H2.8"),
    "H": (4.5, "M0 0V-7M4.5 0V-7M0-3.7H4.5"),
    "I": (0.2, "M.1 0V-7"),
    "J": (2.9, "M2.9-7V-2C2.9-.7 2.3 0 1.4 0C.7 0 .2-.4 0-1.1"),
    "K": (4.3, "M0 0V-7M4-7L0-2.9M1.5-4.3L4.3 0"),
    "L": (3.5, "M0-7V0H3.5"),
    "M": (5.6, "M0 0V-7L2.8-1.6L5.6-7V0"),
    "N": (4.6, "M0 0V-7L4.6 0V-7"),
    "O": (5.2, "M2.6-7C1-7 0-5.6 0-3.5S1 0 2.6 0S5.2-1.4 5.2-3.5S4.2-7 2.6-7Z"),
    "P": (4, "M0 0V-7H2.1C3.3-7 4-6.2 4-5.1S3.3-3.2 2.1-3.2H0"),
    "Q": (5.2, "M2.6-7C1-7 0-5.6 0-3.5S1 0 2.6 0S5.2-1.4 5.2-3.5S4.2-7 2.6-7ZM3.3-1.6L5 .4"),
    "R": (4.2, "M0 0V-7H2.1C3.3-7 4-6.2 4-5.1S3.3-3.2 2.1-3.2H0M2.2-3.2L4.2 0"),
    "S": (4, "M3.8-5.9C3.4-6.6 2.8-7 2-7C.9-7 .2-6.3 .2-5.3C.2-2.9 4-4.3 4-1.8C4-.7 3.2 0 2 0C1.1 0 .4-.4 0-1.2"),
    "T": (4.4, "M0-7H4.4M2.2-7V0"),
    "U": (4.5, "M0-7V-2.5C0-.9.9 0 2.25 0S4.5-.9 4.5-2.5V-7"),
    "V": (4.6, "M0-7L2.3 0L4.6-7"),
    "W": (6.6, "M0-7L1.7 0L3.3-6.4L4.9 0L6.6-7"),
    "X": (4.3, "M.1-7L4.2 0M4.2-7L.1 0"),
    "Y": (4.4, "M0-7L2.2-3.3L4.4-7M2.2-3.3V0"),
    "Z": (4.2, "M.1-7H4.1L0 0H4.2"),
    "'": (0.2, "M.1-7.2V-5.4"),
    '"': (1.4, "M.1-7.2V-5.4M1.3-7.2V-5.4"),
    ".": (0.2, "M-.02 -.17H.22V.07H-.02Z"),
    ",": (0.6, "M.5-.2L.1 1.2"),
    ":": (0.2, "M-.02 -4.12H.22V-3.88H-.02ZM-.02 -.17H.22V.07H-.02Z"),
    ";": (0.6, "M.38 -4.12H.62V-3.88H.38ZM.5-.2L.1 1.2"),
    "-": (2.4, "M0-2.6H2.4"),
    "+": (3.6, "M0-3H3.6M1.8-4.8V-1.2"),
    "=": (3.4, "M0-3.9H3.4M0-1.9H3.4"),
    "/": (2.8, "M0 .8L2.8-7.6"),
    "~": (3.6, "M0-2.4C.9-4.6 2.7-1 3.6-3.2"),
    "(": (1.4, "M1.4-7.8C-.4-5-.4-1 1.4 1.6"),
    ")": (1.4, "M0-7.8C1.8-5 1.8-1 0 1.6"),
    "%": (5.4, "M4.6-7L.8 0M1.2-7C.4-7 0-6.4 0-5.6S.4-4.2 1.2-4.2S2.4-4.8 2.4-5.6S2-7 1.2-7ZM4.2-2.8"
               "C3.4-2.8 3-2.2 3-1.4S3.4 0 4.2 0S5.4-.6 5.4-1.4S5-2.8 4.2-2.8Z"),
    "#": (4.4, "M1.5-6.6L.9-.4M3.5-6.6L2.9-.4M0-4.6H4.4M0-2.4H4.2"),
    "*": (3.2, "M1.6-7V-4M.2-6.3L3-4.7M3-6.3L.2-4.7"),
    "?": (3.4, "M0-5.4C.1-6.4.8-7 1.7-7C2.7-7 3.4-6.4 3.4-5.4C3.4-3.9 1.7-3.8 1.7-2.1M1.58 -.17H1.82V.07H1.58Z"),
    "!": (0.2, "M.1-7V-2.1M-.02 -.17H.22V.07H-.02Z"),
}  # fmt: skip


class LetterError(RopewalkError):
    """A text with a letter that the font does not have."""


def require_letters(text: str) -> None:
    """Raise LetterError for a letter that the font does not have."""
    for letter in text:
        if letter not in GLYPHS:
            raise LetterError(
                f"character {ellipsis(letter)} in {ellipsis(text)} cannot be drawn; "
                "only printable ASCII characters are supported"
            )


def measure_width(text: str) -> float:
    """Return the width of a text whose capitals are 7 high."""
    return sum(GLYPHS[letter][0] for letter in text) + LETTER_GAP * (len(text) - 1)


@cache
def build_strokes(text: str) -> str:
    """Return the path commands of a text, centred on x = 0 and standing on y = 0."""
    along = -measure_width(text) / 2
    drawn = []
    for letter in text:
        drawn.append(shift_path(GLYPHS[letter][1], along))
        along += GLYPHS[letter][0] + LETTER_GAP
    return "".join(drawn)


def shift_path(path: str, along: float) -> str:
    """Return a path moved to the right."""
    return "".join(command + " ".join(shift_numbers(command, numbers, along)) for command, numbers in parse_path(path))


def parse_path(path: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands of a path, M L C S H V or Z, with their numbers."""
    for command, rest in re.findall(r"([MLCSHVZ])([^MLCSHVZ]*)", path):
        yield command, [float(number) for number in re.findall(r"-?\d*\.?\d+", rest)]


def shift_numbers(command: str, numbers: list[float], along: float) -> Iterator[str]:
    """Yield the numbers of one command, with the x coordinates moved to the right."""
    for place, number in enumerate(numbers):
        across = command != "V" and (command == "H" or place % 2 == 0)
        yield f"{round(number + along, 2) if across else number:g}"
