"""A game's options as clients are told of them: enough to draw a form and to write the spec, for any game."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ....games.definition import GameOptions, IntOption, OptionChoice


class ParameterView(BaseModel):
    """A number to fill in."""

    name: str
    min: int
    max: int
    step: int = Field(description="the number is `min` plus a multiple of it")
    default: int | None = Field(description="null: choose a random number")


class ShareView(BaseModel):
    """A part of another number."""

    of: str = Field(description="the name of the other parameter")
    divisor: int


class BoundedParameterView(ParameterView):
    """A number to fill in that is also at most a part of another one."""

    max_share: ShareView = Field(
        description="it is at most the value of the parameter `of`, divided by `divisor` and rounded down"
    )


class VariantChoiceView(BaseModel):
    """One of several choices; `{name}` in its `spec_part` stands for the value of a parameter."""

    name: str
    spec_part: str
    parameters: list[BoundedParameterView | ParameterView]


class VariantView(BaseModel):
    """The choice that comes first in a spec, after the key of the game."""

    name: str
    label: str = Field(description="what it is, in English")
    default: str = Field(description="the name of the choice that is made by default")
    choices: list[VariantChoiceView]


class FlagView(BaseModel):
    """A rule that is on or off."""

    name: str
    label: str
    default: bool
    spec_part: str = Field(description="the part of the spec if it is not the default")


class OptionsView(BaseModel):
    """All options: a spec is the key of the game, the part of the variant and the parts of flags, joined by hyphens."""

    variant: VariantView
    flags: list[FlagView]


def build_options(options: GameOptions) -> OptionsView:
    """All options of a game."""
    pick = options.board
    return OptionsView(
        variant=VariantView(
            name=pick.name, label=pick.label, default=pick.default, choices=[build_choice(choice) for choice in pick.choices]
        ),
        flags=[
            FlagView(name=flag.name, label=flag.label, default=flag.default, spec_part=flag.spec_word)
            for flag in options.flags
        ],
    )


def build_choice(choice: OptionChoice) -> VariantChoiceView:
    """One choice."""
    return VariantChoiceView(
        name=choice.name, spec_part=choice.template, parameters=[build_parameter(blank) for blank in choice.parameters]
    )


def build_parameter(blank: IntOption) -> ParameterView:
    """One blank."""
    view = ParameterView(name=blank.name, min=blank.min, max=blank.max, step=blank.step, default=blank.default)
    if blank.max_share is None:
        return view
    of, divisor = blank.max_share
    return BoundedParameterView(**view.model_dump(), max_share=ShareView(of=of, divisor=divisor))
