"""Models of a game's options, with one builder each; a client can draw a form and build a spec for any game."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ....games.definition import GameOptions, IntOption, OptionChoice


class ParameterView(BaseModel):
    """An integer parameter of a choice."""

    name: str
    min: int
    max: int
    step: int = Field(description="valid values are `min` plus a multiple of `step`")
    default: int | None = Field(description="null: the client may choose any value at random")


class ShareView(BaseModel):
    """An upper bound that is a fraction of another parameter."""

    of: str = Field(description="the name of the other parameter")
    divisor: int


class BoundedParameterView(ParameterView):
    """An integer parameter that is also bounded by another one."""

    max_share: ShareView = Field(description="the value is at most that of `of`, divided by `divisor` and rounded down")


class VariantChoiceView(BaseModel):
    """A choice of a variant; `{name}` in `spec_part` is replaced by the value of that parameter."""

    name: str
    spec_part: str
    parameters: list[BoundedParameterView | ParameterView]


class VariantView(BaseModel):
    """The variant of a game, the first part of a spec after its key."""

    name: str
    label: str = Field(description="a label in English")
    default: str = Field(description="the name of the default choice")
    choices: list[VariantChoiceView]


class FlagView(BaseModel):
    """A rule that can be switched on or off."""

    name: str
    label: str
    default: bool
    spec_part: str = Field(description="added to the spec if the flag differs from its default")


class OptionsView(BaseModel):
    """The options of a game. A spec is its key, the part of the chosen variant and the parts of flags, joined by hyphens."""

    variant: VariantView
    flags: list[FlagView]


def build_options(options: GameOptions) -> OptionsView:
    """Return the view of a game's options."""
    variant = options.board
    return OptionsView(
        variant=VariantView(
            name=variant.name,
            label=variant.label,
            default=variant.default,
            choices=[build_choice(choice) for choice in variant.choices],
        ),
        flags=[
            FlagView(name=flag.name, label=flag.label, default=flag.default, spec_part=flag.spec_word)
            for flag in options.flags
        ],
    )


def build_choice(choice: OptionChoice) -> VariantChoiceView:
    """Return the view of a choice of a variant."""
    return VariantChoiceView(
        name=choice.name,
        spec_part=choice.template,
        parameters=[build_parameter(parameter) for parameter in choice.parameters],
    )


def build_parameter(parameter: IntOption) -> ParameterView:
    """Return the view of a parameter."""
    view = ParameterView(
        name=parameter.name, min=parameter.min, max=parameter.max, step=parameter.step, default=parameter.default
    )
    if parameter.max_share is None:
        return view
    of, divisor = parameter.max_share
    return BoundedParameterView(**view.model_dump(), max_share=ShareView(of=of, divisor=divisor))
