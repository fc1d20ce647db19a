"""The options that the registry describes are exactly those that specs understand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.errors import SpecError
from ropewalk.games.definition import BoolOption, GameSpec, IntOption, OptionChoice
from ropewalk.games.registry import game, games

ENTRIES = {entry.key: entry for entry in games()}
everyone = pytest.mark.parametrize("key", ENTRIES)


def numbers(draw: st.DrawFn, blanks: tuple[IntOption, ...]) -> dict[str, int]:
    """A number for each blank; what one blank allows may depend on another, so the smallest come first."""
    return {
        blank.name: blank.min + blank.step * draw(st.integers(0, (blank.max - blank.min) // blank.step)) for blank in blanks
    }


@st.composite
def specs(draw: st.DrawFn, entry: GameSpec) -> tuple[str, OptionChoice, dict[str, int], list[BoolOption]]:
    choice = draw(st.sampled_from(entry.options.board.choices))
    filled = numbers(draw, choice.parameters)
    turned = [flag for flag in entry.options.flags if draw(st.booleans())]
    words = [entry.key, choice.format(filled), *(flag.spec_word for flag in turned)]
    return "-".join(words), choice, filled, turned


@everyone
@given(data=st.data())
def test_whatever_a_form_can_ask_for_is_understood_or_refused_with_a_reason(key: str, data: st.DataObject) -> None:
    spec, _, filled, turned = data.draw(specs(ENTRIES[key]))
    try:
        made = game(spec)
    except SpecError as error:
        assert re.search(r"rows", str(error)), error  # only the rows of checkers depend on another number
        return
    for flag in ENTRIES[key].options.flags:
        assert made.options[flag.name] == (flag.default != (flag in turned))
    told = {"seed": made.options.get("setup")} | dict(made.options)
    for name, number in filled.items():
        assert str(told[name]) == str(number)


@everyone
def test_the_usual_choice_is_the_standard_board_and_named_sizes_agree(key: str) -> None:
    entry = ENTRIES[key]
    words = {choice.name: choice.template for choice in entry.options.board.choices}
    assert words[entry.options.board.default] == entry.standard
    assert {name: words[name] for name in entry.presets} == entry.presets


@everyone
def test_every_option_of_the_spec_is_a_flag(key: str) -> None:
    entry = ENTRIES[key]
    said = {form.removeprefix("-") for form in entry.forms if form.startswith("-")}
    assert {flag.spec_word for flag in entry.options.flags} == said
