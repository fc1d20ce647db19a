"""Reading game specs: one string names a game with its board and options."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import SpecError, did_you_mean, ellipsis

LARGEST_SEED = 2**63 - 1


class Spec:
    """The words of a spec after the game's name, taken one by one."""

    def __init__(self, text: str, words: Sequence[str], example: str) -> None:
        self.text = text
        self.words = list(words)
        self.example = example

    def error(self, words: str) -> SpecError:
        """A refusal of the whole spec, with one that would do."""
        return SpecError(f"{ellipsis(self.text)}: {words}, e.g. {self.example}")

    def word(self, pattern: str, wanted: str) -> str:
        """The next word, which must look like this."""
        if not self.words:
            raise self.error(f"{wanted} is missing")
        word = self.words.pop(0)
        if not re.fullmatch(pattern, word, re.ASCII) or len(word) > 64:
            raise self.error(f"{ellipsis(word)} is not {wanted}")
        return word

    def ends(self, allowed: Sequence[str]) -> None:
        """Refuse what is no option of this game, and an option said twice."""
        for index, word in enumerate(self.words):
            if word not in allowed:
                known = f"the options are {', '.join(allowed)}" if allowed else "it has no options"
                raise self.error(f"{ellipsis(word)} is no option of this game, {known}{did_you_mean(word, allowed)}")
            if word in self.words[:index]:
                raise self.error(f"option {word} is said twice")

    def flag(self, name: str) -> bool:
        """Whether an option is among the rest."""
        return name in self.words


def in_range(spec: Spec, number: int, least: int, most: int, what: str) -> None:
    """Refuse a number outside its limits."""
    if not least <= number <= most:
        raise spec.error(f"{what} {number} is outside {least} to {most}")
