"""Reading game specs: one string names a game with its board and options."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import SpecError
from ..text import did_you_mean, ellipsis

MAX_SEED = 2**63 - 1


class SpecReader:
    """The words of a spec after the game's name, taken one by one."""

    def __init__(self, text: str, words: Sequence[str], example: str) -> None:
        self.text = text
        self.words = list(words)
        self.example = example

    def error(self, message: str) -> SpecError:
        """A refusal of the whole spec, with one that would do."""
        return SpecError(f"{ellipsis(self.text)}: {message}, e.g. {self.example}")

    def next_word(self, pattern: str, expected: str) -> str:
        """The next word, which must look like this."""
        if not self.words:
            raise self.error(f"{expected} is missing")
        word = self.words.pop(0)
        if not re.fullmatch(pattern, word, re.ASCII) or len(word) > 64:
            raise self.error(f"{ellipsis(word)} is not {expected}")
        return word

    def require_known_flags(self, allowed: Sequence[str]) -> None:
        """Refuse what is no option of this game, and an option said twice."""
        for index, word in enumerate(self.words):
            if word not in allowed:
                allowed_text = f"the options are {', '.join(allowed)}" if allowed else "it has no options"
                raise self.error(f"{ellipsis(word)} is no option of this game, {allowed_text}{did_you_mean(word, allowed)}")
            if word in self.words[:index]:
                raise self.error(f"option {word} is said twice")

    def has_flag(self, name: str) -> bool:
        """Whether an option is among the rest."""
        return name in self.words


def require_in_range(reader: SpecReader, number: int, minimum: int, maximum: int, quantity: str) -> None:
    """Refuse a number outside its limits."""
    if not minimum <= number <= maximum:
        raise reader.error(f"{quantity} {number} is outside {minimum} to {maximum}")
