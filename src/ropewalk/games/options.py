"""What a player may decide about a game: described once, so that every form can ask for it and write the spec."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Blank:
    """A number to fill in; where `usual` is None, any will do and chance may choose."""

    name: str
    least: int
    most: int
    usual: int | None = None
    step: int = 1


@dataclass(frozen=True)
class Choice:
    """One of several words of a spec; a name in braces stands for the number of a blank."""

    name: str
    word: str
    blanks: tuple[Blank, ...] = ()

    def written(self, numbers: dict[str, int]) -> str:
        """The word with its blanks filled in."""
        return self.word.format(**numbers)


@dataclass(frozen=True)
class Pick:
    """The first word of a spec: one of its choices, the usual one by default."""

    name: str
    words: str  # what it is, in English
    usual: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Flag:
    """A rule that is on or off; the spec says `word` when it is not as usual."""

    name: str
    words: str
    usual: bool
    word: str


@dataclass(frozen=True)
class Options:
    """All that a spec of a game says after the game's name."""

    pick: Pick
    flags: tuple[Flag, ...] = ()

    def words(self) -> list[tuple[str, ...]]:
        """What every combination adds to the game's name, blanks left open."""
        switches = [("", flag.word) for flag in self.flags]
        return [(choice.word, *filter(None, said)) for choice in self.pick.choices for said in product(*switches)]


def sizes(words: str, named: dict[str, str], own: str, *blanks: Blank) -> Pick:
    """Boards by name, standard among them, and one of one's own."""
    choices = (*(Choice(name, word) for name, word in named.items()), Choice("own", own, blanks))
    return Pick("board", words, "standard", choices)
