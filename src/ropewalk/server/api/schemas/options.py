"""A game's options as clients are told of them: enough to draw a form and to write the spec, for any game."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ....games.definition import GameOptions, IntOption, OptionChoice


class BlankView(BaseModel):
    """A number to fill in."""

    name: str
    least: int
    most: int
    step: int = Field(description="it is `least` plus so many steps")
    usual: int | None = Field(description="null: any will do, let chance choose")


class ShareView(BaseModel):
    """A part of another number."""

    of: str = Field(description="the name of the other blank")
    divisor: int


class BoundedBlankView(BlankView):
    """A number to fill in that is also at most a part of another one."""

    most_share: ShareView = Field(description="it is at most the number of `of`, divided by `divisor` and rounded down")


class ChoiceView(BaseModel):
    """One of several words; `{name}` in it stands for the number of a blank."""

    name: str
    word: str
    blanks: list[BoundedBlankView | BlankView]


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


def options_view(options: GameOptions) -> OptionsView:
    """All options of a game."""
    pick = options.board
    return OptionsView(
        pick=PickView(
            name=pick.name, words=pick.label, usual=pick.default, choices=[choice_view(choice) for choice in pick.choices]
        ),
        flags=[
            FlagView(name=flag.name, words=flag.label, usual=flag.default, word=flag.spec_word) for flag in options.flags
        ],
    )


def choice_view(choice: OptionChoice) -> ChoiceView:
    """One choice."""
    return ChoiceView(name=choice.name, word=choice.template, blanks=[blank_view(blank) for blank in choice.parameters])


def blank_view(blank: IntOption) -> BlankView:
    """One blank."""
    view = BlankView(name=blank.name, least=blank.min, most=blank.max, step=blank.step, usual=blank.default)
    if blank.max_share is None:
        return view
    of, divisor = blank.max_share
    return BoundedBlankView(**view.model_dump(), most_share=ShareView(of=of, divisor=divisor))
