"""A game's options as clients are told of them: enough to draw a form and to write the spec, for any game."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ..games.options import Blank, Choice, Options


class BlankView(BaseModel):
    """A number to fill in."""

    name: str
    least: int
    most: int
    step: int = Field(description="it is `least` plus so many steps")
    usual: int | None = Field(description="null: any will do, let chance choose")


class ChoiceView(BaseModel):
    """One of several words; `{name}` in it stands for the number of a blank."""

    name: str
    word: str
    blanks: list[BlankView]


class PickView(BaseModel):
    """The first word of a spec."""

    name: str
    words: str = Field(description="what it is, in English")
    usual: str = Field(description="the name of the choice that is made by default")
    choices: list[ChoiceView]


class FlagView(BaseModel):
    """A rule that is on or off."""

    name: str
    words: str
    usual: bool
    word: str = Field(description="what the spec says when it is not as usual")


class OptionsView(BaseModel):
    """What can be chosen: a spec is the game's key, the word of the pick, and the words of flags, with hyphens between."""

    pick: PickView
    flags: list[FlagView]


def options_view(options: Options) -> OptionsView:
    """All options of a game."""
    pick = options.pick
    return OptionsView(
        pick=PickView(
            name=pick.name, words=pick.words, usual=pick.usual, choices=[choice_view(choice) for choice in pick.choices]
        ),
        flags=[FlagView(name=flag.name, words=flag.words, usual=flag.usual, word=flag.word) for flag in options.flags],
    )


def choice_view(choice: Choice) -> ChoiceView:
    """One choice."""
    return ChoiceView(name=choice.name, word=choice.word, blanks=[blank_view(blank) for blank in choice.blanks])


def blank_view(blank: Blank) -> BlankView:
    """One blank."""
    return BlankView(name=blank.name, least=blank.least, most=blank.most, step=blank.step, usual=blank.usual)
