"""What a player may decide about a game: described once, so that every form can ask for it and write the spec."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class IntOption:
    """A number to fill in; where `usual` is None, any will do and chance may choose."""

    name: str
    min: int
    max: int
    default: int | None = None
    step: int = 1


@dataclass(frozen=True)
class OptionChoice:
    """One of several words of a spec; a name in braces stands for the number of a blank."""

    name: str
    template: str
    parameters: tuple[IntOption, ...] = ()

    def format(self, values: dict[str, int]) -> str:
        """The word with its blanks filled in."""
        return self.template.format(**values)


@dataclass(frozen=True)
class BoardOption:
    """The first word of a spec: one of its choices, the usual one by default."""

    name: str
    label: str  # what it is, in English
    default: str
    choices: tuple[OptionChoice, ...]


@dataclass(frozen=True)
class BoolOption:
    """A rule that is on or off; the spec says `word` when it is not as usual."""

    name: str
    label: str
    default: bool
    spec_word: str


@dataclass(frozen=True)
class GameOptions:
    """All that a spec of a game says after the game's name."""

    board: BoardOption
    flags: tuple[BoolOption, ...] = ()

    def list_spec_words(self) -> list[tuple[str, ...]]:
        """What every combination adds to the game's name, blanks left open."""
        flag_words = [("", flag.spec_word) for flag in self.flags]
        return [(choice.template, *filter(None, said)) for choice in self.board.choices for said in product(*flag_words)]


def make_board_option(label: str, presets: dict[str, str], template: str, *parameters: IntOption) -> BoardOption:
    """Boards by name, standard among them, and one of one's own."""
    choices = (*(OptionChoice(name, word) for name, word in presets.items()), OptionChoice("own", template, parameters))
    return BoardOption("board", label, "standard", choices)
