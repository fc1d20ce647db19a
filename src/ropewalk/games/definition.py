"""What a player may decide about a game: described once, so that every form can ask for it and write the spec."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple


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


class MctsParams(NamedTuple):
    """How simulations choose."""

    exploration: float  # weight of the upper confidence bound
    first_play_urgency: float  # value of a move that nobody has tried
    rave_equivalence: float  # visits at which a move's own results weigh as much as "all moves as first"; 0: not used
    expansion_threshold: int  # visits before a leaf gets children
    heavy_rollout: int  # 0: playouts are uniformly random; else they answer threats, or are evaluated after so many steps


class GuidanceParams(NamedTuple):
    """How much an advisor counts."""

    eval_threshold: int  # visits of a node
    prior_weight: float  # weight of what the advisor finds likely, beside what was found out
    exploration: float  # weight of the upper confidence bound where it has answered
    value_weight: int  # playouts that its opinion of a position counts as much as


@dataclass(frozen=True)
class GameSpec:
    """What can be said of a game without loading its kernels."""

    key: str  # the first words of its specs
    name: str
    designer: str
    year: str
    aim: str
    standard: str  # the spec that the bare name stands for
    presets: dict[str, str]  # aliases such as small
    forms: tuple[str, ...]  # the specs it understands
    options: GameOptions  # the same as things to choose, for forms
    examples: tuple[str, ...]  # one spec of every kind, small enough for a quick check
    module: str
